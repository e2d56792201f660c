import type { ExecutionTable } from "../executions/execution-table.ts";
import { captureOf } from "../recorder/output-captures.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { textOf } from "../wire/message-codec.ts";
import { commOf, isOutput } from "../wire/message-events.ts";
import type { CommMessage } from "./comms.ts";
import type { KernelActivity, KernelEnd } from "./connection-state.ts";
import { isInternal } from "./kernel-requests.ts";

/** Where each kind of message goes. */
export interface MessageRoutes {
  /** The reply or state of a request of this client that belongs to no cell. */
  onInternal(message: IncomingMessage): void;
  onExecution(message: IncomingMessage): void;
  /** Of an execution of an earlier window that was not resumed yet. */
  onUnclaimed(message: IncomingMessage): void;
  onForeign(message: IncomingMessage): void;
  onComm(message: CommMessage): void;
  onActivity(activity: KernelActivity): void;
  /** The server says that it drops output of the message's execution. */
  onDropped(message: IncomingMessage): void;
  /** The kernel's process was replaced. */
  onRestarted(): void;
  onEnded(end: KernelEnd): void;
}

/** Begins the two texts with which Jupyter Server says that it drops output. */
const dropNotice = /^IOPub (?:message|data) rate exceeded/;
const activities: ReadonlySet<string> = new Set(["starting", "idle", "busy", "restarting", "dead"]);

/** Finds out what a message is about. */
export class MessageRouter {
  readonly #sessionId: string;
  readonly #table: ExecutionTable;
  readonly #routes: MessageRoutes;

  constructor(sessionId: string, table: ExecutionTable, routes: MessageRoutes) {
    this.#sessionId = sessionId;
    this.#table = table;
    this.#routes = routes;
  }

  take(message: IncomingMessage): void {
    const { header, channel } = message;
    const comm = commOf(message);
    if (comm !== undefined) {
      this.#routes.onComm(comm);
      if (captureOf(message) !== undefined) {
        this.#takeCapture(message);
      }
      return;
    }
    if (isInternal(message)) {
      this.#routes.onInternal(message);
      if (isOutput(header.msg_type)) {
        // A thread of a cell wrote while the kernel was busy with such a request.
        this.#routes.onExecution(message);
      }
      return;
    }
    if (channel === "iopub" && this.#takeNotice(message)) {
      return;
    }
    if (this.#table.recordOf(message) !== undefined) {
      this.#routes.onExecution(message);
    } else if (this.#table.isUnclaimed(message.parentHeader?.msg_id ?? "")) {
      this.#routes.onUnclaimed(message);
    } else {
      this.#routes.onForeign(message);
    }
  }

  /** A widget begins or ends to catch output: it is taken in order with the outputs, which may be held back. */
  #takeCapture(message: IncomingMessage): void {
    if (this.#table.recordOf(message) !== undefined) {
      this.#routes.onExecution(message);
    } else if (this.#table.isUnclaimed(message.parentHeader?.msg_id ?? "")) {
      this.#routes.onUnclaimed(message);
    }
  }

  /** What is about the kernel, or from the server itself: that has this client's own session in its header. */
  #takeNotice(message: IncomingMessage): boolean {
    const { header, content } = message;
    const isFromServer = header.session === this.#sessionId;
    switch (header.msg_type) {
      case "status": {
        const activity = textOf(content.execution_state);
        if (isActivity(activity)) {
          this.#takeActivity(activity, isFromServer);
        }
        return isFromServer;
      }
      case "stream":
        if (isFromServer && dropNotice.test(textOf(content.text))) {
          this.#routes.onDropped(message);
          return true;
        }
        return false;
      case "shutdown_reply":
        if (content.restart === true) {
          this.#routes.onRestarted();
        } else {
          this.#routes.onEnded("shutDown");
        }
        return true;
      default:
        return false;
    }
  }

  #takeActivity(activity: KernelActivity, isFromServer: boolean): void {
    this.#routes.onActivity(activity);
    if (isFromServer && activity === "restarting") {
      this.#routes.onRestarted();
    } else if (isFromServer && activity === "dead") {
      this.#routes.onEnded("died");
    }
  }
}

function isActivity(text: string): text is KernelActivity {
  return activities.has(text);
}
