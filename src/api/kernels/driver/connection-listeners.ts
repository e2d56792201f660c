import type { Log } from "../../http/log.ts";
import type { CommMessage } from "../connection/comms.ts";
import type { KernelEvent, Subscription } from "../connection/connection.ts";
import type { ConnectionState } from "../connection/connection-state.ts";
import type { CapturedOutput } from "../recorder/output-captures.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";

/** The events of a connection, with the values that their listeners receive. */
interface ConnectionEvents {
  readonly state: ConnectionState;
  readonly kernel: KernelEvent;
  readonly comm: CommMessage;
  /** The `msg_id` of a comm message. */
  readonly commHandled: string;
  readonly capturedOutput: CapturedOutput;
  readonly push: IncomingMessage;
  readonly debugEvent: IncomingMessage;
}

type Listeners = { readonly [Name in keyof ConnectionEvents]: Set<(value: ConnectionEvents[Name]) => void> };

/** The listeners of one kernel's connection. If a listener fails, the others still receive the event. */
export class ConnectionListeners {
  readonly #kernelId: string;
  readonly #log: Log;
  readonly #listeners: Listeners = {
    state: new Set(),
    kernel: new Set(),
    comm: new Set(),
    commHandled: new Set(),
    capturedOutput: new Set(),
    push: new Set(),
    debugEvent: new Set(),
  };

  constructor(kernelId: string, log: Log) {
    this.#kernelId = kernelId;
    this.#log = log;
  }

  add<Name extends keyof ConnectionEvents>(
    name: Name,
    listener: (value: ConnectionEvents[Name]) => void,
  ): Subscription {
    const listeners: Set<(value: ConnectionEvents[Name]) => void> = this.#listeners[name];
    listeners.add(listener);
    return { dispose: () => listeners.delete(listener) };
  }

  /** True if the event has a listener. */
  has(name: keyof ConnectionEvents): boolean {
    return this.#listeners[name].size > 0;
  }

  emit<Name extends keyof ConnectionEvents>(name: Name, value: ConnectionEvents[Name]): void {
    const listeners: ReadonlySet<(value: ConnectionEvents[Name]) => void> = this.#listeners[name];
    for (const listener of listeners) {
      try {
        listener(value);
      } catch (error) {
        this.#log.error(`a listener of kernel ${this.#kernelId} failed: ${String(error)}`);
      }
    }
  }
}
