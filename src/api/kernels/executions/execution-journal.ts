import { createHash } from "node:crypto";

/** The type of an execution's outcome. `noReply`: the kernel dropped the reply, which the cell shows as an error. */
type JournalOutcome = "ok" | "error" | "noReply" | "aborted" | "dropped" | "kernelEnded" | "notReceived" | "unknown";

/** A request to execute a cell, recorded before it is sent. */
export interface JournalEntry {
  /** `msg_id` of the `execute_request`, which is the parent of all of its output. */
  readonly messageId: string;
  /** The cell's id in the notebook, if it has one. */
  readonly cellId: string | undefined;
  /** The cell's index in the notebook when the request was made. */
  readonly cellIndex: number;
  /** Hash of the source. Finds a cell that was moved, and detects one that was edited. */
  readonly sourceHash: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** True once the reply has arrived. Late output can still follow. */
  readonly isFinished: boolean;
  /** The outcome, if the execution is finished. */
  readonly outcome?: JournalOutcome | undefined;
}

/** The stored state of one kernel. */
export interface KernelJournal {
  /** The WebSocket's `session_id`. The server replays buffered messages only to the same session. */
  readonly sessionId: string;
  /** In sending order. */
  readonly entries: readonly JournalEntry[];
  /**
   * Id of the last recorded message that executions received. What the recorder has after it was not received;
   * undefined if no message was recorded.
   */
  readonly deliveredId?: string | undefined;
}

/** Stores the executions of kernels across windows. The caller provides the storage. */
export interface ExecutionJournal {
  read(kernelId: string): Promise<KernelJournal | undefined>;
  /** Replaces the stored journal. Resolves when it is stored. */
  replace(kernelId: string, journal: KernelJournal): Promise<void>;
  /**
   * Adds new entries, and entries that replace those with the same message id. `deliveredId` replaces the id of the
   * last delivered message. Resolves when they are stored. Rejects if there is no journal of the kernel.
   */
  append(kernelId: string, entries: readonly JournalEntry[], deliveredId?: string): Promise<void>;
  /** Removes the journal of a kernel that ended, because its executions can't be resumed. */
  remove(kernelId: string): Promise<void>;
}

/** A journal that stores nothing, for a client whose executions are never resumed. */
export const noJournal: ExecutionJournal = {
  read: async () => undefined,
  replace: async () => {},
  append: async () => {},
  remove: async () => {},
};

/** Hash of a cell's source, as in journal entries. */
export function sourceHashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
