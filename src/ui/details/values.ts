import * as vscode from "vscode";
import type { DetailValue } from "./details.ts";

/** Users' names by id. */
export type Names = ReadonlyMap<string, string>;

/** A time: ISO 8601, or milliseconds since 1970. */
export function dateOf(time: string | number | null | undefined): DetailValue {
  return { type: "date", value: time };
}

export function codeOf(text: string): DetailValue {
  return { type: "code", text };
}

/** A user's name; the id if the user list does not have it. */
export function personOf(id: string | number | null | undefined, names: Names): string | undefined {
  const text = String(id ?? "");
  return text === "" ? undefined : (names.get(text) ?? vscode.l10n.t("User {0}", text));
}

/** Undefined if the platform does not say. */
export function yesOrNo(value: boolean | null | undefined): string | undefined {
  return typeof value === "boolean" ? (value ? vscode.l10n.t("yes") : vscode.l10n.t("no")) : undefined;
}
