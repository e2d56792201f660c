import type * as vscode from "vscode";
import * as z from "zod/mini";
import type { ExecutionJournal, KernelJournal } from "../../../api/kernels/executions/execution-journal.ts";

const outcomes = ["ok", "error", "noReply", "aborted", "dropped", "kernelEnded", "notReceived", "unknown"] as const;

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
      outcome: z.optional(z.enum(outcomes)),
    }),
  ),
});

const binding = z.object({
  kernelId: z.string(),
  sessionId: z.string(),
  specName: z.string(),
  /** True if only this window uses the session. Other clients use another session for the notebook. */
  isSeparate: z.optional(z.boolean()),
  at: z.number(),
});

/** The kernel that a notebook used last in this window's workspace. `at`: milliseconds since 1970. */
export type KernelBinding = z.output<typeof binding>;

const journalKey = "kernels.journal/";
const bindingsKey = "kernels.notebooks";
/** Maximum number of notebooks whose kernels are stored. */
const mostBindings = 100;

/**
 * The journal of the executions of one session, stored with the window's workspace, so that it survives a reload.
 * Notebooks that share a kernel have separate journals.
 */
export function journalIn(state: vscode.Memento, sessionId: string): ExecutionJournal {
  return {
    async read(kernelId) {
      const parsed = z.safeParse(journal, state.get(keyOf({ kernelId, sessionId })));
      return parsed.success ? journalOf(parsed.data) : undefined;
    },
    async write(kernelId, written) {
      await state.update(keyOf({ kernelId, sessionId }), written);
    },
    async remove(kernelId) {
      await state.update(keyOf({ kernelId, sessionId }), undefined);
    },
  };
}

/** A journal that stores nothing, for a client that runs no code. */
export const noJournal: ExecutionJournal = {
  read: async () => undefined,
  write: async () => {},
  remove: async () => {},
};

function keyOf({ kernelId, sessionId }: Pick<KernelBinding, "kernelId" | "sessionId">): string {
  return `${journalKey}${kernelId}/${sessionId}`;
}

function journalOf({ sessionId, entries }: z.output<typeof journal>): KernelJournal {
  return { sessionId, entries: entries.map((entry) => ({ ...entry, cellId: entry.cellId })) };
}

/** The kernel of each notebook, stored like the journal. */
export class KernelBindings {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
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
    await this.#replace(Object.fromEntries(newest.slice(0, mostBindings)));
  }

  async remove(uri: vscode.Uri): Promise<void> {
    const { [uri.toString()]: _, ...others } = this.#all();
    await this.#replace(others);
  }

  /** Deletes the journals of sessions that no notebook is bound to. Earlier versions kept them forever. */
  async sweepJournals(): Promise<void> {
    for (const key of this.#state.keys()) {
      // Read again for each key, because a notebook may be bound to its session again meanwhile.
      const parsed = this.#parsed();
      if (!parsed.success) {
        return;
      }
      if (key.startsWith(journalKey) && !journalKeysOf(parsed.data).has(key)) {
        await this.#state.update(key, undefined);
      }
    }
  }

  /** Stores these bindings, and deletes the journals of the others. A renamed notebook temporarily has two bindings. */
  async #replace(bindings: Bindings): Promise<void> {
    const kept = journalKeysOf(bindings);
    const unused = [...journalKeysOf(this.#all())].filter((key) => !kept.has(key));
    await this.#state.update(bindingsKey, bindings);
    for (const key of unused) {
      await this.#state.update(key, undefined);
    }
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

function journalKeysOf(bindings: Bindings): ReadonlySet<string> {
  return new Set(Object.values(bindings).map(keyOf));
}
