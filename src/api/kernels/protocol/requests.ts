import { phrase, type Text } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import type { Fields, IncomingMessage, KernelChannel, MessageHeader } from "../wire/kernel-message.ts";
import { stringField } from "../wire/message-codec.ts";
import { isOutput } from "../wire/message-events.ts";
import { type Agenda, Awaited, run, type Steps, step } from "./agenda.ts";
import type { Link } from "./link.ts";
import { SubshellRequests } from "./subshell-requests.ts";

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
/** Number of attempts before the waiting times grow, up to `maxWaitMs`. */
const quickAttempts = 6;
const maxWaitMs = 60_000;
/**
 * Milliseconds to wait for the reply to a request on the main shell, which replies when it is idle. Each wait is twice as
 * long as the one before, up to a limit.
 */
const mainShellTimeoutMs = { first: 30_000, max: 600_000 };

/** Options of a request. */
interface RequestOptions {
  /** Id of the subshell that handles the request. */
  readonly subshell?: string | undefined;
  /** True for a request that isn't idempotent. Its reply is awaited until the kernel reports that it has handled it. */
  readonly isSentOnce?: boolean;
  /** True to also wait for the idle status. By then, everything that the kernel published before has arrived. */
  readonly idle?: boolean;
  /** Maximum number of attempts. The main shell has no limit, because it replies when it is idle. Default: 20. */
  readonly maxAttempts?: number;
  /** Called for an extra reply, if the request was sent again even though the kernel had received it. */
  readonly onLateReply?: (reply: IncomingMessage) => void;
  /** Binary data that is sent with the content. */
  readonly buffers?: readonly Uint8Array[];
}

interface Request {
  readonly number: number;
  readonly channel: KernelChannel;
  readonly type: string;
  readonly content: Fields;
  readonly options: RequestOptions;
  /** In the order in which they were sent. */
  readonly attempts: Attempt[];
  readonly reply: Awaited<IncomingMessage>;
  timer: number | undefined;
  /** Number of times that the kernel has aborted all attempts. */
  abortedRounds: number;
}

interface Attempt {
  readonly request: Request;
  readonly messageId: string;
  reply: IncomingMessage | undefined;
  isIdle: boolean;
}

/** Who sends: the socket's session, and what makes the ids of this connection unique. */
export interface Sender {
  readonly sessionId: string;
  readonly instance: string;
}

/**
 * Requests that belong to no cell, and their replies. A reply can get lost while the socket stays open, because a
 * server that still has an earlier socket with the same `session_id` sends some replies there. Therefore, requests
 * without a reply are sent again.
 */
export class KernelRequests {
  readonly #agenda: Agenda;
  readonly #link: Pick<Link, "send">;
  readonly #sender: Sender;
  /** Number of ids that were created. */
  #ids = 0;
  #last = 0;
  /** The requests without a reply, by their numbers. */
  readonly #requests = new Map<number, Request>();
  /** The attempts that a reply can settle, by message id. */
  readonly #pending = new Map<string, Attempt>();
  /**
   * Handlers of replies to obsolete attempts, by message id. The server can deliver such a reply after reconnecting.
   */
  readonly #lateReplyHandlers = new Map<string, (reply: IncomingMessage) => void>();
  readonly #subshells = new SubshellRequests();

  constructor(agenda: Agenda, link: Pick<Link, "send">, sender: Sender) {
    this.#agenda = agenda;
    this.#link = link;
    this.#sender = sender;
  }

  /** True if no reply is awaited. */
  get isQuiet(): boolean {
    return this.#pending.size === 0;
  }

  /** Number of requests without a reply, of their attempts, and of requests that a subshell has not handled. */
  get size(): number {
    return this.#requests.size + this.#pending.size + this.#subshells.size;
  }

  /** Creates the header of a message from this client. */
  header(type: string, messageId: string = this.#createId()): MessageHeader & Fields {
    return {
      msg_id: messageId,
      msg_type: type,
      session: this.#sender.sessionId,
      username: "",
      version: "5.4",
      date: new Date(this.#agenda.now).toISOString(),
    };
  }

  #createId(): string {
    this.#ids += 1;
    return `${internalPrefix}${this.#sender.instance}-${this.#ids}`;
  }

  /**
   * Sends an idempotent request. Sends it again if there is no reply, or if the kernel aborts it because an earlier cell
   * failed. Rejects with a ReplyLostError, also after the last attempt.
   */
  request(
    channel: KernelChannel,
    type: string,
    content: Fields,
    options: RequestOptions = {},
  ): Awaited<IncomingMessage> {
    const reply = new Awaited<IncomingMessage>(this.#agenda);
    this.#last += 1;
    const number = this.#last;
    const request: Request = {
      number,
      channel,
      type,
      content,
      options,
      attempts: [],
      reply,
      timer: undefined,
      abortedRounds: 0,
    };
    this.#requests.set(number, request);
    this.#attempt(request);
    return reply;
  }

  /** Sends a request again, because its reply has not arrived in time. */
  repeat(number: number): void {
    const request = this.#requests.get(number);
    if (request === undefined) {
      return;
    }
    request.timer = undefined;
    const { attempts, options } = request;
    const isLast = options.isSentOnce === true || attempts.length >= (options.maxAttempts ?? maxAttempts);
    if (!isLast || (isForMainShell(request) && options.isSentOnce !== true)) {
      this.#attempt(request);
    } else {
      this.#deleteRequest(request);
      request.reply.reject(new ReplyLostError(phrase`The kernel didn't reply.`));
    }
  }

  #attempt(request: Request): void {
    const { channel, type, content, options, attempts } = request;
    const { subshell, buffers = [] } = options;
    const header = { ...this.header(type), ...(subshell === undefined ? {} : { subshell_id: subshell }) };
    const attempt: Attempt = { request, messageId: header.msg_id, reply: undefined, isIdle: false };
    attempts.push(attempt);
    this.#pending.set(header.msg_id, attempt);
    try {
      if (!this.#link.send({ channel, header, content, buffers })) {
        throw new ReplyLostError(phrase`The kernel isn't connected.`);
      }
    } catch (error) {
      this.#deleteRequest(request);
      request.reply.reject(error);
      return;
    }
    if (subshell !== undefined) {
      this.#subshells.add(header.msg_id, subshell);
    }
    if (options.isSentOnce === true) {
      return;
    }
    if (isForMainShell(request)) {
      const { first, max } = mainShellTimeoutMs;
      this.#repeatIn(Math.min(max, first * 2 ** Math.min(10, attempts.length - 1)), request);
    } else {
      this.#repeatAfter(responseTimeoutMs, request);
    }
  }

  #repeatAfter(delayMs: number, request: Request): void {
    const slower = 2 ** Math.min(10, Math.max(0, request.attempts.length - quickAttempts));
    this.#repeatIn(Math.min(maxWaitMs, delayMs * slower), request);
  }

  #repeatIn(waitMs: number, request: Request): void {
    this.#agenda.cancelTimer(request.timer);
    request.timer = this.#agenda.setTimer({ name: "repeatRequest", request: request.number }, waitMs);
  }

  /**
   * Creates a subshell, which replies even if the kernel is busy. Its id; undefined if the kernel doesn't create one.
   * Throws a ReplyLostError.
   */
  *createSubshell(): Steps<string | undefined> {
    for (const subshell of this.#subshells.ended) {
      this.#requestDeletion(subshell);
    }
    const onLateReply = (reply: IncomingMessage): void => this.deleteSubshell(stringField(reply.content.subshell_id));
    const { content } = yield* step(this.request("control", "create_subshell_request", {}, { onLateReply }));
    return stringField(content.subshell_id) || undefined;
  }

  /**
   * Deletes a subshell as soon as it has handled its requests, because Python prints a warning in a cell for unfinished
   * ones. If the connection breaks, it is deleted before the next one is created.
   */
  deleteSubshell(subshell: string): void {
    if (this.#subshells.end(subshell)) {
      this.#requestDeletion(subshell);
    }
  }

  #requestDeletion(subshell: string): void {
    this.request("control", "delete_subshell_request", { subshell_id: subshell }).onResult(() =>
      this.#subshells.deleted(subshell),
    );
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
    // Either can get lost.
    const done = isIdle || channel === "shell" ? this.#subshells.handled(id) : undefined;
    if (done !== undefined) {
      this.#requestDeletion(done);
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
    if (isAborted(reply)) {
      this.#pending.delete(id);
      if (request.attempts.some(({ messageId }) => this.#pending.has(messageId))) {
        return;
      }
      request.abortedRounds += 1;
      if (request.abortedRounds < maxAttempts) {
        this.#attempt(request);
        return;
      }
    }
    this.#deleteRequest(request);
    // The first reply has the state before the request changed it.
    const first = request.attempts.find((one) => one.reply !== undefined && !isAborted(one.reply));
    request.reply.resolve(first?.reply ?? reply);
  }

  /** Rejects all pending requests, because their replies will not come. */
  lose(reason: Text): void {
    const requests = [...this.#requests.values()];
    for (const request of requests) {
      this.#deleteRequest(request);
    }
    this.#subshells.lose();
    for (const { reply } of requests) {
      reply.reject(new ReplyLostError(reason));
    }
  }

  /** Rejects all pending requests, because the kernel's process ended, and its subshells with it. */
  drop(reason: Text): void {
    this.#subshells.drop();
    this.lose(reason);
  }

  /** Ends a request. Replies to its obsolete attempts may still come. */
  #deleteRequest(request: Request): void {
    const { number, attempts, options, timer } = request;
    this.#agenda.cancelTimer(timer);
    this.#requests.delete(number);
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

  /** Starts to create a subshell. */
  startSubshell(): Awaited<string | undefined> {
    return run(this.#agenda, this.createSubshell());
  }
}

function isForMainShell({ channel, options }: Request): boolean {
  return channel === "shell" && options.subshell === undefined;
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
