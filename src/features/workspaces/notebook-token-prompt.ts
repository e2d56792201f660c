import * as vscode from "vscode";
import { getContent } from "../../api/catalogue/operations/contents.ts";
import { causeOf, PlatformError } from "../../api/http/errors.ts";
import { RequestSharing } from "../../api/request-sharing.ts";
import { workspacePage } from "../../tenants/browser-addresses.ts";
import type { Connections } from "../../tenants/connections.ts";
import { errorText, localizedText } from "../../tenants/error-text.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import { askForSecret, type SecretCheck, warnThatSecretsAreNotStored } from "../../ui/quick-input/secret-input.ts";

interface NotebookTokenParts {
  readonly secrets: TenantSecrets;
  readonly connections: Connections;
}

const prompts = new RequestSharing<boolean>();

/**
 * Asks for a workspace's notebook token, tests it on the content server, and stores it for that origin. Returns false
 * if the user canceled. Throws an AccessError if the workspace does not run or its server is unknown, and a
 * PlatformError if it can't be read. Concurrent calls for a workspace share the same input box and its result.
 */
export function askForNotebookToken(
  parts: NotebookTokenParts,
  tenantId: string,
  workspaceId: string,
): Promise<boolean> {
  return prompts.run(`${tenantId}/${workspaceId}`, () => ask(parts, tenantId, workspaceId));
}

async function ask(
  { connections, secrets }: NotebookTokenParts,
  tenantId: string,
  workspaceId: string,
): Promise<boolean> {
  const tenant = connections.tenant(tenantId);
  if ((await secrets.credential(tenant)) !== undefined) {
    // Ask for a token for the workspace's current location, not for the last known one.
    await connections.deleteContentServer(tenantId, workspaceId);
  }
  const base = await connections.contentServer(tenantId, workspaceId);
  const name = connections.nameOf(tenantId, workspaceId);
  const secret = await askForSecret<string>({
    title: vscode.l10n.t("Notebook Token for {0}", name),
    prompt: vscode.l10n.t(
      "Open {0} in the browser. Open the developer tools (F12) and select the Network tab. Select a request to api/contents, copy the value of its Authorization header, and paste it here. It is sent only to {1}.",
      name,
      base.host,
    ),
    placeholder: vscode.l10n.t("Token, or the complete Authorization header"),
    buttons: [
      {
        iconPath: new vscode.ThemeIcon("link-external"),
        tooltip: vscode.l10n.t("Open {0} in Browser", name),
        run: () => vscode.env.openExternal(vscode.Uri.parse(workspacePage(tenant, workspaceId), true)),
      },
    ],
    check: (typed, signal) => tryToken(connections, tenant, base, typed, signal),
  });
  if (secret === undefined) {
    return false;
  }
  if (!(await secrets.saveNotebookToken(tenant, workspaceId, base.origin, secret))) {
    warnThatSecretsAreNotStored();
  }
  return true;
}

async function tryToken(
  connections: Connections,
  tenant: Tenant,
  base: URL,
  secret: string,
  signal: AbortSignal,
): Promise<SecretCheck<string>> {
  try {
    await connections.trialContent(tenant, base, secret).call(getContent, { path: "", content: 0 }, { signal });
    return { accepted: true, value: secret };
  } catch (error) {
    const cause = causeOf(error);
    if (!(error instanceof PlatformError) || cause?.type === "cancelled" || cause?.type === "workspaceNotRunning") {
      throw error;
    }
    const reason =
      cause?.type === "tokenRefused"
        ? vscode.l10n.t(
            "The content server rejected this token: {0}. Notebook tokens expire when the workspace stops. Copy a new one.",
            localizedText(error.parts.reason),
          )
        : errorText(error);
    return { accepted: false, reason };
  }
}
