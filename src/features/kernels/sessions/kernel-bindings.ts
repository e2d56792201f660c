import type * as vscode from "vscode";
import * as z from "zod/mini";
import type { JournalFiles } from "./journal-files.ts";

const binding = z.object({
  kernelId: z.string(),
  sessionId: z.string(),
  specName: z.string(),
  /** True if only this window uses the session. Other clients use another session for the notebook. */
  isSeparate: z.optional(z.boolean()),
  /** The workspace and the session's path, if the notebook is untitled. Its URI has neither. */
  untitled: z.optional(z.object({ authority: z.string(), path: z.string() })),
  at: z.number(),
});

/** The kernel that a notebook used last in this window's workspace. `at`: milliseconds since 1970. */
export type KernelBinding = z.output<typeof binding>;

const bindingsKey = "kernels.notebooks";
/** Maximum number of notebooks whose kernels are stored. */
const maxBindings = 100;

/**
 * The kernel of each notebook, stored with the window's workspace, so that it survives a reload. Deletes the journals of
 * sessions that no notebook is bound to.
 */
export class KernelBindings {
  readonly #state: vscode.Memento;
  readonly #journals: Pick<JournalFiles, "delete" | "sweep">;

  constructor(state: vscode.Memento, journals: Pick<JournalFiles, "delete" | "sweep">) {
    this.#state = state;
    this.#journals = journals;
  }

  /** URIs of the notebooks with a stored kernel. */
  get uris(): readonly string[] {
    return Object.keys(this.#all());
  }

  get(uri: vscode.Uri): KernelBinding | undefined {
    return this.#all()[uri.toString()];
  }

  async set(uri: vscode.Uri, bound: Omit<KernelBinding, "at">): Promise<void> {
    const all = { ...this.#all(), [uri.toString()]: { ...bound, at: Date.now() } };
    const newest = Object.entries(all).toSorted(([, one], [, other]) => other.at - one.at);
    await this.#replace(Object.fromEntries(newest.slice(0, maxBindings)));
  }

  /** Stores the kernel of a notebook under its new URI only. */
  async move(oldUri: vscode.Uri, newUri: vscode.Uri, bound: Omit<KernelBinding, "at">): Promise<void> {
    const { [oldUri.toString()]: _, ...others } = this.#all();
    await this.#replace({ ...others, [newUri.toString()]: { ...bound, at: Date.now() } });
  }

  async remove(uri: vscode.Uri): Promise<void> {
    const { [uri.toString()]: _, ...others } = this.#all();
    await this.#replace(others);
  }

  /** Deletes the journals of sessions that no notebook is bound to. Keeps all of them if the bindings can't be read. */
  async sweepJournals(): Promise<void> {
    if (this.#parsed().success) {
      await this.#journals.sweep(() => Object.values(this.#all()));
    }
  }

  /** Stores these bindings, and deletes the journals of the others. Two notebooks can have one kernel. */
  async #replace(bindings: Bindings): Promise<void> {
    const kept = new Set(Object.values(bindings).map(bindingKey));
    const unused = Object.values(this.#all()).filter((earlier) => !kept.has(bindingKey(earlier)));
    await this.#state.update(bindingsKey, bindings);
    await this.#journals.delete(unused);
  }

  #all(): Bindings {
    const parsed = this.#parsed();
    return parsed.success ? parsed.data : {};
  }

  #parsed() {
    return z.safeParse(z.record(z.string(), binding), this.#state.get(bindingsKey, {}));
  }
}

/** The bindings by the notebook's URI. */
type Bindings = Readonly<Record<string, KernelBinding>>;

function bindingKey({ kernelId, sessionId }: KernelBinding): string {
  return `${kernelId}/${sessionId}`;
}
