/** A file that moves between the editor and the server; `bytes` of its content. */
export interface LongTransfer {
  readonly action: "open" | "save" | "download";
  readonly path: string;
  readonly bytes: number;
}

export interface TransferControl {
  /** Aborted when the person cancels. */
  readonly signal: AbortSignal;
  /** The share of it that has moved, from 0 to 1. */
  readonly onMoved: (share: number) => void;
}

/**
 * What the person wants of a large file. `download`: its bytes, for a place that they choose. The waiting editor is closed, but
 * gets them anyway, because one that gets an error shows a dialog.
 */
export type Admission =
  | { readonly type: "open" }
  | { readonly type: "refused" }
  | { readonly type: "download"; readonly keep: (bytes: Uint8Array) => Promise<void> };

/** How transfers that may take long show, and what the person is asked about them. */
export interface LongTransfers {
  /** Runs a transfer, with its progress in sight and a way to cancel when it takes a while. */
  run<T>(transfer: LongTransfer, work: (control: TransferControl) => Promise<T>): Promise<T>;
  /** Asks about a file that is above the person's limit and that an editor is about to show. */
  admit(path: string, bytes: number): Promise<Admission>;
  /** A save of an earlier session was broken off, and its complete content stands beside the file. */
  tellKept(path: string, upload: string): void;
  /**
   * Versions of this workspace's files are their times and sizes alone: a change of the same size within one tick of the
   * server's clock goes unnoticed. Called once.
   */
  tellTimeVersions(tick: "second" | "moment"): void;
}

/** Shows nothing and asks nothing. */
export const quietTransfers: LongTransfers = {
  run: (_, work) => work({ signal: new AbortController().signal, onMoved: () => {} }),
  admit: async () => ({ type: "open" }),
  tellKept: () => {},
  tellTimeVersions: () => {},
};
