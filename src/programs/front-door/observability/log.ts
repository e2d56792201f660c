import { createHmac } from "node:crypto";
import { type DestinationStream, type Logger, pino } from "pino";
import { escapedJson } from "../../../api/displayed-text.ts";
import type { Log } from "../../../api/http/log.ts";
import type { Configuration } from "../config/configuration.ts";

/** Names of members, in lowercase, whose values never reach the log. */
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

/** Creates the server's log, with one JSON object per line. */
export function createLog(level: Configuration["logLevel"], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Replaces the library's own redaction, whose wildcard paths caused a third of a request's memory allocations.
    // A line may be printed in a terminal.
    hooks: { streamWrite: escapedJson },
    formatters: { level: (label: string) => ({ level: label }), log: withoutSecretMembers },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * Redacts secret members. Returns the same object if there are none; otherwise a copy. Redacts everything below the
 * maximum depth.
 */
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

/**
 * A log for the API layer. Its lines have a lower level here, and email addresses, which occur in paths, are redacted.
 */
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

/** Redacts plain or percent-encoded email addresses. Reads each word once. */
function withoutPeople(line: string): string {
  return line.replace(/[^\s/?=&"'<>(),]+/g, (word) => (word.search(/@|%40/i) > 0 ? "[address]" : word));
}

/** The hash that identifies a user in audit lines. The email address can't be derived from it. */
export function personHash(email: string, key: string): string {
  return createHmac("sha256", key).update(`audit ${email}`).digest("hex").slice(0, 16);
}

/** An error without its message, which may contain data of a request. */
export function errorForLog(error: unknown): { readonly type: string; readonly stack: readonly string[] } {
  if (!(error instanceof Error)) {
    return { type: typeof error, stack: [] };
  }
  const lines = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return { type: error.name, stack: lines.slice(0, 12).map((line) => line.trim()) };
}
