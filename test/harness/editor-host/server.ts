import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { editorHostOf } from "../../../scripts/set-up/editor-host.ts";
import { ready } from "../../../scripts/set-up/part.ts";
import { endProcess } from "../end-process.ts";
import { recurringPort } from "../free-port.ts";
import { linkBuiltInExtensions } from "./built-in-extensions.ts";

export interface EditorServerOptions {
  /** Port on 127.0.0.1; by default a free port, for tests one of the few for which browsers keep the editor's code. */
  readonly port?: number;
  /** The folder for settings, storage, and logs; by default, a temporary directory that stop() removes. */
  readonly dataDirectory?: string;
  /** The folder for installed extensions; by default, a directory inside the data directory. */
  readonly extensionsDirectory?: string;
  /** Environment variables for the server and its extension hosts, in addition to this process's own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** User settings in addition to those of tests or users. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * The token that the browser must have in the address (`?tkn=`). The browser then keeps the editor's secrets when its page is
   * reloaded. None for tests.
   */
  readonly connectionToken?: string;
  /**
   * `true` for `npm start`: the settings of a new editor instead of the tests' own, and all of the editor's own
   * extensions. Default `false`, which also lets the workbench load an extension under development.
   */
  readonly forUser?: boolean;
  /** Lets the editor look up extensions in its marketplace. Default `false`, so that nothing changes during a test. */
  readonly marketplace?: boolean;
  readonly log?: (line: string) => void;
}

export interface EditorServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** The editor's version, such as 1.139.1. */
  readonly version: string;
  readonly dataDirectory: string;
  readonly extensionsDirectory: string;
  /** Resolves when the server has ended, for any reason; the text says how. */
  readonly ended: Promise<string>;
  /** Everything that the server printed. */
  output(): string;
  stop(): Promise<void>;
}

/** Writes the editor's log files, which its output channels show. The editor host lacks the module for that. */
const logFilesModule = new URL("log-files.mjs", import.meta.url).href;

/** Answers the browser's request for the half of a key that the server stores in the data directory. */
function secretKeyModule(dataDirectory: string, connectionToken: string): string {
  const module = new URL("secret-key.mjs", import.meta.url);
  module.search = new URLSearchParams({ file: join(dataDirectory, "secret-key"), token: connectionToken }).toString();
  return module.href;
}

/** A user gets the settings of a new editor, except for these. */
const servedSettings = {
  // README.md promises no telemetry, which includes the editor that shows the extension.
  "telemetry.telemetryLevel": "off",
  // The editor has the version that scripts/set-up/editor-host.ts installs, and the linked extension stays linked.
  "update.mode": "none",
  "extensions.autoUpdate": false,
  // The Chat view has no language model in this editor host.
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  // Otherwise, the editor announces the port of each Jupyter Server that starts.
  "remote.autoForwardPorts": false,
};

/** Turns off what a test doesn't expect, and what only costs time if nobody watches, such as endless animations. */
const testSettings = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.reduceMotion": "on",
  "chat.disableAIFeatures": true,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "notebook.lineNumbers": "off",
  "files.autoSave": "off",
  "files.simpleDialog.enable": true,
  "window.restoreWindows": "none",
  "window.confirmBeforeClose": "never",
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  // Otherwise, each extension host looks through the open files of all processes every two seconds to find their ports.
  "remote.autoForwardPortsSource": "output",
  // Each window opens these files itself. As JSON, they start the extension for JSON and its language server.
  "files.associations": {
    "chatLanguageModels.json": "plaintext",
    "**/data/{User,Machine}/settings.json": "plaintext",
  },
};

/** Starts VS Code's server on 127.0.0.1 and waits (60 s at most) until it listens. */
export async function startEditorServer(options: EditorServerOptions = {}): Promise<EditorServer> {
  const host = await ready(editorHostOf());
  const temporary = options.dataDirectory === undefined;
  const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), "platform-workbench-editor-")));
  const extensionsDirectory = options.extensionsDirectory ?? join(dataDirectory, "extensions");
  await mkdir(extensionsDirectory, { recursive: true });
  await writeSettings(dataDirectory, options);
  const wantedPort = options.port ?? (options.forUser === true ? 0 : await recurringPort());
  const builtIn = options.forUser === true ? undefined : await linkBuiltInExtensions(host.serverMain);

  const args = [
    ...(host.takesModuleHooks ? [`--import=${logFilesModule}`] : []),
    ...(options.connectionToken === undefined
      ? []
      : [`--import=${secretKeyModule(dataDirectory, options.connectionToken)}`]),
    host.serverMain,
    ...["--host", "127.0.0.1", "--port", String(wantedPort)],
    ...(options.connectionToken === undefined
      ? ["--without-connection-token"]
      : ["--connection-token", options.connectionToken]),
    ...["--accept-server-license-terms", "--disable-telemetry"],
    ...(builtIn === undefined ? [] : ["--enable-smoke-test-driver", "--builtin-extensions-dir", builtIn.directory]),
    ...["--server-data-dir", dataDirectory, "--extensions-dir", extensionsDirectory],
  ];
  const child = spawn(host.node, args, {
    env: {
      ...editorEnvironment(),
      ...(options.marketplace === true ? {} : { EXTENSIONS_GALLERY: '{"serviceUrl":""}' }),
      ...options.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });

  let output = "";
  const ended = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(`the editor host does not start: ${error.message}`));
    child.on("exit", (code, signal) => resolve(`the editor host ended (${signal ?? `exit code ${code}`})`));
  });
  const stop = async (): Promise<void> => {
    await endProcess(child);
    await builtIn?.remove();
    if (temporary) await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 });
  };
  const take = (chunk: Buffer): void => {
    const text = chunk.toString("utf8");
    output += text;
    for (const line of text.split("\n")) if (line.trim() !== "") options.log?.(line);
  };
  child.stderr.on("data", take);
  const port = await listeningPort(child, take, ended).catch(async (error: unknown) => {
    await stop();
    if (output.includes("EADDRINUSE")) {
      throw new Error(`Port ${wantedPort} is already in use. Choose another port with --port N.`);
    }
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${output.slice(-4000)}`);
  });

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? -1,
    version: host.version,
    dataDirectory,
    extensionsDirectory,
    ended,
    output: () => output,
    stop,
  };
}

async function writeSettings(dataDirectory: string, options: EditorServerOptions): Promise<void> {
  const settings = {
    ...servedSettings,
    ...(options.forUser === true ? {} : testSettings),
    ...options.settings,
  };
  for (const scope of options.forUser === true ? ["User"] : ["User", "Machine"]) {
    const directory = join(dataDirectory, "data", scope);
    await mkdir(directory, { recursive: true });
    const file = join(directory, "settings.json");
    // The user's own settings of an earlier start are kept.
    if (options.forUser === true && existsSync(file)) continue;
    await writeFile(file, `${JSON.stringify(settings, undefined, 2)}\n`);
  }
}

/**
 * Removes what the closed windows of a server have stored, except for its log, and writes the settings for the next
 * ones.
 */
export async function clearEditorData(
  { dataDirectory, extensionsDirectory }: EditorServer,
  settings: EditorServerOptions["settings"] = {},
): Promise<void> {
  const data = join(dataDirectory, "data");
  const kept = [data, extensionsDirectory, join(data, "logs"), join(data, "CachedProfilesData")];
  for (const directory of [dataDirectory, data]) {
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      if (!kept.includes(path)) await rm(path, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  await writeSettings(dataDirectory, { settings });
}

/**
 * Our environment without the variables of an editor around us: otherwise the server would assume that it runs inside
 * that editor.
 */
function editorEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/.test(name)),
  );
}

function listeningPort(child: ChildProcess, take: (chunk: Buffer) => void, ended: Promise<string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error("the editor host did not listen within 180 s")), 180_000);
    let seen = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      take(chunk);
      seen += chunk.toString("utf8");
      const port = /listening on (\d+)/.exec(seen)?.[1];
      if (port !== undefined) {
        clearTimeout(limit);
        resolve(Number(port));
      }
    });
    void ended.then((reason) => {
      clearTimeout(limit);
      reject(new Error(reason));
    });
  });
}
