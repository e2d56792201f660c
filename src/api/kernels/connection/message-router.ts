import { errorMessage } from "../../error-message.ts";
import type { Log } from "../../http/log.ts";
import type { ExecutionTable } from "../executions/execution-table.ts";
import { captureOf } from "../recorder/output-captures.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { stringField } from "../wire/message-codec.ts";
import { commOf } from "../wire/message-events.ts";
import type { CommMessage } from "./comms.ts";
import type { KernelActivity, KernelEnd } from "./connection-state.ts";
import { isInternal, isThreadOutput } from "./kernel-requests.ts";

/** The receivers of each kind of message. */
export interface MessageRoutes {
  /** A reply or status of an internal request of this client. */
  onInternal(message: IncomingMessage): void;
  onExecution(message: IncomingMessage): void;
  /** A message of an execution of an earlier window that has not been resumed yet. */
  onUnclaimed(message: IncomingMessage): void;
  onForeign(message: IncomingMessage): void;
  onComm(message: CommMessage): void;
  onActivity(activity: KernelActivity): void;
  /** Every published message, before it is passed on. */
  onPublished(message: IncomingMessage): void;
  /** The server reports that it drops output of the message's execution. */
  onDropped(message: IncomingMessage): void;
  /** The kernel's process was replaced. */
  onRestarted(by: "process" | "server"): void;
  onEnded(end: KernelEnd): void;
}

/** Start of the two messages with which Jupyter Server reports dropped output. */
const dropNotice = /^IOPub (?:message|data) rate exceeded/;
const activities: ReadonlySet<string> = new Set(["starting", "idle", "busy", "restarting", "dead"]);

interface MessageRouterParts {
  readonly kernelId: string;
  readonly sessionId: string;
  readonly table: ExecutionTable;
  readonly log: Log;
}

/** Passes each message to the receiver for its kind. */
export class MessageRouter {
  readonly #kernelId: string;
  readonly #sessionId: string;
  readonly #table: ExecutionTable;
  readonly #log: Log;
  readonly #routes: MessageRoutes;

  constructor({ kernelId, sessionId, table, log }: MessageRouterParts, routes: MessageRoutes) {
    this.#kernelId = kernelId;
    this.#sessionId = sessionId;
    this.#table = table;
    this.#log = log;
    this.#routes = routes;
  }

  /** Handles messages in order. Skips invalid ones. */
  takeAll(messages: readonly IncomingMessage[]): void {
    for (const message of messages) {
      try {
        this.#take(message);
      } catch (error) {
        this.#log.warn(`kernel ${this.#kernelId}: ${errorMessage(error)}`);
      }
    }
  }

  #take(message: IncomingMessage): void {
    const { channel } = message;
    if (channel === "iopub") {
      this.#routes.onPublished(message);
    }
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
      if (isThreadOutput(message)) {
        this.#routes.onExecution(message);
      }
      return;
    }
    if (channel === "iopub" && this.#takeNotice(message)) {
      return;
    }
    if (this.#table.recordOf(message) !== undefined || isThreadOutput(message)) {
      this.#routes.onExecution(message);
    } else if (this.#table.isUnclaimed(message.parentHeader?.msg_id ?? "")) {
      this.#routes.onUnclaimed(message);
    } else {
      this.#routes.onForeign(message);
    }
  }

  /** Routes the beginning or end of a capture in the same order as outputs, which may be held back. */
  #takeCapture(message: IncomingMessage): void {
    if (this.#table.recordOf(message) !== undefined) {
      this.#routes.onExecution(message);
    } else if (this.#table.isUnclaimed(message.parentHeader?.msg_id ?? "")) {
      this.#routes.onUnclaimed(message);
    }
  }

  /**
   * Handles messages about the kernel, and messages from the server, whose header has this client's session. Returns
   * true if no other route needs the message.
   */
  #takeNotice(message: IncomingMessage): boolean {
    const { header } = message;
    const isFromServer = header.session === this.#sessionId;
    switch (header.msg_type) {
      case "status": {
        const activity = stringField(message.content.execution_state);
        if (isActivity(activity)) {
          this.#takeActivity(activity, isFromServer);
        }
        return isFromServer;
      }
      case "stream":
        if (isFromServer && message.longText === undefined && dropNotice.test(stringField(message.content.text))) {
          this.#routes.onDropped(message);
          return true;
        }
        return false;
      case "shutdown_reply":
        if (message.content.restart === true) {
          this.#routes.onRestarted("process");
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
      this.#routes.onRestarted("server");
    } else if (isFromServer && activity === "dead") {
      this.#routes.onEnded("died");
    }
  }
}

function isActivity(text: string): text is KernelActivity {
  return activities.has(text);
}
