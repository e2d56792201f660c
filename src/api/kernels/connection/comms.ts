/** A message of a comm, the two-way channel of widgets. */
export interface CommMessage {
  readonly type: "open" | "message" | "close";
  readonly commId: string;
  /** The comm target, such as `jupyter.widget`. Only in `open`. */
  readonly targetName: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly buffers: readonly Uint8Array[];
  /** `msg_id` of the request that caused the message, if any. */
  readonly parentId: string | undefined;
}

/** A comm message to the kernel. */
export interface SentComm extends Omit<CommMessage, "parentId"> {
  /** `msg_id` of the execution whose cell shows the output that the kernel produces while it handles this message. */
  readonly cellMessageId?: string | undefined;
  /** Id of the subshell that handles the message even if the kernel is busy. The kernel must support subshells. */
  readonly subshell?: string | undefined;
}
