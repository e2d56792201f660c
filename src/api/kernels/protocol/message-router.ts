import type { KernelActivity, KernelEnd } from "../connection/connection-state.ts";
import { debugEventType, type IncomingMessage, pushMessageType } from "../wire/kernel-message.ts";
import { stringField } from "../wire/message-codec.ts";
import { commOf } from "../wire/message-events.ts";
import type { Activity } from "./activity.ts";
import type { Agenda } from "./agenda.ts";
import type { Comms } from "./comms.ts";
import type { Executions } from "./execution/executions.ts";
import type { KernelProcess } from "./kernel-process.ts";
import { isCapture, type Output } from "./output.ts";
import type { Recovery } from "./recovery/recovery.ts";
import { isInternal, isThreadOutput, type KernelRequests } from "./requests.ts";

/** Start of the two messages with which Jupyter Server reports dropped output. */
const dropNotice = /^IOPub (?:message|data) rate exceeded/;
const activities: ReadonlySet<string> = new Set(["starting", "idle", "busy", "restarting", "dead"]);

/** What a message reports about the kernel's process. `restarted`: the server has replaced a lost process. */
export type ProcessNotice = { readonly type: "restarted" } | { readonly type: "ended"; readonly end: KernelEnd };

interface RouterParts {
  readonly agenda: Agenda;
  readonly sessionId: string;
  readonly activity: Activity;
  readonly process: KernelProcess;
  readonly recovery: Recovery;
  readonly requests: KernelRequests;
  readonly comms: Comms;
  readonly executions: Executions;
  readonly output: Output;
}

/** Takes each message to what it belongs to: our own requests, comms, executions, other clients, or the kernel itself. */
export class MessageRouter {
  readonly #parts: RouterParts;

  constructor(parts: RouterParts) {
    this.#parts = parts;
  }

  /** Throws an error if the message is invalid. */
  route(message: IncomingMessage): ProcessNotice | undefined {
    const { agenda, sessionId, process, recovery, requests, comms, executions, output } = this.#parts;
    process.noteSession(message.header.session, sessionId);
    const isPublished = message.channel === "iopub";
    if (isPublished) {
      recovery.notePublished(message);
    }
    if (message.channel === "control" && message.header.msg_type === pushMessageType) {
      agenda.add({ type: "emit", event: { name: "push", value: message } });
      return undefined;
    }
    if (isPublished && message.header.msg_type === debugEventType) {
      agenda.add({ type: "emit", event: { name: "debugEvent", value: message } });
      return undefined;
    }
    const comm = commOf(message);
    if (comm !== undefined) {
      agenda.add({ type: "emit", event: { name: "comm", value: comm } });
      comms.handleReply(comm);
      if (isCapture(message)) {
        // In the same order as outputs, which may be held back.
        this.#takeToExecution(message);
      }
      return undefined;
    }
    if (isPublished && this.#isDropNotice(message)) {
      recovery.noticeDrop(message, { type: "rateLimit" });
      return undefined;
    }
    if (isInternal(message)) {
      requests.handle(message);
      comms.handle(message);
      if (isThreadOutput(message)) {
        output.take(message);
      }
      return undefined;
    }
    const { msg_type, session } = message.header;
    if (isPublished && msg_type === "shutdown_reply") {
      return this.#noticeShutdown(message);
    }
    const notice = isPublished && msg_type === "status" ? this.#noticeStatus(message) : undefined;
    if (notice !== undefined || (isPublished && msg_type === "status" && session === sessionId)) {
      return notice;
    }
    if (!this.#takeToExecution(message)) {
      if (isThreadOutput(message)) {
        output.take(message);
      } else {
        executions.deliveries.takeForeign(message);
      }
    }
    return undefined;
  }

  /** Returns false if the message belongs to no execution of this client. */
  #takeToExecution(message: IncomingMessage): boolean {
    const { executions, output } = this.#parts;
    if (executions.recordOf(message) !== undefined) {
      output.take(message);
      return true;
    }
    const isUnclaimed = executions.isUnclaimed(message.parentHeader?.msg_id ?? "");
    if (isUnclaimed) {
      output.takeUnclaimed(message);
    }
    return isUnclaimed;
  }

  /** True for a notice of the server that it drops output, whichever request it belongs to. */
  #isDropNotice({ header, content, longText }: IncomingMessage): boolean {
    return (
      header.msg_type === "stream" &&
      header.session === this.#parts.sessionId &&
      longText === undefined &&
      dropNotice.test(stringField(content.text))
    );
  }

  #noticeShutdown({ content }: IncomingMessage): ProcessNotice | undefined {
    if (content.restart === true) {
      this.#parts.process.replaced();
      return undefined;
    }
    return { type: "ended", end: "shutDown" };
  }

  /** The headers of messages from the server have this client's session. */
  #noticeStatus({ header, content }: IncomingMessage): ProcessNotice | undefined {
    const activity = stringField(content.execution_state);
    if (!isActivity(activity)) {
      return undefined;
    }
    this.#parts.activity.report(activity);
    if (header.session !== this.#parts.sessionId) {
      return undefined;
    }
    switch (activity) {
      case "restarting":
        return { type: "restarted" };
      case "dead":
        return { type: "ended", end: "died" };
      default:
        return undefined;
    }
  }
}

function isActivity(text: string): text is KernelActivity {
  return activities.has(text);
}
