import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { kernelDebugger } from "../../scripts/set-up/debugger.ts";
import { idleCuller } from "../../scripts/set-up/idle-culler.ts";
import { ready } from "../../scripts/set-up/part.ts";
import { projectDirectory } from "../../scripts/set-up/paths.ts";
import { pythonEnvironment } from "../../scripts/set-up/python-environment.ts";
import { killWithDescendants } from "./end-process.ts";
import { freePort } from "./free-port.ts";
import { type JupyterHome, makeJupyterHome, plainShell } from "./jupyter-environment.ts";
import { until } from "./until.ts";

export interface JupyterHubOptions {
  /** The only user, such as `alice`. */
  readonly user: string;
  /** Names of the named servers, one per workspace; none is running at the start. */
  readonly servers: readonly string[];
  /** Whether the hub learns each second when its servers were active, instead of every 5 minutes. Default: false. */
  readonly tracksActivity?: boolean;
  /** Whether its servers have terminals, with a shell that doesn't read this computer's configuration. Default: false. */
  readonly terminals?: boolean;
  /** True for kernels with a debugger, which takes longer to load. Default: false. */
  readonly debugger?: boolean;
}

export interface JupyterHub {
  /** The public address (the hub's proxy): `http://127.0.0.1:PORT` */
  readonly url: string;
  /** The version that the hub reports, such as 6.1.1. */
  readonly version: string;
  readonly pid: number;
  /** A new token of the user, valid for all of the user's servers. */
  userToken(): Promise<string>;
  /** Starts a server and waits (180 s at most) until it responds. */
  startServer(name: string): Promise<void>;
  /** Stops a server and waits (180 s at most) until the hub has removed it. */
  stopServer(name: string): Promise<void>;
  /** When a server was last active as far as the hub knows, in milliseconds since 1970; undefined if it doesn't run. */
  lastActivity(name: string): Promise<number | undefined>;
  /** Stops the servers that were not active for this number of seconds, with the hub's culler, until the end. */
  cullIdle(seconds: number): Promise<void>;
  /** Kills a server's process without the hub, so that it stays registered, as after a crash. */
  crashServer(name: string): Promise<void>;
  /** The directory that a server serves. */
  serverRoot(name: string): string;
  /** `/user/alice/NAME/` */
  prefix(name: string): string;
  output(): string;
  /** Kills it, its servers, and their kernels. */
  kill(): Promise<void>;
}

/** Starts a real JupyterHub with its proxy on 127.0.0.1 and waits (180 s at most) until it responds. */
export async function startJupyterHub(options: JupyterHubOptions): Promise<JupyterHub> {
  const { python } = await ready(pythonEnvironment);
  const home = await makeJupyterHome(python);
  const roots = Object.fromEntries(options.servers.map((name) => [name, join(home.directory, "roots", name)]));
  for (const root of Object.values(roots)) await mkdir(root, { recursive: true });
  const [port, hubPort, proxyPort] = [await freePort(), await freePort(), await freePort()];
  const serverPorts: Record<string, number> = {};
  for (const name of options.servers) serverPorts[name] = await freePort();
  const serviceToken = randomBytes(24).toString("hex");
  const url = `http://127.0.0.1:${port}`;
  const configuration = join(home.directory, "jupyterhub_config.py");
  await writeFile(
    configuration,
    configurationText({
      ...home,
      environment: {
        ...home.environment,
        ...(options.debugger === true ? { PYTHONPATH: (await ready(kernelDebugger)).directory } : {}),
      },
      user: options.user,
      python,
      roots,
      serviceToken,
      url,
      hubPort,
      proxyPort,
      serverPorts,
      tracksActivity: options.tracksActivity === true,
      terminals: options.terminals === true,
    }),
    { mode: 0o600 },
  );

  const child = spawn(python, ["-m", "jupyterhub", "--config", configuration], {
    cwd: home.directory,
    env: { ...process.env, ...home.environment, CONFIGPROXY_AUTH_TOKEN: randomBytes(24).toString("hex") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let ended: string | undefined;
  const take = (chunk: Buffer): void => {
    output += chunk.toString("utf8");
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  child.on("error", (error) => {
    ended = error.message;
  });
  child.on("exit", (code, signal) => {
    ended = `it ended with ${signal ?? `exit code ${code}`}`;
  });

  /** Calls the hub's own API as an administrator. */
  async function hubApi(method: string, path: string, body?: unknown): Promise<{ status: number; value: unknown }> {
    const response = await fetch(`${url}/hub/api${path}`, {
      method,
      headers: { Authorization: `token ${serviceToken}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000),
      redirect: "manual",
    });
    const text = await response.text();
    return { status: response.status, value: text.startsWith("{") ? JSON.parse(text) : text };
  }
  async function expectStatus(statuses: readonly number[], method: string, path: string, body?: unknown) {
    const response = await hubApi(method, path, body);
    if (statuses.includes(response.status)) return response.value;
    const told = `answered ${response.status}: ${JSON.stringify(response.value)}`;
    // The response to an error of the hub itself doesn't say what happened.
    throw new Error(`JupyterHub: ${method} ${path} ${told}${response.status >= 500 ? `\n${ownWords()}` : ""}`);
  }
  const userPath = `/users/${options.user}`;
  const serverPath = (name: string): string => {
    if (roots[name] === undefined) throw new Error(`this JupyterHub was started without a server ${name}`);
    return `${userPath}/servers/${name}`;
  };
  async function serverModel(name: string): Promise<unknown> {
    const user = await expectStatus([200], "GET", `${userPath}?include_stopped_servers`);
    return field(field(user, "servers"), name);
  }
  /** The end of its output, without the proxy's line for each request. */
  const ownWords = (): string =>
    output
      .split("\n")
      .filter((line) => !line.includes("[ConfigProxy]"))
      .join("\n")
      .slice(-3000);
  async function untilHub(what: string, look: () => Promise<boolean>): Promise<void> {
    const lookWhileItRuns = (): Promise<boolean> => {
      if (ended !== undefined) throw new Error(`JupyterHub: ${ended}\n${ownWords()}`);
      return look();
    };
    await until(`JupyterHub: ${what}`, lookWhileItRuns, { seconds: 180, interval: 100, seen: ownWords });
  }

  const stopServer = async (name: string): Promise<void> => {
    await expectStatus([202, 204, 404], "DELETE", serverPath(name));
    await untilHub(`the end of ${name}`, async () => {
      const model = await serverModel(name);
      return model === undefined || (field(model, "ready") === false && !field(model, "pending"));
    });
  };
  let culler: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (culler !== undefined) await killWithDescendants(culler);
    await killWithDescendants(child);
    await rm(home.directory, { recursive: true, force: true, maxRetries: 5 });
  };

  let version = "";
  try {
    await untilHub("the start", async () => {
      const response = await hubApi("GET", "/").catch(() => undefined);
      version = String(field(response?.value, "version") ?? "");
      return version !== "";
    });
    await expectStatus([201, 409], "POST", userPath);
  } catch (error) {
    await kill();
    throw error;
  }

  return {
    url,
    version,
    pid: child.pid ?? -1,
    stopServer,
    kill,
    output: () => output,
    async userToken() {
      const response = await expectStatus([200, 201], "POST", `${userPath}/tokens`, {
        note: "platform workbench test",
      });
      const token = field(response, "token");
      if (typeof token !== "string") throw new Error("JupyterHub gave no token");
      return token;
    },
    async startServer(name) {
      await expectStatus([201, 202], "POST", serverPath(name));
      await untilHub(`the start of ${name}`, async () => field(await serverModel(name), "ready") === true);
    },
    async lastActivity(name) {
      const model = await serverModel(name);
      const time = field(model, "last_activity");
      return typeof time === "string" && field(model, "ready") === true ? Date.parse(time) : undefined;
    },
    async cullIdle(seconds) {
      const { directory } = await ready(idleCuller);
      const hubUrl = { JUPYTERHUB_API_URL: `${url}/hub/api`, JUPYTERHUB_API_TOKEN: serviceToken };
      culler = spawn(python, ["-m", "jupyterhub_idle_culler", `--timeout=${seconds}`, "--cull-every=1"], {
        env: { ...process.env, ...home.environment, ...hubUrl, PYTHONPATH: directory },
        stdio: ["ignore", "pipe", "pipe"],
      });
      culler.stdout?.on("data", take);
      culler.stderr?.on("data", take);
    },
    async crashServer(name) {
      const pid = field(field(await serverModel(name), "state"), "pid");
      if (typeof pid !== "number" || pid <= 0) throw new Error(`JupyterHub: the server ${name} does not run`);
      process.kill(pid, "SIGKILL");
      await untilHub(`the crash of ${name}`, async () => !(await responses(`${url}/user/${options.user}/${name}/api`)));
    },
    serverRoot(name) {
      const root = roots[name];
      if (root === undefined) throw new Error(`this JupyterHub was started without a server ${name}`);
      return root;
    },
    prefix: (name) => `/user/${options.user}/${name}/`,
  };
}

async function responses(url: string): Promise<boolean> {
  const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(30_000) }).catch(() => undefined);
  return response?.status === 200;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

interface ConfigurationFacts extends JupyterHome {
  readonly user: string;
  readonly python: string;
  readonly roots: Readonly<Record<string, string>>;
  readonly serviceToken: string;
  readonly url: string;
  readonly hubPort: number;
  readonly proxyPort: number;
  readonly serverPorts: Readonly<Record<string, number>>;
  readonly tracksActivity: boolean;
  readonly terminals: boolean;
}

/**
 * The hub's configuration. JSON strings, numbers, lists, and objects are also Python literals. Each server has a
 * reserved port: one that the hub chooses could become that of another test's connection before the server listens.
 */
function configurationText(facts: ConfigurationFacts): string {
  const python = (value: unknown): string => JSON.stringify(value);
  const proxyCommand = [
    process.execPath,
    join(projectDirectory, "node_modules/configurable-http-proxy/bin/configurable-http-proxy"),
  ];
  const serverArguments = [
    "--allow-root",
    `--ServerApp.terminals_enabled=${facts.terminals ? "True" : "False"}`,
    `--KernelManager.transport=${facts.kernelTransport}`,
    ...(facts.terminals ? terminalArguments : []),
  ];
  const scopes = [
    "admin:users",
    "admin:servers",
    "admin:server_state",
    "access:servers",
    "tokens",
    "read:users:activity",
  ];
  return `
c = get_config()
roots = ${python(facts.roots)}
c.JupyterHub.bind_url = ${python(facts.url)}
c.JupyterHub.hub_ip = "127.0.0.1"
c.JupyterHub.hub_port = ${facts.hubPort}
c.ConfigurableHTTPProxy.command = ${python(proxyCommand)}
c.ConfigurableHTTPProxy.api_url = ${python(`http://127.0.0.1:${facts.proxyPort}`)}
c.JupyterHub.db_url = ${python(`sqlite:///${facts.directory}/hub.sqlite`)}
c.JupyterHub.cookie_secret_file = ${python(join(facts.directory, "cookie_secret"))}
c.JupyterHub.allow_named_servers = True
c.JupyterHub.cleanup_servers = True
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allowed_users = {${python(facts.user)}}
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = ${python(join(facts.directory, "homes", "{username}"))}
c.Spawner.cmd = [${python(facts.python)}, "-m", "jupyterhub.singleuser"]
c.Spawner.args = ${python(serverArguments)}
c.Spawner.environment = ${python(facts.environment)}
c.Spawner.http_timeout = 180
c.Spawner.start_timeout = 180
c.Spawner.poll_interval = 600
# A server that does not end at once is ended: how long it takes to say good-bye is no matter here.
c.LocalProcessSpawner.interrupt_timeout = 2
c.LocalProcessSpawner.term_timeout = 2
ports = ${python(facts.serverPorts)}
def choose_place(spawner):
    spawner.notebook_dir = roots[spawner.name]
    spawner.port = ports[spawner.name]
c.Spawner.pre_spawn_hook = choose_place
c.JupyterHub.services = [{"name": "harness", "api_token": ${python(facts.serviceToken)}}]
c.JupyterHub.load_roles = [{"name": "harness", "services": ["harness"], "scopes": ${python(scopes)}}]
${facts.tracksActivity ? trackingConfiguration : ""}`;
}

const terminalArguments = ["--ServerApp.jpserver_extensions={'jupyter_server_terminals': True}", plainShell];

const trackingConfiguration = `
c.JupyterHub.last_activity_interval = 1
c.Spawner.environment["JUPYTERHUB_ACTIVITY_INTERVAL"] = "1"
`;
