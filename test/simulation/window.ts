import type { JournalStore } from "./journal-store.ts";
import type { Gateway } from "./model/gateway.ts";
import type { Step } from "./model/program.ts";
import type { Random } from "./model/random.ts";
import type { VirtualClock } from "./model/virtual-clock.ts";
import type { ShownCell } from "./shown-cell.ts";

export interface WindowParts {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly gateway: Gateway;
  readonly journal: JournalStore;
  readonly recorder: "on" | "off";
  /** Differs for each window. */
  readonly instance: string;
  /** Whether the kernel has a recorder now. */
  readonly hasRecorder: () => boolean;
  /** Called after the outputs of a cell have changed. */
  readonly onChange: (cell: ShownCell) => void;
}

export type MakeWindow = (parts: WindowParts) => Window;

/** What a user does with a window, and sees in it. */
export interface Window {
  /** By message id, in the order of their runs. */
  readonly cells: ReadonlyMap<string, ShownCell>;
  /** Message ids of the runs that were sent to the kernel. */
  readonly sent: ReadonlySet<string>;
  /** Number of runs that have not ended. */
  readonly pending: number;
  /** Number of items in each table that must be empty when nothing runs. */
  readonly sizes: Readonly<Record<string, number>>;
  /** The names of the calls that have not returned. */
  readonly openCalls: readonly string[];
  /** True while it acknowledges messages at once. */
  readonly awaitsMessages: boolean;
  /** Runs cells at once. */
  run(programs: readonly (readonly Step[])[]): void;
  /** Shows the cells of an earlier window. They show the same as there, unless its editor was killed. */
  resume(earlier: ReadonlyMap<string, ShownCell>, isKilled: boolean): void;
  interrupt(): void;
  restart(): void;
  /** Cancels the newest run that has not ended. */
  cancelNewest(): void;
  retry(): void;
  setPresent(isPresent: boolean): void;
  /** Nothing happens in the window for this time, in milliseconds. */
  sleep(milliseconds: number): void;
  /** Closes the window. What it writes is written. */
  close(): void;
  /** Ends the window's process at once. */
  kill(): void;
}
