import * as vscode from "vscode";
import type { DetailValue } from "../../ui/details/details.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";

/** The error for a resource that the platform no longer has. */
export function gone({ name }: PlatformResource): Error {
  return new Error(vscode.l10n.t("The platform no longer lists {0}.", name));
}

export function repositoryLink(tenantId: string, id: string, name: string | null | undefined): DetailValue {
  return { type: "resource", resource: { type: "repository", tenantId, id, name: name ?? id } };
}
