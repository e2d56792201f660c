import type { IncomingMessage } from "node:http";
import { isRejection, type Rejection } from "./rejections.ts";

interface ParsedBody {
  readonly value: unknown;
}

/** What checks a parsed body recurses once per level. */
const deepest = 100;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads a request's JSON body, at most so many bytes of it and no longer than the signal lasts. */
export async function readJsonBody(
  request: IncomingMessage,
  mostBytes: number,
  signal: AbortSignal,
): Promise<ParsedBody | Rejection> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers["content-type"] ?? "")) {
    return { rejection: "notJsonType" };
  }
  if (request.headers["content-encoding"] !== undefined) {
    return { rejection: "notJsonType" };
  }
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) {
    return { rejection: "bodyTooLarge" };
  }
  const bytes = await readBytes(request, mostBytes, signal);
  if (isRejection(bytes)) {
    return bytes;
  }
  if (nestsDeeply(bytes)) {
    return { rejection: "invalidRequest", reason: `the body is nested more than ${deepest} deep` };
  }
  try {
    return { value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return { rejection: "invalidRequest", reason: "the body is no JSON" };
  }
}

/** Listens to the request rather than iterating over it: that would destroy the connection before there is an answer. */
function readBytes(request: IncomingMessage, mostBytes: number, signal: AbortSignal): Promise<Buffer | Rejection> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const end = (outcome: Buffer | Rejection): void => {
      request.off("data", take).off("end", finish).off("close", cut).off("error", cut);
      signal.removeEventListener("abort", late);
      if (isRejection(outcome)) {
        request.pause();
      }
      resolve(outcome);
    };
    const take = (part: Buffer): void => {
      size += part.length;
      if (size > mostBytes) {
        end({ rejection: "bodyTooLarge" });
      } else {
        parts.push(part);
      }
    };
    const finish = (): void => end(Buffer.concat(parts));
    const cut = (): void => end({ rejection: "invalidRequest", reason: "the body broke off" });
    const late = (): void => end({ rejection: "bodyTooSlow" });
    request.on("data", take).on("end", finish).on("close", cut).on("error", cut);
    signal.addEventListener("abort", late, { once: true });
    if (signal.aborted) {
      late();
    }
  });
}

/** Whether JSON has more levels than allowed. The result for invalid JSON does not matter. */
function nestsDeeply(json: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let position = 0; position < json.length; position += 1) {
    const byte = json[position];
    if (inString) {
      if (byte === codes.backslash) {
        position += 1;
      } else if (byte === codes.quote) {
        inString = false;
      }
    } else if (byte === codes.quote) {
      inString = true;
    } else if (byte === codes.openObject || byte === codes.openArray) {
      depth += 1;
      if (depth > deepest) {
        return true;
      }
    } else if (byte === codes.closeObject || byte === codes.closeArray) {
      depth -= 1;
    }
  }
  return false;
}

const codes = { quote: 0x22, backslash: 0x5c, openObject: 0x7b, closeObject: 0x7d, openArray: 0x5b, closeArray: 0x5d };

/** For `onReceived` of an outgoing request: throws, and so ends the request, when the answer has more bytes. */
export function atMost(bytes: number): (received: number) => void {
  return (received) => {
    if (received > bytes) {
      throw new Error(`more than ${bytes} bytes`);
    }
  };
}
