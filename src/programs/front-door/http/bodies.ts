import type { IncomingMessage } from "node:http";
import { exceededLimit, limitText } from "../../../api/http/response-limits.ts";
import { turnFor } from "../../../api/turns.ts";
import { isRejection, type Rejection } from "./rejections.ts";

interface ParsedBody {
  readonly value: unknown;
  /** Size in bytes. */
  readonly size: number;
}

/** Validation recurses once per level, and can report an issue for each value. */
const bodyLimits = { values: 50_000, depth: 100 };
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The most bytes that the body of a request can have, as far as its headers tell. */
export function announcedBytes({ headers }: IncomingMessage, maxBytes: number): number {
  return Math.min(Number(headers["content-length"] ?? maxBytes), maxBytes);
}

/** Reads a JSON body of up to `mostBytes`. Stops when the signal aborts. */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ParsedBody | Rejection> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers["content-type"] ?? "")) {
    return { rejection: "notJsonType" };
  }
  if (request.headers["content-encoding"] !== undefined) {
    return { rejection: "notJsonType" };
  }
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
    return { rejection: "bodyTooLarge" };
  }
  const bytes = await readBytes(request, maxBytes, signal);
  if (isRejection(bytes)) {
    return bytes;
  }
  const { byteLength: size } = bytes;
  await turnFor(size);
  const exceeded = exceededLimit(bytes, bodyLimits);
  if (exceeded !== undefined) {
    return { rejection: "invalidRequest", reason: `the body has ${limitText(exceeded, bodyLimits[exceeded])}` };
  }
  await turnFor(size);
  try {
    return { value: JSON.parse(utf8.decode(bytes)), size };
  } catch {
    return { rejection: "invalidRequest", reason: "the body is not valid JSON" };
  }
}

/** Uses events, because an iterator would destroy the connection before the response is sent. */
function readBytes(request: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer | Rejection> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const end = (outcome: Buffer | Rejection): void => {
      request.off("data", add).off("end", finish).off("close", cut).off("error", cut);
      signal.removeEventListener("abort", late);
      if (isRejection(outcome)) {
        request.pause();
      }
      resolve(outcome);
    };
    const add = (part: Buffer): void => {
      size += part.length;
      if (size > maxBytes) {
        end({ rejection: "bodyTooLarge" });
      } else {
        parts.push(part);
      }
    };
    const finish = (): void => end(Buffer.concat(parts));
    const cut = (): void => end({ rejection: "invalidRequest", reason: "the body is incomplete" });
    const late = (): void => end({ rejection: "bodyTooSlow" });
    request.on("data", add).on("end", finish).on("close", cut).on("error", cut);
    signal.addEventListener("abort", late, { once: true });
    if (signal.aborted) {
      late();
    }
  });
}
