import { createRequire } from "node:module";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Log } from "../api/http/log.ts";
import type { NetworkSettings } from "../api/http/network/network-settings.ts";
import { createNodeRequests } from "../api/http/network/node-requests.ts";
import type { ProxyServer } from "../api/http/network/proxy.ts";
import { ProxyLogins } from "../api/http/network/proxy-login.ts";
import { proxyAt, selectProxy } from "../api/http/network/proxy-selection.ts";
import { SystemTrust } from "../api/http/network/system-trust.ts";

/** Finds the proxy of the system for an address, including PAC files; undefined for a direct connection. */
type SystemProxy = (url: string) => Promise<string | undefined>;

/** The network as the editor's settings `http.*`, the environment, and the system define it now. */
export function editorNetwork(log: Log): NetworkSettings {
  const http = vscode.workspace.getConfiguration("http");
  const isOn = http.get<string>("proxySupport") !== "off";
  const authorization = http.get<string | null>("proxyAuthorization") ?? "";
  const settings = {
    proxy: http.get<string>("proxy") ?? "",
    noProxy: http.get<readonly string[]>("noProxy") ?? [],
    ...(authorization === "" ? {} : { authorization }),
  };
  const strictCertificates = http.get<boolean>("proxyStrictSSL") !== false;
  const systemProxy = isOn ? systemProxyOfEditor(log) : undefined;
  return {
    proxyFor: async (origin) => {
      const selected = isOn ? selectProxy(origin, settings, process.env) : "direct";
      if (selected !== undefined) {
        return selected === "direct" ? undefined : selected;
      }
      return await proxyOfSystem(systemProxy, origin, settings.authorization);
    },
    logins: new ProxyLogins(),
    strictCertificates,
    ...(http.get<boolean>("systemCertificates") === false ? {} : { systemTrust: new SystemTrust() }),
    outside: createNodeRequests({ strictCertificates }),
  };
}

async function proxyOfSystem(
  systemProxy: SystemProxy | undefined,
  { href }: URL,
  authorization: string | undefined,
): Promise<ProxyServer | undefined> {
  const address = await systemProxy?.(href);
  return address === undefined ? undefined : proxyAt(address, "system", authorization);
}

/**
 * What the editor offers to extensions that don't use Node's modules: it adds this function to its proxy library. An
 * editor without it has no system proxy for us, except for connections over Node's modules.
 */
function systemProxyOfEditor(log: Log): SystemProxy | undefined {
  for (const folder of ["node_modules", "node_modules.asar"]) {
    try {
      const library: unknown = createRequire(join(vscode.env.appRoot, "/"))(
        join(vscode.env.appRoot, folder, "@vscode/proxy-agent"),
      );
      if (typeof library === "object" && library !== null && "resolveProxyURL" in library) {
        const { resolveProxyURL } = library;
        if (typeof resolveProxyURL === "function") {
          return (url) => resolveProxyURL(url);
        }
      }
    } catch (error) {
      log.debug(`the editor's proxy library: ${String(error)}`);
    }
  }
  return undefined;
}
