import * as vscode from "vscode";
import type { Design, DesignVersion } from "../../api/catalogue/models/designs.ts";
import { createdOf, versionsOf } from "../../api/families/designs.ts";
import { isoDate } from "../../ui/format/dates.ts";

/** The version of a design that is shown as its latest. */
export function latestVersionOf(design: Design): string | undefined {
  return design.latestVersion ?? newestFirst(versionsOf(design.versions))[0]?.version;
}

/** Versions, newest first. Those without a date come last, in the platform's order. */
export function newestFirst(versions: readonly DesignVersion[]): readonly DesignVersion[] {
  const time = (version: DesignVersion): string => isoDate(createdOf(version)) ?? "";
  return versions.toSorted((one, other) => (time(one) < time(other) ? 1 : time(one) > time(other) ? -1 : 0));
}

/** A version that can still change. */
export function isDraft({ draft, releasedDate }: DesignVersion): boolean {
  return draft ?? releasedDate === null;
}

/** The state of a version as a word. */
export function versionState(version: DesignVersion): string {
  return isDraft(version) ? vscode.l10n.t("draft") : vscode.l10n.t("released");
}
