import { randomUUID } from "node:crypto";
import { phrase, type Text } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import type { Fields, IncomingMessage, KernelChannel, MessageHeader, OutgoingMessage } from "../wire/kernel-message.ts";
import { textOf } from "../wire/message-codec.ts";

/** What the ids of this client's own requests begin with: they belong to no cell, and no recorder keeps them. */
export const internalPrefix = "platform-workbench-";

/** The connection broke, or the kernel ended, before a reply came. */
export class ReplyLostError extends WordedError {
  override readonly name = "ReplyLostError";
}

/** How often a request is sent at the most that the kernel drops because a cell before it failed. */
const mostAttempts = 20;

interface Request {
  readonly channel: KernelChannel;
  readonly type: string;
  readonly content: Fields;
  readonly subshell: string | undefined;
  readonly waitsForIdle: boolean;
  resolve(reply: IncomingMessage): void;
  reject(error: Error): void;
}

interface Pending {
  readonly request: Request;
  readonly attempt: number;
  reply: IncomingMessage | undefined;
  isIdle: boolean;
}

/** Requests that belong to no cell, with their replies. */
export class KernelRequests {
  readonly #send: (message: OutgoingMessage) => boolean;
  readonly #sessionId: string;
  readonly #pending = new Map<string, Pending>();

  constructor(sessionId: string, send: (message: OutgoingMessage) => boolean) {
    this.#sessionId = sessionId;
    this.#send = send;
  }

  /** A header for a message that this client sends. */
  header(type: string, messageId: string = internalPrefix + randomUUID()): MessageHeader & Fields {
    return {
      ...{ msg_id: messageId, msg_type: type, session: this.#sessionId },
      ...{ username: "", version: "5.4", date: new Date().toISOString() },
    };
  }

  /**
   * Sends a request and gives its reply. With `idle` it waits, too, until the kernel reported that it is done with it: all
   * that the kernel had published until then has arrived. What the kernel aborts, because a cell before it failed, is sent
   * again. Rejects with a ReplyLostError.
   */
  request(
    channel: KernelChannel,
    type: string,
    content: Fields,
    { subshell, idle = false }: { readonly subshell?: string | undefined; readonly idle?: boolean } = {},
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      this.#attempt({ channel, type, content, subshell, waitsForIdle: idle, resolve, reject }, 1);
    });
  }

  #attempt(request: Request, attempt: number): void {
    const { channel, type, content, subshell } = request;
    const header = { ...this.header(type), ...(subshell === undefined ? {} : { subshell_id: subshell }) };
    this.#pending.set(header.msg_id, { request, attempt, reply: undefined, isIdle: false });
    if (!this.#send({ channel, header, content })) {
      this.#pending.delete(header.msg_id);
      request.reject(new ReplyLostError(phrase`The kernel is not connected.`));
    }
  }

  /** Takes a message whose parent is one of these requests. */
  take(message: IncomingMessage): void {
    const id = message.parentHeader?.msg_id ?? "";
    const pending = this.#pending.get(id);
    if (pending === undefined) {
      return;
    }
    if (message.channel === "iopub") {
      pending.isIdle ||= message.header.msg_type === "status" && message.content.execution_state === "idle";
    } else {
      pending.reply = message;
    }
    const { reply, request, attempt } = pending;
    if (reply === undefined || (request.waitsForIdle && !pending.isIdle)) {
      return;
    }
    this.#pending.delete(id);
    if (isAborted(reply) && attempt < mostAttempts) {
      this.#attempt(request, attempt + 1);
    } else {
      request.resolve(reply);
    }
  }

  /** Rejects all requests that wait: their replies will not come. */
  lose(reason: Text): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { request } of pending) {
      request.reject(new ReplyLostError(reason));
    }
  }
}

/** Without subshells a kernel drops, with what is queued behind a cell that failed, these requests, too. */
function isAborted(reply: IncomingMessage): boolean {
  try {
    return textOf(reply.content.status).startsWith("abort");
  } catch {
    // Who asked gets the error when the content is read.
    return false;
  }
}

/** True for a message that belongs to one of this client's own requests, or to another window's. */
export function isInternal({ parentHeader }: IncomingMessage): boolean {
  return parentHeader?.msg_id.startsWith(internalPrefix) ?? false;
}
