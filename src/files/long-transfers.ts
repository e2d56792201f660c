/** A file that moves between the editor and the server; `bytes` of its content. */
export interface LongTransfer {
  readonly action: "open" | "save";
  readonly path: string;
  readonly bytes: number;
}

export interface TransferControl {
  /** Aborted when the person cancels. */
  readonly signal: AbortSignal;
  /** The share of it that has moved, from 0 to 1. */
  readonly onMoved: (share: number) => void;
}

/** How transfers that may take long show, and what the person is asked about them. */
export interface LongTransfers {
  /** Runs a transfer, with its progress in sight and a way to cancel when it takes a while. */
  run<T>(transfer: LongTransfer, work: (control: TransferControl) => Promise<T>): Promise<T>;
  /** False when the file is above the person's limit and they chose not to open it. */
  admits(path: string, bytes: number): Promise<boolean>;
  /** A save of an earlier session was broken off, and its complete content stands beside the file. */
  tellKept(path: string, upload: string): void;
}

/** Shows nothing and asks nothing. */
export const quietTransfers: LongTransfers = {
  run: (_, work) => work({ signal: new AbortController().signal, onMoved: () => {} }),
  admits: async () => true,
  tellKept: () => {},
};
