import * as vscode from "vscode";
import type { TriggerGap } from "../../api/families/workflow-triggers.ts";
import { errorText } from "../../tenants/error-text.ts";

/**
 * A message about which triggers may be missing from a list, and why; undefined if none are. Includes one reason of
 * each kind.
 */
export function gapText(gaps: readonly TriggerGap[]): string | undefined {
  const unread = gaps.find((gap) => gap.type === "unreadList");
  const sentences = [
    ...(gaps.some(({ type }) => type === "unknownUser")
      ? [vscode.l10n.t("This platform doesn't say who is signed in. Your own timers may be missing.")]
      : []),
    ...(unread === undefined ? [] : [vscode.l10n.t("Some triggers may be missing. {0}", errorText(unread.error))]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}
