import { type JupyterServer, startJupyterServer } from "../harness/jupyter-server.ts";
import { openTenantWindow, type TenantWindow, type TenantWindowOptions } from "../ui/tenant-window.ts";

/** A window with the sample tenant and, behind each of its workspaces, a Jupyter Server. `close` ends the servers, too. */
export async function openPictureWindow(
  options: Pick<TenantWindowOptions, "settings" | "window">,
): Promise<TenantWindow> {
  const servers: JupyterServer[] = [];
  const window = await openTenantWindow({
    ...options,
    tenant: {
      contentServer: {
        kind: "proxied",
        async addressOf(workspaceId) {
          const server = await startJupyterServer({ root: window.tenant.contentRoot(workspaceId), token: "picture" });
          servers.push(server);
          return { url: `${server.url}/`, token: server.token };
        },
      },
    },
  });
  return {
    ...window,
    async close() {
      await window.close();
      for (const server of servers) await server.stop();
    },
  };
}
