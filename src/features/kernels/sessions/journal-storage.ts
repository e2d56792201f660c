import type * as vscode from "vscode";
import * as z from "zod/mini";
import type { ExecutionJournal, KernelJournal } from "../../../api/kernels/executions/execution-journal.ts";

const journal = z.object({
  sessionId: z.string(),
  entries: z.array(
    z.object({
      messageId: z.string(),
      cellId: z.optional(z.string()),
      cellIndex: z.number(),
      sourceHash: z.string(),
      sentAt: z.number(),
      isFinished: z.boolean(),
    }),
  ),
});

const binding = z.object({
  kernelId: z.string(),
  sessionId: z.string(),
  specName: z.string(),
  /** The session is this window's alone: other clients use another one for the notebook. */
  isSeparate: z.optional(z.boolean()),
  at: z.number(),
});

/** The kernel that a notebook was run on last, in this window's workspace. `at`: milliseconds since 1970. */
export type KernelBinding = z.output<typeof binding>;

const journalKey = "kernels.journal/";
const bindingsKey = "kernels.notebooks";
/** Notebooks whose kernels are remembered. */
const mostBindings = 100;

/** What was sent to kernels, kept with the window's workspace: it is there again after a reload. */
export function journalIn(state: vscode.Memento): ExecutionJournal {
  return {
    async read(kernelId) {
      const parsed = z.safeParse(journal, state.get(journalKey + kernelId));
      return parsed.success ? journalOf(parsed.data) : undefined;
    },
    async write(kernelId, written) {
      await state.update(journalKey + kernelId, written);
    },
    async remove(kernelId) {
      await state.update(journalKey + kernelId, undefined);
    },
  };
}

function journalOf({ sessionId, entries }: z.output<typeof journal>): KernelJournal {
  return { sessionId, entries: entries.map((entry) => ({ ...entry, cellId: entry.cellId })) };
}

/** Which kernel each notebook has, kept like the journal. */
export class KernelBindings {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get(uri: vscode.Uri): KernelBinding | undefined {
    return this.#all()[uri.toString()];
  }

  async set(uri: vscode.Uri, bound: Omit<KernelBinding, "at">): Promise<void> {
    const all = { ...this.#all(), [uri.toString()]: { ...bound, at: Date.now() } };
    const newest = Object.entries(all).toSorted(([, one], [, other]) => other.at - one.at);
    await this.#state.update(bindingsKey, Object.fromEntries(newest.slice(0, mostBindings)));
    const kept = new Set(newest.slice(0, mostBindings).map(([, { kernelId }]) => kernelId));
    for (const [, { kernelId }] of newest.slice(mostBindings)) {
      if (!kept.has(kernelId)) {
        await this.#state.update(journalKey + kernelId, undefined);
      }
    }
  }

  async remove(uri: vscode.Uri): Promise<void> {
    const { [uri.toString()]: _, ...others } = this.#all();
    await this.#state.update(bindingsKey, others);
  }

  #all(): Readonly<Record<string, KernelBinding>> {
    const parsed = z.safeParse(z.record(z.string(), binding), this.#state.get(bindingsKey));
    return parsed.success ? parsed.data : {};
  }
}
