import type { IncomingMessage } from "../wire/kernel-message.ts";
import type { KernelRequests } from "./kernel-requests.ts";

/** A request on the shell channel. The kernel replies to it after everything that was sent before. */
export class KernelBarrier {
  /** The reply, once the kernel is idle again. No replies to earlier requests follow. Rejects with a ReplyLostError. */
  readonly passed: Promise<IncomingMessage>;
  readonly #requests: KernelRequests;
  readonly #onSeen: (activity: "busy" | "idle") => void;
  #isOver = false;

  /** Sends the request. `onSeen` is called with the activity that the reply, or a missing reply, implies. */
  constructor(requests: KernelRequests, onSeen: (activity: "busy" | "idle") => void) {
    this.#requests = requests;
    this.#onSeen = onSeen;
    this.passed = requests.request("shell", "kernel_info_request", {}, { idle: true });
    this.passed.then(
      () => {
        this.#isOver = true;
        onSeen("idle");
      },
      () => {
        this.#isOver = true;
      },
    );
  }

  /** The kernel's first reply. Also sends a request on the control channel, where a busy kernel replies, too. */
  introduction(): Promise<IncomingMessage> {
    return Promise.any([this.passed, this.#requests.request("control", "kernel_info_request", {})]);
  }

  /** Reports the kernel as busy if it has not replied, because an idle kernel would have. */
  expect(): void {
    if (!this.#isOver) {
      this.#onSeen("busy");
    }
  }
}
