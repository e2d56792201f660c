import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { delimiter } from "node:path";
import { kernelDebugger } from "../../scripts/set-up/debugger.ts";
import { extendedJupyter } from "../../scripts/set-up/extended-jupyter.ts";
import { jupyterScheduler } from "../../scripts/set-up/jupyter-scheduler.ts";
import { olderJupyter } from "../../scripts/set-up/older-jupyter.ts";
import { ready } from "../../scripts/set-up/part.ts";
import { pythonEnvironment } from "../../scripts/set-up/python-environment.ts";
import { endProcess, killWithDescendants } from "./end-process.ts";
import { freePort } from "./free-port.ts";
import { makeJupyterHome } from "./jupyter-environment.ts";
import { until } from "./until.ts";

type JupyterRelease = "current" | "older" | "paired" | "live";

export interface JupyterServerOptions {
  /** The directory that it serves. Must exist. */
  readonly root: string;
  readonly token: string;
  /** Begins and ends with a slash: `/user/alice/3f2a9c1e/`. Default `/`. */
  readonly basePath?: string;
  /**
   * Where deleted items go: `true` (Jupyter's default) moves them to the trash of a temporary home, `false` deletes
   * them.
   */
  readonly deleteToTrash?: boolean;
  /** Port on 127.0.0.1; a free port by default. */
  readonly port?: number;
  /**
   * `older`: the last Jupyter Server 1.x. `paired`: with jupytext, which pairs notebooks with scripts. `live`: with live
   * rooms, as of jupyter-collaboration. Default `current`.
   */
  readonly release?: JupyterRelease;
  /** True to serve terminals. Default false. */
  readonly terminals?: boolean;
  /** True for kernels with a debugger, which takes longer to load. Default false. */
  readonly debugger?: boolean;
  /** `tcp` for kernels that listen on ports. Default: on sockets of the file system where their paths permit it. */
  readonly kernelTransport?: "tcp";
  /** Additional variables of its environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** True for a server with Jupyter Scheduler, which takes longer to start. Default false. */
  readonly scheduler?: boolean;
  /** Additional options, such as `--ContentsManager.allow_hidden=True`. */
  readonly extraArguments?: readonly string[];
}

export interface JupyterServer {
  /** The address with the base path, without a trailing slash: `http://127.0.0.1:PORT/user/alice/3f2a9c1e`. */
  readonly url: string;
  readonly token: string;
  readonly root: string;
  readonly pid: number;
  /** The version that the server reports, such as 2.21.1. */
  readonly version: string;
  /** Its own home, removed at its end; the trash is in `data/Trash`, and kernels can be added in `jupyter-data/kernels`. */
  readonly homeDirectory: string;
  /** The complete output of the server. */
  output(): string;
  /** Ends it as a workspace that is stopped: it shuts down its kernels and closes its connections. */
  stop(): Promise<void>;
  /** Kills it and its kernels, which takes less time, when a test no longer needs them. */
  kill(): Promise<void>;
}

/** Starts a real Jupyter Server on 127.0.0.1 and waits (180 s at most) until it responds. */
export async function startJupyterServer(options: JupyterServerOptions): Promise<JupyterServer> {
  const release = options.release ?? "current";
  const { python, isOlder } = await environmentOf(release);
  const home = await makeJupyterHome(python);
  const port = options.port ?? (await freePort());
  const basePath = options.basePath ?? "/";
  const packages = [
    ...(options.debugger === true ? [(await ready(kernelDebugger)).directory] : []),
    ...(options.scheduler === true ? [(await ready(jupyterScheduler)).directory] : []),
  ];
  const child = spawn(
    python,
    [
      ...["-m", "jupyter_server"],
      ...[`--ServerApp.base_url=${basePath}`, `--${isOlder ? "ServerApp" : "IdentityProvider"}.token=${options.token}`],
      ...[`--port=${port}`, "--ServerApp.port_retries=0", "--ip=127.0.0.1", "--no-browser", "--allow-root"],
      `--ServerApp.root_dir=${options.root}`,
      `--ServerApp.terminals_enabled=${options.terminals === true ? "True" : "False"}`,
      `--FileContentsManager.delete_to_trash=${options.deleteToTrash === false ? "False" : "True"}`,
      `--KernelManager.transport=${options.kernelTransport ?? home.kernelTransport}`,
      ...extensionsOf(release, options.terminals === true && !isOlder, options.scheduler === true),
      ...(options.extraArguments ?? []),
    ],
    {
      cwd: options.root,
      env: {
        ...process.env,
        ...home.environment,
        ...(packages.length === 0 ? {} : { PYTHONPATH: packages.join(delimiter) }),
        ...options.environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
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
  const endedBy = (end: (process: typeof child) => Promise<void>) => async (): Promise<void> => {
    await end(child);
    await rm(home.directory, { recursive: true, force: true, maxRetries: 5 });
  };
  const kill = endedBy(killWithDescendants);

  const url = `http://127.0.0.1:${port}${basePath.replace(/\/$/, "")}`;
  const seen = (): string => output.slice(-3000);
  const respondedVersion = (): Promise<string | undefined> => {
    if (ended !== undefined) throw new Error(`the Jupyter Server does not start: ${ended}\n${seen()}`);
    return versionOf(url, options.token);
  };
  try {
    const wait = { seconds: 180, interval: 100, seen };
    const version = await until("the start of the Jupyter Server", respondedVersion, wait);
    return {
      url,
      token: options.token,
      root: options.root,
      pid: child.pid ?? -1,
      version,
      homeDirectory: home.directory,
      output: () => output,
      stop: endedBy(endProcess),
      kill,
    };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** The options that add extensions, because the configuration that adds them otherwise is not read. */
function extensionsOf(release: JupyterRelease, hasTerminals: boolean, hasScheduler: boolean): readonly string[] {
  const names = [
    ...(release === "live" ? ["jupyter_server_fileid", "jupyter_server_ydoc"] : []),
    ...(hasTerminals ? ["jupyter_server_terminals"] : []),
    ...(hasScheduler ? ["jupyter_scheduler"] : []),
  ];
  const entries = names.map((name) => `'${name}': True`).join(", ");
  return [
    ...(release === "paired" ? ["--ServerApp.contents_manager_class=jupytext.TextFileContentsManager"] : []),
    ...(names.length === 0 ? [] : [`--ServerApp.jpserver_extensions={${entries}}`]),
  ];
}

/** Version 1.x, also that of Debian, uses the application's name in the token option, and has terminals built in. */
async function environmentOf(release: JupyterRelease): Promise<{ python: string; isOlder: boolean }> {
  if (release === "older") return { python: (await ready(olderJupyter)).python, isOlder: true };
  if (release !== "current") return { python: (await ready(extendedJupyter)).python, isOlder: false };
  const { python, source } = await ready(pythonEnvironment);
  return { python, isOlder: source === "debian" };
}

async function versionOf(url: string, token: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/api`, {
      headers: { Authorization: `token ${token}` },
      signal: AbortSignal.timeout(60_000),
      redirect: "manual",
    });
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null && "version" in body ? String(body.version) : undefined;
  } catch {
    return undefined;
  }
}
