import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import { allWorkspaces, stateOf } from "../../api/families/workspaces.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";

/** A server in the API of Microsoft's Jupyter extension (`@vscode/jupyter-extension`). */
interface JupyterServer {
  readonly id: string;
  readonly label: string;
  readonly connectionInformation?: { readonly baseUrl: vscode.Uri; readonly token: string };
}

interface JupyterServerProvider {
  provideJupyterServers(token: vscode.CancellationToken): Promise<JupyterServer[]>;
  resolveJupyterServer(server: JupyterServer, token: vscode.CancellationToken): Promise<JupyterServer>;
}

/** The part of that extension's API that is used here. */
interface JupyterInterface {
  createJupyterServerCollection(id: string, label: string, provider: JupyterServerProvider): vscode.Disposable;
}

const jupyterExtension = "ms-toolsai.jupyter";
/** Parts whose servers are already offered. */
const offering = new WeakSet<JupyterServerParts>();

interface JupyterServerParts {
  readonly connections: Connections;
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
}

interface OfferingParts extends JupyterServerParts {
  readonly log: ExtensionLog;
  readonly subscriptions: vscode.Disposable[];
}

/**
 * Offers the servers to the Jupyter extension if it is active in this window. Has no effect if called again with the
 * same parts.
 */
export function offerWhenActive(parts: OfferingParts): void {
  const jupyter = vscode.extensions.getExtension<unknown>(jupyterExtension);
  if (jupyter?.isActive === true && !offering.has(parts)) {
    offering.add(parts);
    try {
      const offered = offerJupyterServers(jupyter.exports, parts);
      parts.subscriptions.push(...(offered === undefined ? [] : [offered]));
    } catch (error) {
      // The other extension failed.
      parts.log.error(`kernels: ${errorMessage(error)}`);
    }
  }
}

/**
 * Adds the running workspaces of the current tenant to the servers that Microsoft's Jupyter extension offers. Undefined
 * if that extension has another API. A workspace's token is passed on only when the user selects the server.
 */
export function offerJupyterServers(jupyter: unknown, parts: JupyterServerParts): vscode.Disposable | undefined {
  return isJupyterInterface(jupyter)
    ? jupyter.createJupyterServerCollection("platformWorkbench", "Platform Workbench", serverProvider(parts))
    : undefined;
}

function isJupyterInterface(jupyter: unknown): jupyter is JupyterInterface {
  return (
    typeof jupyter === "object" &&
    jupyter !== null &&
    "createJupyterServerCollection" in jupyter &&
    typeof jupyter.createJupyterServerCollection === "function"
  );
}

function serverProvider({ connections, registry, secrets }: JupyterServerParts): JupyterServerProvider {
  return {
    async provideJupyterServers(token) {
      const tenant = registry.current;
      if (tenant === undefined) {
        return [];
      }
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      const client = await connections.platform(tenant.id);
      const servers: JupyterServer[] = [];
      for await (const page of allWorkspaces(client, "", { signal: abort.signal })) {
        for (const workspace of page.filter((candidate) => stateOf(candidate).state === "running")) {
          await connections.cacheWorkspace(tenant.id, workspace);
          servers.push({ id: `${workspace.id}.${tenant.id}`, label: workspace.name ?? workspace.id });
        }
      }
      return servers;
    },
    async resolveJupyterServer(server) {
      const [workspaceId = "", tenantId = ""] = server.id.split(".", 2);
      const base = await connections.contentServer(tenantId, workspaceId);
      const saved = await secrets.notebookToken(tenantId, workspaceId);
      if (saved === undefined || saved.origin !== base.origin) {
        throw new Error(
          vscode.l10n.t(
            "There is no notebook token for {0}. Run Platform: Set Notebook Token, then select the server again.",
            server.label,
          ),
        );
      }
      const baseUrl = vscode.Uri.parse(base.href, true);
      return { ...server, connectionInformation: { baseUrl, token: saved.reveal() } };
    },
  };
}
