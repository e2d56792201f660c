// The proxy that JupyterHub runs in front of its servers, without the hub: an unmodified configurable-http-proxy.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { projectDirectory } from "../../scripts/set-up/paths.ts";
import { endProcess } from "./end-process.ts";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

export interface HubProxy {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Ends the program and all its connections. */
  end(): Promise<void>;
  /** Starts it again at the same address, without a route, so that it responds to everything with 404. */
  startWithoutRoutes(): Promise<void>;
  /** Adds the route to the server, as the hub does some time after a restart. */
  addRoute(): Promise<void>;
}

/** Starts the proxy on 127.0.0.1 with one route, from its root to `target`. */
export async function startHubProxy(target: string): Promise<HubProxy> {
  const [port, apiPort] = [await freePort(), await freePort()];
  const token = randomBytes(24).toString("hex");
  const program = join(projectDirectory, "node_modules/configurable-http-proxy/bin/configurable-http-proxy");
  const api = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${apiPort}/api/${path}`, {
      ...init,
      headers: { Authorization: `token ${token}` },
      signal: AbortSignal.timeout(10_000),
    });
  let child: ReturnType<typeof spawn> | undefined;

  const startWithoutRoutes = async (): Promise<void> => {
    const places = [
      "--ip",
      "127.0.0.1",
      "--port",
      String(port),
      "--api-ip",
      "127.0.0.1",
      "--api-port",
      String(apiPort),
    ];
    const environment = { ...process.env, CONFIGPROXY_AUTH_TOKEN: token };
    const started = spawn(process.execPath, [program, ...places], { env: environment, stdio: "ignore" });
    child = started;
    await until("the start of the hub's proxy", () => {
      if (started.exitCode !== null) throw new Error(`the hub's proxy ended with exit code ${started.exitCode}`);
      return api("routes").then(
        ({ ok }) => ok,
        () => false,
      );
    });
  };
  const addRoute = async (): Promise<void> => {
    const response = await api("routes/", { method: "POST", body: JSON.stringify({ target }) });
    if (!response.ok) throw new Error(`the hub's proxy refused the route with ${response.status}`);
  };
  const end = async (): Promise<void> => {
    if (child !== undefined) await endProcess(child);
  };
  await startWithoutRoutes();
  await addRoute();
  return { url: `http://127.0.0.1:${port}`, end, startWithoutRoutes, addRoute };
}
