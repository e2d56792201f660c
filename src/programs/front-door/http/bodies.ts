import type { IncomingMessage } from "node:http";
import type { Refusal } from "./rejections.ts";

export interface ParsedBody {
  readonly value: unknown;
}

/** What checks a body calls itself once per level. */
const deepest = 100;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads a request's JSON body, at most so many bytes of it and no longer than the signal lasts. */
export async function readJsonBody(
  request: IncomingMessage,
  mostBytes: number,
  signal: AbortSignal,
): Promise<ParsedBody | Refusal> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers["content-type"] ?? "")) {
    return { refusal: "notJsonType" };
  }
  if (request.headers["content-encoding"] !== undefined) {
    return { refusal: "notJsonType" };
  }
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) {
    return { refusal: "bodyTooLarge" };
  }
  const bytes = await readBytes(request, mostBytes, signal);
  if ("refusal" in bytes) {
    return bytes;
  }
  if (nestsDeeply(bytes.bytes)) {
    return { refusal: "invalidRequest", reason: `the body is nested more than ${deepest} deep` };
  }
  try {
    return { value: JSON.parse(utf8.decode(bytes.bytes)) };
  } catch {
    return { refusal: "invalidRequest", reason: "the body is no JSON" };
  }
}

/** Listens to the request rather than iterating over it: that would destroy the connection before there is an answer. */
function readBytes(
  request: IncomingMessage,
  mostBytes: number,
  signal: AbortSignal,
): Promise<{ readonly bytes: Buffer } | Refusal> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const end = (outcome: { readonly bytes: Buffer } | Refusal): void => {
      request.off("data", take).off("end", finish).off("close", cut).off("error", cut);
      signal.removeEventListener("abort", late);
      if ("refusal" in outcome) {
        request.pause();
      }
      resolve(outcome);
    };
    const take = (part: Buffer): void => {
      size += part.length;
      if (size > mostBytes) {
        end({ refusal: "bodyTooLarge" });
      } else {
        parts.push(part);
      }
    };
    const finish = (): void => end({ bytes: Buffer.concat(parts) });
    const cut = (): void => end({ refusal: "invalidRequest", reason: "the body broke off" });
    const late = (): void => end({ refusal: "bodyTooSlow" });
    request.on("data", take).on("end", finish).on("close", cut).on("error", cut);
    signal.addEventListener("abort", late, { once: true });
    if (signal.aborted) {
      late();
    }
  });
}

/** Whether JSON has more levels than is allowed; of what is no JSON it need not be right. */
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
