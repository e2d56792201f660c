import { randomUUID } from "node:crypto";
import { type Clock, systemClock } from "../../clock.ts";
import { phrase, type Text } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import type { Fields, IncomingMessage, KernelChannel, MessageHeader, OutgoingMessage } from "../wire/kernel-message.ts";
import { stringField } from "../wire/message-codec.ts";
import { isOutput } from "../wire/message-events.ts";

/**
 * Prefix of the ids of this client's own requests, which belong to no cell. The recorder does not keep their messages.
 */
export const internalPrefix = "platform-workbench-";

/** The connection broke or the kernel ended before a reply arrived. */
export class ReplyLostError extends WordedError {
  override readonly name = "ReplyLostError";
}

/** Maximum number of attempts per request. */
const maxAttempts = 20;
/** Maximum number of obsolete attempts whose replies are still handled. */
const maxLateReplies = 100;
/** Milliseconds to wait for the reply after the idle status, or for the idle status after the reply. */
const otherHalfTimeoutMs = 2000;
/** Milliseconds to wait for the reply to a request that even a busy kernel replies to. */
const responseTimeoutMs = 5000;
/** Number of attempts before the waiting times grow, up to `longestWait` milliseconds. */
const quickAttempts = 6;
const maxWaitMs = 60_000;

/** Options of a request. */
export interface RequestOptions {
  /** Id of the subshell that handles the request. */
  readonly subshell?: string | undefined;
  /** True to also wait for the idle status. By then, everything that the kernel published before has arrived. */
  readonly idle?: boolean;
  /** Called for an extra reply, if the request was sent again even though the kernel had received it. */
  readonly onLateReply?: (reply: IncomingMessage) => void;
}

interface Request {
  readonly channel: KernelChannel;
  readonly type: string;
  readonly content: Fields;
  readonly options: RequestOptions;
  /** In the order in which they were sent. */
  readonly attempts: Attempt[];
  cancelWait: () => void;
  resolve(reply: IncomingMessage): void;
  reject(error: Error): void;
}

interface Attempt {
  readonly request: Request;
  readonly messageId: string;
  reply: IncomingMessage | undefined;
  isIdle: boolean;
}

/**
 * Requests that belong to no cell, and their replies. A reply can get lost while the socket stays open, because a
 * server that still has an earlier socket with the same `session_id` sends some replies there. Therefore, requests
 * without a reply are sent again.
 */
export class KernelRequests {
  readonly #send: (message: OutgoingMessage) => boolean;
  readonly #sessionId: string;
  readonly #clock: Clock;
  readonly #pending = new Map<string, Attempt>();
  /**
   * Handlers of replies to obsolete attempts, by message id. The server can deliver such a reply after reconnecting.
   */
  readonly #lateReplyHandlers = new Map<string, (reply: IncomingMessage) => void>();
  /** Ids of subshells that are no longer needed, and whose deletion the kernel has not confirmed. */
  readonly #endedSubshells = new Set<string>();
  /** Id of the subshell of each request that a subshell has not handled yet, by message id. */
  readonly #subshellRequests = new Map<string, string>();

  constructor(sessionId: string, send: (message: OutgoingMessage) => boolean, clock: Clock = systemClock) {
    this.#sessionId = sessionId;
    this.#send = send;
    this.#clock = clock;
  }

  /** True if no reply is awaited. */
  get isQuiet(): boolean {
    return this.#pending.size === 0;
  }

  /** Creates the header of a message from this client. */
  header(type: string, messageId: string = internalPrefix + randomUUID()): MessageHeader & Fields {
    return {
      msg_id: messageId,
      msg_type: type,
      session: this.#sessionId,
      username: "",
      version: "5.4",
      date: new Date().toISOString(),
    };
  }

  /**
   * Sends an idempotent request and resolves with its reply. Sends it again if there is no reply, or if the kernel
   * aborts it because an earlier cell failed. Rejects with a ReplyLostError.
   */
  request(
    channel: KernelChannel,
    type: string,
    content: Fields,
    options: RequestOptions = {},
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const cancelWait = (): void => {};
      this.#attempt({ channel, type, content, options, attempts: [], cancelWait, resolve, reject });
    });
  }

  #attempt(request: Request): void {
    const { channel, type, content, options, attempts } = request;
    const { subshell } = options;
    const header = { ...this.header(type), ...(subshell === undefined ? {} : { subshell_id: subshell }) };
    const attempt: Attempt = { request, messageId: header.msg_id, reply: undefined, isIdle: false };
    attempts.push(attempt);
    this.#pending.set(header.msg_id, attempt);
    try {
      if (!this.#send({ channel, header, content })) {
        throw new ReplyLostError(phrase`The kernel isn't connected.`);
      }
    } catch (error) {
      this.#deleteRequest(request);
      request.reject(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (subshell !== undefined) {
      this.#subshellRequests.set(header.msg_id, subshell);
    }
    if (channel === "control" || subshell !== undefined) {
      this.#repeatAfter(responseTimeoutMs, request);
    }
  }

  #repeatAfter(milliseconds: number, request: Request): void {
    const count = request.attempts.length;
    request.cancelWait();
    if (count < maxAttempts) {
      const wait = Math.min(maxWaitMs, milliseconds * 2 ** Math.max(0, count - quickAttempts));
      request.cancelWait = this.#clock.schedule(wait, () => this.#attempt(request));
    }
  }

  /**
   * Creates a subshell, which replies even if the kernel is busy. Resolves with its id; undefined if the kernel doesn't
   * create one. Rejects with a ReplyLostError.
   */
  async createSubshell(): Promise<string | undefined> {
    for (const subshell of this.#endedSubshells) {
      this.#requestDeletion(subshell);
    }
    const onLateReply = (reply: IncomingMessage): void => this.deleteSubshell(stringField(reply.content.subshell_id));
    const { content } = await this.request("control", "create_subshell_request", {}, { onLateReply });
    return stringField(content.subshell_id) || undefined;
  }

  /**
   * Deletes a subshell as soon as it has handled its requests, because Python prints a warning in a cell for unfinished
   * ones. If the connection breaks, it is deleted before the next one is created.
   */
  deleteSubshell(subshell: string): void {
    this.#endedSubshells.add(subshell);
    if (![...this.#subshellRequests.values()].includes(subshell)) {
      this.#requestDeletion(subshell);
    }
  }

  #requestDeletion(subshell: string): void {
    this.request("control", "delete_subshell_request", { subshell_id: subshell }).then(
      () => this.#endedSubshells.delete(subshell),
      () => {},
    );
  }

  /** Records that a subshell has handled a request. */
  #leaveSubshell(messageId: string): void {
    const subshell = this.#subshellRequests.get(messageId);
    if (subshell !== undefined && this.#subshellRequests.delete(messageId) && this.#endedSubshells.has(subshell)) {
      this.deleteSubshell(subshell);
    }
  }

  /** Handles a message whose parent is one of these requests. */
  handle(message: IncomingMessage): void {
    const id = message.parentHeader?.msg_id ?? "";
    const { channel, header } = message;
    const isIdle = channel === "iopub" && header.msg_type === "status" && message.content.execution_state === "idle";
    const attempt = this.#pending.get(id);
    if (attempt !== undefined) {
      this.#handleReply(attempt, message, isIdle);
    } else {
      this.#handleLateReply(id, message);
    }
    if (isIdle) {
      this.#leaveSubshell(id);
    }
  }

  #handleReply(attempt: Attempt, message: IncomingMessage, isIdleStatus: boolean): void {
    const id = attempt.messageId;
    if (message.channel === "iopub") {
      attempt.isIdle ||= isIdleStatus;
    } else {
      attempt.reply = message;
    }
    const { reply, request, isIdle } = attempt;
    if (reply === undefined || (request.options.idle === true && !isIdle)) {
      if (reply !== undefined || isIdle) {
        this.#repeatAfter(otherHalfTimeoutMs, request);
      }
      return;
    }
    if (isAborted(reply) && request.attempts.length < maxAttempts) {
      this.#pending.delete(id);
      this.#attempt(request);
      return;
    }
    this.#deleteRequest(request);
    request.resolve(reply);
  }

  /** Rejects all pending requests, because their replies will not come. */
  lose(reason: Text): void {
    const requests = new Set([...this.#pending.values()].map(({ request }) => request));
    for (const request of requests) {
      this.#deleteRequest(request);
    }
    this.#subshellRequests.clear();
    for (const request of requests) {
      request.reject(new ReplyLostError(reason));
    }
  }

  /** Stops waiting for replies. */
  #deleteRequest({ attempts, cancelWait, options }: Request): void {
    cancelWait();
    for (const { messageId, reply } of attempts) {
      if (this.#pending.delete(messageId) && reply === undefined && options.onLateReply !== undefined) {
        this.#lateReplyHandlers.set(messageId, options.onLateReply);
      }
    }
    for (const messageId of [...this.#lateReplyHandlers.keys()].slice(0, -maxLateReplies)) {
      this.#lateReplyHandlers.delete(messageId);
    }
  }

  #handleLateReply(id: string, message: IncomingMessage): void {
    const onLateReply = message.channel === "iopub" ? undefined : this.#lateReplyHandlers.get(id);
    if (onLateReply !== undefined) {
      this.#lateReplyHandlers.delete(id);
      onLateReply(message);
    }
  }
}

/** True if the kernel aborted the request. Without subshells, it aborts everything after a failed cell. */
function isAborted(reply: IncomingMessage): boolean {
  try {
    return stringField(reply.content.status).startsWith("abort");
  } catch {
    // The caller gets the error when it accesses the content.
    return false;
  }
}

/** True for messages of internal requests, of this window or another one. */
export function isInternal({ parentHeader }: IncomingMessage): boolean {
  return parentHeader?.msg_id.startsWith(internalPrefix) ?? false;
}

/**
 * True for output that a thread of a cell wrote while the kernel handled a request that writes none: an internal one, or
 * one for the kernel's information, which the server sends for each new connection. The kernel names it as the parent.
 */
export function isThreadOutput(message: IncomingMessage): boolean {
  const isOfRequest = isInternal(message) || message.parentHeader?.msg_type === "kernel_info_request";
  return isOfRequest && isOutput(message.header.msg_type);
}
