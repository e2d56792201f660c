import * as vscode from "vscode";
import type { PlatformResource } from "../resource.ts";
import type { DetailValue } from "./details.ts";

/** People's names by their ids. */
export type Names = ReadonlyMap<string, string>;

/** A link to a version of a workflow; the version alone where the workflow is not known. */
export function versionLink(
  { tenantId, id: parentId, name }: Pick<PlatformResource, "tenantId" | "id" | "name">,
  version: string,
): DetailValue {
  return version === "" || parentId === ""
    ? version
    : {
        type: "resource",
        resource: { type: "workflowVersion", tenantId, id: version, parentId, name: `${name} v${version}` },
      };
}

export function dateOf(time: string | number | null | undefined): DetailValue {
  return { type: "date", value: time };
}

export function codeOf(text: string): DetailValue {
  return { type: "code", text };
}

/** A person by name; by the id where the user list does not have it. */
export function personOf(id: string | number | null | undefined, names: Names): DetailValue | undefined {
  const text = String(id ?? "");
  return text === "" ? undefined : (names.get(text) ?? vscode.l10n.t("User {0}", text));
}
