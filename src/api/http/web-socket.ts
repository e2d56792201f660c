import { createHash, randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import { errorMessage } from "../error-message.ts";
import { PromptAcknowledgments } from "./prompt-acknowledgments.ts";
import { FrameError, FrameReader, frameCodes, frameOf, type MessageLimits } from "./web-socket-frames.ts";

/** A message from the server. */
export interface SocketMessage {
  readonly isText: boolean;
  readonly data: Buffer;
}

/** The end of a socket. Without a `code`, the connection broke, and messages may be lost. */
export interface SocketEnd {
  readonly code: number | undefined;
  readonly reason: string;
}

export interface SocketListener {
  /**
   * Called with messages that arrived together. While a returned promise is pending, reading pauses, which makes the
   * server wait.
   */
  onMessages(messages: readonly SocketMessage[]): void | Promise<void>;
  /**
   * True while something waits for messages. What arrives meanwhile is acknowledged at once, so that servers don't
   * hold the next message back. Default: never.
   */
  awaitsMessages?(): boolean;
  /** Called when the server has answered a ping. Its messages from before have been passed on. */
  onPong?(): void;
  /** Called once, including after `close` and `destroy`. */
  onEnd(end: SocketEnd): void;
}

/** The headers of a WebSocket request, and the check of its response. */
export interface SocketHandshake {
  readonly headers: Readonly<Record<string, string>>;
  /** Why the response headers are invalid; undefined if they are valid. */
  refusal(headers: Readonly<Record<string, string>>): string | undefined;
}

/** The value that servers append to the key (RFC 6455, 1.3). */
const keySuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Creates the handshake of a WebSocket without extensions. `protocols` are in order of preference. */
export function socketHandshake(protocols: readonly string[]): SocketHandshake {
  const key = randomBytes(16).toString("base64");
  const accepted = createHash("sha1")
    .update(key + keySuffix)
    .digest("base64");
  return {
    headers: {
      "sec-websocket-version": "13",
      "sec-websocket-key": key,
      ...(protocols.length === 0 ? {} : { "sec-websocket-protocol": protocols.join(", ") }),
    },
    refusal(headers) {
      const protocol = headers["sec-websocket-protocol"];
      if (headers["sec-websocket-accept"] !== accepted) {
        return "its answer is not that of a WebSocket server";
      }
      if (headers["sec-websocket-extensions"] !== undefined) {
        return "it uses a WebSocket extension that it was not offered";
      }
      return protocol === undefined || protocols.includes(protocol) ? undefined : "it chose an unknown subprotocol";
    },
  };
}

/** How long to wait for the server's close frame, in milliseconds. */
const closeTimeoutMs = 2000;

/**
 * A WebSocket over the byte stream of a completed handshake. A library was tried instead (docs/network.md): it needs
 * more memory for a large message, and blocks for seconds if that arrives in small parts.
 */
export class WebSocketConnection {
  readonly #stream: Duplex;
  readonly #listener: SocketListener;
  readonly #reader: FrameReader;
  readonly #acknowledgments: PromptAcknowledgments;
  #end: SocketEnd | undefined;
  #isClosing = false;
  #isPaused = false;
  #bytesReceived = 0;
  /** The data of the last ping that arrived while the server did not read what was sent to it. */
  #delayedPing: Buffer | undefined;

  constructor(stream: Duplex, listener: SocketListener, limits: MessageLimits) {
    this.#stream = stream;
    this.#listener = listener;
    this.#reader = new FrameReader(limits);
    this.#acknowledgments = new PromptAcknowledgments(() => listener.awaitsMessages?.() === true);
    stream.on("data", (part: Buffer) => this.#take(part));
    stream.on("error", (error) => this.#finish({ code: undefined, reason: error.message }));
    stream.on("end", () => this.#finish({ code: undefined, reason: "the server ended the connection" }));
    stream.on("close", () => this.#finish({ code: undefined, reason: "the connection broke" }));
  }

  /** Number of received bytes. Doesn't change while the socket is paused. */
  get bytesReceived(): number {
    return this.#bytesReceived;
  }

  /** True while the listener processes messages. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  send(data: string | Uint8Array): void {
    const isText = typeof data === "string";
    this.#write(isText ? frameCodes.text : frameCodes.binary, isText ? Buffer.from(data) : data);
  }

  ping(): void {
    this.#write(frameCodes.ping, Buffer.alloc(0));
  }

  /** Sends a close frame. The connection ends when the server replies, or after 2 seconds. */
  close(code = 1000): void {
    if (this.#isClosing) {
      return;
    }
    this.#write(frameCodes.close, closeBody(code));
    this.#isClosing = true;
    setTimeout(() => this.destroy(), closeTimeoutMs).unref();
  }

  /** Closes the connection immediately. */
  destroy(reason = "the connection was closed"): void {
    this.#finish({ code: undefined, reason });
    this.#stream.destroy();
  }

  #write(code: number, data: Uint8Array): void {
    if (this.#end === undefined && !this.#isClosing) {
      this.#stream.write(frameOf(code, data));
    }
  }

  /** Acknowledges received data, unless the server does not read. */
  #acknowledge(): void {
    if (!this.#stream.writableNeedDrain && this.#acknowledgments.take(performance.now())) {
      this.#write(frameCodes.pong, Buffer.alloc(0));
    }
  }

  /** Replies to a ping. While the server does not read, only the last ping gets a reply, as RFC 6455, 5.5.3 permits. */
  #reply(ping: Buffer): void {
    if (!this.#stream.writableNeedDrain) {
      this.#write(frameCodes.pong, ping);
      return;
    }
    if (this.#delayedPing === undefined) {
      this.#stream.once("drain", () => {
        const last = this.#delayedPing ?? Buffer.alloc(0);
        this.#delayedPing = undefined;
        this.#write(frameCodes.pong, last);
      });
    }
    this.#delayedPing = ping;
  }

  #take(part: Buffer): void {
    if (this.#end !== undefined) {
      return;
    }
    this.#bytesReceived += part.length;
    this.#acknowledge();
    const messages: SocketMessage[] = [];
    try {
      for (const { code, data } of this.#reader.read(part)) {
        switch (code) {
          case frameCodes.text:
          case frameCodes.binary:
            messages.push({ isText: code === frameCodes.text, data });
            break;
          case frameCodes.ping:
            this.#reply(data);
            break;
          case frameCodes.pong:
            if (this.#listener.onPong !== undefined) {
              this.#deliver(messages.splice(0));
              this.#listener.onPong();
            }
            break;
          case frameCodes.close:
            this.#deliver(messages);
            this.close(1000);
            this.#finish({
              code: data.length >= 2 ? data.readUInt16BE(0) : 1005,
              reason: data.toString("utf8", 2) || "the server closed the connection",
            });
            return;
        }
      }
    } catch (error) {
      this.close(error instanceof FrameError ? error.closeCode : 1002);
      this.destroy(errorMessage(error));
      return;
    }
    this.#deliver(messages);
  }

  #deliver(messages: readonly SocketMessage[]): void {
    const taken = messages.length === 0 ? undefined : this.#listener.onMessages(messages);
    if (taken === undefined) {
      return;
    }
    this.#isPaused = true;
    this.#stream.pause();
    const proceed = (): void => {
      this.#isPaused = false;
      this.#stream.resume();
    };
    taken.then(proceed, proceed);
  }

  #finish(end: SocketEnd): void {
    if (this.#end !== undefined) {
      return;
    }
    this.#end = end;
    if (this.#isClosing) {
      // Pending data, including the close frame, is still sent. `close` has set a timeout for that.
      this.#stream.end(() => this.#stream.destroy());
    } else {
      this.#stream.destroy();
    }
    this.#listener.onEnd(end);
  }
}

function closeBody(code: number): Buffer {
  const body = Buffer.alloc(2);
  body.writeUInt16BE(code);
  return body;
}
