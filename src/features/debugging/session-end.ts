import type { SessionEnd } from "../../api/debugging/session-machine.ts";
import { localizedText } from "../../tenants/error-text.ts";
import { showWarning } from "../../tenants/messages.ts";

/** Tells the user why a session ended, unless that was expected. */
export function showEnd(end: SessionEnd): void {
  if (end.type === "lost") {
    void showWarning(localizedText(end.reason));
  }
}
