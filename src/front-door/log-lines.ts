import { createHmac } from "node:crypto";
import { type DestinationStream, type Logger, pino } from "pino";
import type { Log } from "../api/log.ts";
import type { Configuration } from "./configuration.ts";

/** Members whose values never reach the log, however they came to be logged. */
const redacted = [
  "authorization",
  "x-webui-secret",
  "cookie",
  "token",
  "secret",
  "credential",
  "password",
  "privateKey",
];

/** The server's log: one JSON object per line. */
export function createLog(level: Configuration["logLevel"], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: redacted.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: "[redacted]",
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
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

/** The text with e-mail addresses removed, plain or percent-encoded. */
export function withoutPeople(line: string): string {
  return line.replace(/[^\s/?=&"'<>(]+(?:@|%40)[^\s/?=&"'<>,)]+/gi, "[address]");
}

/** A person in audit lines: the same text for the same address, from which the address cannot be had. */
export function personHash(email: string, key: string): string {
  return createHmac("sha256", key).update(`audit ${email}`).digest("hex").slice(0, 16);
}
