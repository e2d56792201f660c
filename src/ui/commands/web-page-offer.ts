import * as vscode from "vscode";
import type { AnyOperation } from "../../api/catalogue/operation.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { isMissingOperation } from "../../api/client/missing-operation.ts";
import { PlatformError } from "../../api/http/errors.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { PlatformResource } from "../resources/resource.ts";
import { resourcePage } from "../resources/resource-pages.ts";
import type { PlatformConnections } from "./progress.ts";

type Attempt<Result> = { readonly isOnWebPage: false; readonly value: Result } | { readonly isOnWebPage: true };

/**
 * Does work with operations that only some platforms have. If this platform isn't known to have them and doesn't, says
 * so and offers the resource's web page. Other errors are thrown.
 */
export async function orOnWebPage<Result>(
  connections: Pick<PlatformConnections, "tenant">,
  client: PlatformClient,
  resource: PlatformResource,
  { operations, work }: { readonly operations: readonly AnyOperation[]; readonly work: () => Promise<Result> },
): Promise<Attempt<Result>> {
  try {
    return { isOnWebPage: false, value: await work() };
  } catch (error) {
    if (!operations.some((one) => isMissingOperation(one, error)) || isAboutItem(client, error)) {
      throw error;
    }
    const { label } = connections.tenant(resource.tenantId);
    await offerWebPage(
      connections,
      resource,
      vscode.l10n.t("The API of {0} has no such action for {1}, or it no longer exists.", label, resource.name),
    );
    return { isOnWebPage: true };
  }
}

/**
 * True if an error is about the item, not about the operation: the platform is known to have the operation, and doesn't
 * say that there is no such route.
 */
function isAboutItem({ dialect }: PlatformClient, error: unknown): boolean {
  const isUnknownRoute = error instanceof PlatformError && error.message.includes("No static resource");
  return dialect.undescribedOperations && !isUnknownRoute;
}

/** Shows a message, and offers the resource's web page if it has one. */
export async function offerWebPage(
  connections: Pick<PlatformConnections, "tenant">,
  resource: PlatformResource,
  text: string,
): Promise<void> {
  const page = resourcePage(connections.tenant(resource.tenantId), resource);
  const open = vscode.l10n.t("Open in Browser");
  const chosen = await showInformation(text, ...(page === undefined ? [] : [open]));
  if (page !== undefined && chosen === open) {
    await vscode.env.openExternal(vscode.Uri.parse(page, true));
  }
}
