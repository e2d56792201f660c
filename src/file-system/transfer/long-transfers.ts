/** A transfer of a file between the editor and the server. `bytes` is the size of its content. */
export interface LongTransfer {
  readonly action: "open" | "save" | "download";
  readonly path: string;
  readonly bytes: number;
}

export interface TransferControl {
  /** Aborted when the user cancels. */
  readonly signal: AbortSignal;
  /** Reports the share that is transferred, from 0 to 1. */
  readonly onMoved: (share: number) => void;
}

/**
 * The user's choice for a large file. `download`: the file is saved in a place that the user chooses. The waiting
 * editor is closed, but still gets the bytes, because an error would show a dialog.
 */
export type Admission =
  | { readonly type: "open" }
  | { readonly type: "refused" }
  | { readonly type: "download"; readonly keep: (bytes: Uint8Array) => Promise<void> };

/** Shows long transfers, and asks the user about them. */
export interface LongTransfers {
  /** Runs a transfer. If it takes a while, shows its progress with a way to cancel. */
  run<T>(transfer: LongTransfer, work: (control: TransferControl) => Promise<T>): Promise<T>;
  /** Asks about a file above the user's limit that an editor is about to show. */
  admit(path: string, bytes: number): Promise<Admission>;
  /** Reports that an earlier session's save was interrupted, and that its complete content is next to the target. */
  tellKept(path: string, upload: string): void;
  /**
   * Reports that this workspace's file versions are only dates and sizes, so that a change of the same size within one
   * tick of the server's clock is not detected. Called once.
   */
  tellTimeVersions(tick: "second" | "moment"): void;
}

/** Transfers without messages. */
export const quietTransfers: LongTransfers = {
  run: (_, work) => work({ signal: new AbortController().signal, onMoved: () => {} }),
  admit: async () => ({ type: "open" }),
  tellKept: () => {},
  tellTimeVersions: () => {},
};
