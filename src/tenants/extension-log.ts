import type * as vscode from "vscode";
import type { Log } from "../api/http/log.ts";

/** The log of the extension, which the user can open. */
export interface ExtensionLog extends Log {
  /** Opens the log in the panel, and moves the focus to it. */
  show(): void;
}

/**
 * A log that writes to the channel what `redacted` returns. Whoever writes a line, it may contain what a server sent,
 * and a server may send any secret that it has ever received.
 */
export function extensionLog(
  channel: Pick<vscode.LogOutputChannel, keyof ExtensionLog>,
  redacted: (text: string) => string,
): ExtensionLog {
  return {
    info: (line) => channel.info(redacted(line)),
    debug: (line) => channel.debug(redacted(line)),
    trace: (line) => channel.trace(redacted(line)),
    warn: (line) => channel.warn(redacted(line)),
    error: (line) => channel.error(redacted(line)),
    show: () => channel.show(),
  };
}
