import { createHmac } from "node:crypto";
import { type DestinationStream, type Logger, pino } from "pino";
import type { Log } from "../../../api/http/log.ts";
import type { Configuration } from "../config/configuration.ts";

/** Members whose values never reach the log, however they came to be logged; lower-case. */
const redacted: ReadonlySet<string> = new Set([
  "authorization",
  "x-webui-secret",
  "cookie",
  "token",
  "secret",
  "credential",
  "password",
  "privatekey",
]);
const deepest = 4;

/** The server's log: one JSON object per line. */
export function createLog(level: Configuration["logLevel"], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Not by the log's own redaction: its paths with wildcards took a third of what a request allocates.
    formatters: { level: (label: string) => ({ level: label }), log: withoutSecretMembers },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** The same object where nothing is to be redacted, else a copy without it. Deeper than any line goes, nothing is shown. */
function withoutSecretMembers(members: Record<string, unknown>, depth = 1): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(members)) {
    const shown = redacted.has(name.toLowerCase()) ? "[redacted]" : withinDepth(value, depth);
    if (shown !== value) {
      copy ??= { ...members };
      copy[name] = shown;
    }
  }
  return copy ?? members;
}

function withinDepth(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (depth === deepest) {
    return "[redacted]";
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => withinDepth(item, depth + 1));
    return items.every((item, nth) => item === value[nth]) ? value : items;
  }
  return withoutSecretMembers(value as Record<string, unknown>, depth + 1);
}

/** The API layer's lines in this log, a level lower, without the addresses of people that stand in paths. */
export function requestLog(log: Logger, part: string): Log {
  const child = log.child({ part });
  return {
    error: (line) => child.warn(withoutPeople(line)),
    warn: (line) => child.warn(withoutPeople(line)),
    info: (line) => child.debug(withoutPeople(line)),
    debug: (line) => child.trace(withoutPeople(line)),
    trace: (line) => child.trace(withoutPeople(line)),
  };
}

/** The text with email addresses removed, plain or percent-encoded; each word of it is read once. */
function withoutPeople(line: string): string {
  return line.replace(/[^\s/?=&"'<>(),]+/g, (word) => (word.search(/@|%40/i) > 0 ? "[address]" : word));
}

/** A person in audit lines: the same text for the same address, from which the address cannot be had. */
export function personHash(email: string, key: string): string {
  return createHmac("sha256", key).update(`audit ${email}`).digest("hex").slice(0, 16);
}

/** An error without its message, which may repeat what a request brought. */
export function errorForLog(error: unknown): { readonly type: string; readonly stack: readonly string[] } {
  if (!(error instanceof Error)) {
    return { type: typeof error, stack: [] };
  }
  const lines = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return { type: error.name, stack: lines.slice(0, 12).map((line) => line.trim()) };
}
