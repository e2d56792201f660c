import { randomFillSync } from "node:crypto";

/** Operation codes of frames (RFC 6455, 5.2). */
export const frameCodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A complete message with its fragments joined, or a control frame. */
export interface WebSocketMessage {
  readonly code: number;
  readonly data: Buffer;
}

/** The server violated the protocol or a limit. `closeCode` is the code of the close frame. */
export class FrameError extends Error {
  override readonly name = "FrameError";
  readonly closeCode: number;

  constructor(closeCode: number, message: string) {
    super(message);
    this.closeCode = closeCode;
  }
}

/** Limits for a message. An oversized frame is rejected by its declared length, before its content arrives. */
export interface MessageLimits {
  readonly bytes: number;
  readonly fragments: number;
}

interface FrameHeader {
  readonly isFinal: boolean;
  readonly code: number;
  readonly length: number;
}

/** A frame of more bytes is joined as its parts arrive, because joining them at its end needs its memory twice. */
const minLongFrameBytes = 1_000_000;

/** Parses frames from a server. Their bytes can arrive in parts of any size. */
export class FrameReader {
  readonly #limits: MessageLimits;
  readonly #parts: Buffer[] = [];
  #buffered = 0;
  #header: FrameHeader | undefined;
  /** The beginning of a long frame. */
  #long: { readonly data: Buffer; length: number } | undefined;
  #message: { readonly code: number; readonly fragments: Buffer[]; bytes: number } | undefined;

  constructor(limits: MessageLimits) {
    this.#limits = limits;
  }

  /** The messages that are complete after this part. Throws a FrameError. */
  read(part: Buffer): WebSocketMessage[] {
    this.#parts.push(part);
    this.#buffered += part.length;
    const messages: WebSocketMessage[] = [];
    for (;;) {
      this.#header ??= this.#readHeader();
      const header = this.#header;
      const data = header === undefined ? undefined : this.#contentOf(header);
      if (header === undefined || data === undefined) {
        return messages;
      }
      this.#header = undefined;
      const message = this.#take(header, data);
      if (message !== undefined) {
        messages.push(message);
      }
    }
  }

  #readHeader(): FrameHeader | undefined {
    const start = this.#peek(2);
    if (start === undefined) {
      return undefined;
    }
    const [first = 0, second = 0] = start;
    const short = second & 0x7f;
    const size = short === 127 ? 10 : short === 126 ? 4 : 2;
    const bytes = this.#peek(size);
    if (bytes === undefined) {
      return undefined;
    }
    const length = size === 2 ? short : size === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    const header = { isFinal: (first & 0x80) !== 0, code: first & 0x0f, length };
    if ((first & 0x70) !== 0 || (second & 0x80) !== 0) {
      throw new FrameError(1002, "the server sent a frame that uses an extension or a mask");
    }
    this.#check(header);
    this.#consume(size);
    return header;
  }

  #check({ code, isFinal, length }: FrameHeader): void {
    if (code >= frameCodes.close) {
      if (code > frameCodes.pong || !isFinal || length > 125) {
        throw new FrameError(1002, "the server sent an invalid control frame");
      }
      return;
    }
    if (code > frameCodes.binary || (code === frameCodes.continuation) === (this.#message === undefined)) {
      throw new FrameError(1002, "the server sent frames in an invalid order");
    }
    if (length + (this.#message?.bytes ?? 0) > this.#limits.bytes) {
      throw new FrameError(1009, `the server sent a message of more than ${this.#limits.bytes} bytes`);
    }
    if ((this.#message?.fragments.length ?? 0) >= this.#limits.fragments) {
      throw new FrameError(1009, `the server sent a message of more than ${this.#limits.fragments} fragments`);
    }
  }

  #take({ code, isFinal }: FrameHeader, data: Buffer): WebSocketMessage | undefined {
    if (code >= frameCodes.close || (isFinal && this.#message === undefined)) {
      return { code, data };
    }
    this.#message ??= { code, fragments: [], bytes: 0 };
    this.#message.fragments.push(data);
    this.#message.bytes += data.length;
    if (!isFinal) {
      return undefined;
    }
    const message = this.#message;
    this.#message = undefined;
    const [only] = message.fragments;
    const isWhole = message.fragments.length === 1 && only !== undefined;
    return { code: message.code, data: isWhole ? only : Buffer.concat(message.fragments) };
  }

  /** The content of a frame; undefined while it is incomplete. */
  #contentOf({ length }: FrameHeader): Buffer | undefined {
    if (length < minLongFrameBytes) {
      return this.#buffered < length ? undefined : this.#consume(length);
    }
    this.#long ??= { data: Buffer.allocUnsafeSlow(length), length: 0 };
    const { data } = this.#long;
    while (this.#buffered > 0 && this.#long.length < length) {
      const part = this.#consume(Math.min(this.#parts[0]?.length ?? 0, length - this.#long.length));
      part.copy(data, this.#long.length);
      this.#long.length += part.length;
    }
    if (this.#long.length < length) {
      return undefined;
    }
    this.#long = undefined;
    return data;
  }

  #peek(length: number): Buffer | undefined {
    const [first] = this.#parts;
    if (this.#buffered < length || first === undefined) {
      return undefined;
    }
    if (first.length >= length) {
      return first;
    }
    const joined = Buffer.concat(this.#parts);
    this.#parts.splice(0, this.#parts.length, joined);
    return joined;
  }

  #consume(length: number): Buffer {
    this.#buffered -= length;
    const taken: Buffer[] = [];
    let missing = length;
    let count = 0;
    for (const part of this.#parts) {
      if (missing < part.length) {
        break;
      }
      taken.push(part);
      missing -= part.length;
      count += 1;
    }
    const rest = this.#parts[count];
    this.#parts.splice(0, count);
    if (missing > 0 && rest !== undefined) {
      taken.push(rest.subarray(0, missing));
      this.#parts[0] = rest.subarray(missing);
    }
    const [only] = taken;
    return taken.length === 1 && only !== undefined ? only : Buffer.concat(taken);
  }
}

/** Creates a masked client frame with a complete message (RFC 6455, 5.3). */
export function frameOf(code: number, data: Uint8Array): Buffer {
  const { length } = data;
  const size = length > 0xffff ? 10 : length > 125 ? 4 : 2;
  const frame = Buffer.allocUnsafe(size + 4 + length);
  frame[0] = 0x80 | code;
  if (size === 2) {
    frame[1] = 0x80 | length;
  } else if (size === 4) {
    frame[1] = 0x80 | 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 0x80 | 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  randomFillSync(frame, size, 4);
  for (let position = 0; position < length; position += 1) {
    frame[size + 4 + position] = (data[position] ?? 0) ^ (frame[size + (position & 3)] ?? 0);
  }
  return frame;
}
