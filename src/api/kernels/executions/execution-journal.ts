/** One request to execute a cell, written down before it is sent. */
export interface JournalEntry {
  /** `msg_id` of the `execute_request`: all output names it as its parent. */
  readonly messageId: string;
  /** The cell's id in the notebook, where it has one. */
  readonly cellId: string | undefined;
  /** The cell's position in the notebook when it was sent. */
  readonly cellIndex: number;
  /** A hash of the source that was sent: finds a cell that was moved, and shows one that was edited. */
  readonly sourceHash: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** True once its reply arrived. Late output still names it as its parent. */
  readonly isFinished: boolean;
}

/** What is remembered of one kernel. */
export interface KernelJournal {
  /** The WebSocket's `session_id`: the server replays what it buffered only to the same one. */
  readonly sessionId: string;
  /** In the order of sending. */
  readonly entries: readonly JournalEntry[];
}

/** Where what was sent to kernels is remembered across windows; the caller gives the storage. */
export interface ExecutionJournal {
  read(kernelId: string): Promise<KernelJournal | undefined>;
  /** Resolves when it is stored: nothing is sent before. */
  write(kernelId: string, journal: KernelJournal): Promise<void>;
  /** The kernel ended: nothing of it can be resumed. */
  remove(kernelId: string): Promise<void>;
}
