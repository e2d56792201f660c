/** A message of a comm, the two-way channel of widgets. */
export interface CommMessage {
  readonly type: "open" | "message" | "close";
  readonly commId: string;
  /** Of `open`: which kind of comm it is, as `jupyter.widget`. */
  readonly targetName: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly buffers: readonly Uint8Array[];
  /** `msg_id` of the request that it belongs to, where it belongs to one. */
  readonly parentId: string | undefined;
}

/** A message of a comm to the kernel. */
export interface SentComm extends Omit<CommMessage, "parentId"> {
  /** `msg_id` of the execution whose cell shows what the kernel prints while it handles this message. */
  readonly cellMessageId?: string | undefined;
  /** Handled by a thread of its own, so that a busy kernel answers, too. The kernel must have subshells. */
  readonly subshell?: string | undefined;
}
