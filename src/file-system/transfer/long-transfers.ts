/** A transfer of a file between the editor and the server. `bytes` is the size of its content. */
export interface LongTransfer {
  readonly action: "open" | "save" | "download";
  readonly path: string;
  readonly bytes: number;
}

export interface TransferControl {
  /** Aborted when the user cancels. */
  readonly signal: AbortSignal;
  /** Reports the transferred fraction, from 0 to 1. */
  readonly onMoved: (share: number) => void;
}

/**
 * The user's choice for a large file. `download`: the file is saved to a location that the user chooses, or a read-only
 * copy is shown. The waiting editor is closed, but still receives the bytes, because an error would show a dialog.
 */
export type Admission =
  | { readonly type: "open" }
  | { readonly type: "refused" }
  | { readonly type: "download"; readonly save: (bytes: Uint8Array) => Promise<void> };

/** Shows the progress of long transfers, and asks the user about large files. */
export interface LongTransfers {
  /** Runs a transfer. If it takes a while, shows cancellable progress. */
  run<T>(transfer: LongTransfer, work: (control: TransferControl) => Promise<T>): Promise<T>;
  /** Asks about a file above the user's limit that an editor is about to show. */
  admit(path: string, bytes: number): Promise<Admission>;
  /** Reports that a save was interrupted in an earlier session, and that its complete content is next to the target. */
  reportInterrupted(path: string, upload: string): void;
  /** Reports that the replaced version of a saved file, which is now empty, couldn't be deleted. */
  reportLeftover(path: string, leftover: string): void;
  /**
   * Reports that this workspace's file versions are only dates and sizes, so that a change of the same size within one
   * tick of the server's clock is not detected. Called once.
   */
  warnOfTimeVersions(tick: "second" | "moment"): void;
}

/** Transfers without messages. */
export const quietTransfers: LongTransfers = {
  run: (_, work) => work({ signal: new AbortController().signal, onMoved: () => {} }),
  admit: async () => ({ type: "open" }),
  reportInterrupted: () => {},
  reportLeftover: () => {},
  warnOfTimeVersions: () => {},
};
