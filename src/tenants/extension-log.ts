import type * as vscode from "vscode";
import { displayedText } from "../api/displayed-text.ts";
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
  // Further lines are indented, so that a server's text can't imitate a line of the log.
  const shown = (text: string): string => displayedText(redacted(text)).replaceAll("\n", "\n    ");
  return {
    info: (line) => channel.info(shown(line)),
    debug: (line) => channel.debug(shown(line)),
    trace: (line) => channel.trace(shown(line)),
    warn: (line) => channel.warn(shown(line)),
    error: (line) => channel.error(shown(line)),
    show: () => channel.show(),
  };
}
