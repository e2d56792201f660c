import type { Fields, MessageHeader } from "../../../src/api/kernels/wire/kernel-message.ts";
import type { KernelRequest } from "./kernel-messages.ts";
import type { KernelObserver } from "./kernel-observer.ts";
import type { Random } from "./random.ts";
import type { RecorderModel } from "./recorder-model.ts";

/** `subshells`: ipykernel 7. `plain`: ipykernel before. `other`: a kernel in which no Python can be evaluated. */
export type KernelKind = "subshells" | "plain" | "other";

export interface KernelOptions {
  readonly kind: KernelKind;
  /** Number of messages that its recorder keeps. */
  readonly recorderEntries: number;
}

/** What the parts of a kernel need of its process. */
export interface KernelProcess {
  readonly options: KernelOptions;
  readonly random: Random;
  readonly observer: KernelObserver;
  /** Undefined until it is installed. */
  recorder: RecorderModel | undefined;
  /** The header of the request that a shell handled last. Threads write to it. */
  readonly threadParent: MessageHeader | undefined;
  /** Runs the work after this time if the process is still alive. */
  after(milliseconds: number, work: () => void): void;
  /** Publishes an output of the main shell's code, or of a thread. */
  output(type: string, content: Fields, parent: MessageHeader | undefined): void;
  /** Asks the client of a request for input. */
  ask(request: KernelRequest): void;
  /** Keeps what was entered. */
  echo(value: string, parent: MessageHeader): void;
  /** Ends the process. `isAnnounced`: it says so first. */
  end(isAnnounced: "restart" | "shutDown" | undefined): void;
  /** Makes threads write to the cell that began last, as reading the recorder does. */
  giveBack(): void;
  /** These requests must not run. */
  withdraw(ids: readonly string[]): void;
}
