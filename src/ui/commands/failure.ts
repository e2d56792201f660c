import * as vscode from "vscode";
import { hasStatus } from "../../api/http/errors.ts";
import { accessObstacle } from "../../tenants/access-obstacle.ts";
import { type AccessRemedy, commandOf } from "../../tenants/access-remedy.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import { showError, showInformation } from "../../tenants/messages.ts";
import { openAddress } from "../../tenants/open-address.ts";
import type { ErrorContext } from "./error-context.ts";
import { describeFailure, remedyFor } from "./remedies.ts";

export interface FailureParts {
  readonly connections: Connections;
  readonly log: ExtensionLog;
}

/** Shows a failure once, with buttons for its remedies and the log, and runs the chosen action. */
export async function showFailure(error: unknown, context: ErrorContext, parts: FailureParts): Promise<void> {
  const remedy = remedyFor(error, context);
  const { tenantId, workspaceId } = context;
  const name =
    tenantId === undefined || workspaceId === undefined ? undefined : parts.connections.nameOf(tenantId, workspaceId);
  const showLog = vscode.l10n.t("Show Log");
  const label = remedy === undefined ? undefined : labelOf(remedy, error);
  const labels = label === undefined ? [showLog] : [label, showLog];
  const message = describeFailure(error, context, name, vscode.l10n.t);
  const chosen = await showError(message, ...labels);
  if (chosen === showLog) {
    parts.log.show();
  } else if (remedy !== undefined && chosen === label) {
    await apply(remedy, parts);
  }
}

function labelOf(remedy: AccessRemedy, error: unknown): string {
  switch (remedy.type) {
    case "addTenant":
      return vscode.l10n.t("Add Tenant");
    case "openProxySettings":
      return vscode.l10n.t("Open Proxy Settings");
    case "signIn":
      return hasStatus(error, 403) ? vscode.l10n.t("Sign In with Another Token") : vscode.l10n.t("Sign In");
    case "enterToken":
      return accessObstacle(error)?.type === "tokenRefused"
        ? vscode.l10n.t("Enter New Token")
        : vscode.l10n.t("Enter Notebook Token");
    case "start":
      return vscode.l10n.t("Start Workspace");
    case "openInBrowser":
      return vscode.l10n.t("Open in Browser");
  }
}

async function apply(remedy: AccessRemedy, { connections }: FailureParts): Promise<void> {
  if (remedy.type === "openInBrowser") {
    await openThenStart(remedy, connections);
  } else {
    await vscode.commands.executeCommand(...commandOf(remedy));
  }
}

async function openThenStart(
  { address, tenantId, workspaceId }: AccessRemedy & { readonly type: "openInBrowser" },
  connections: Connections,
): Promise<void> {
  const wasOpened = await openAddress(connections.tenant(tenantId), address);
  if (!wasOpened || workspaceId === undefined) {
    return;
  }
  const start = vscode.l10n.t("Start Workspace");
  const chosen = await showInformation(
    vscode.l10n.t(
      "After {0} has opened in the browser, start the workspace.",
      connections.nameOf(tenantId, workspaceId),
    ),
    start,
  );
  if (chosen === start) {
    await vscode.commands.executeCommand(...commandOf({ type: "start", tenantId, workspaceId }));
  }
}
