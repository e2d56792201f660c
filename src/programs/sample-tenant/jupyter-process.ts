import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ContentServerAddress } from "./reverse-proxy.ts";

/** A real Jupyter Server that runs the notebooks of a folder. */
export interface JupyterProcess {
  readonly address: ContentServerAddress;
  stop(): void;
}

const candidates = process.platform === "win32" ? ["python", "py"] : ["python3", "python"];
const modules = ["jupyter_server", "ipykernel"];
/** Milliseconds. */
const probeTimeoutMs = 10_000;
const startTimeoutMs = 60_000;
const betweenLooks = 150;

/** The first Python on this computer that has Jupyter Server and ipykernel. Installs nothing. */
export async function findJupyterPython(): Promise<string | undefined> {
  const found = `all(importlib.util.find_spec(name) for name in ${JSON.stringify(modules)})`;
  for (const python of candidates) {
    if (await succeeds(python, ["-c", `import importlib.util, sys; sys.exit(0 if ${found} else 1)`])) {
      return python;
    }
  }
  return undefined;
}

/**
 * Starts Jupyter Server on 127.0.0.1 for a folder, with its own token and without the user's configuration, and waits
 * until it responds. It ends with this process. Rejects if it doesn't start.
 */
export async function startJupyterProcess(python: string, root: string, directory: string): Promise<JupyterProcess> {
  const port = await freePort();
  const token = randomBytes(24).toString("hex");
  const [configuration, runtime] = [join(directory, "config"), join(directory, "runtime")];
  await Promise.all([configuration, runtime].map((place) => mkdir(place, { recursive: true, mode: 0o700 })));
  const child = spawn(
    python,
    [
      ...["-c", untilInputEnds, "--ip=127.0.0.1", `--port=${port}`, "--ServerApp.port_retries=0", "--no-browser"],
      ...["--allow-root", `--ServerApp.root_dir=${root}`, "--ServerApp.terminals_enabled=False"],
    ],
    {
      cwd: root,
      // Other programs on this computer can read a command line, but not an environment.
      env: {
        ...process.env,
        JUPYTER_TOKEN: token,
        JUPYTER_NO_CONFIG: "1",
        JUPYTER_CONFIG_DIR: configuration,
        JUPYTER_RUNTIME_DIR: runtime,
      },
      stdio: ["pipe", "ignore", "ignore"],
    },
  );
  const address = { url: `http://127.0.0.1:${port}/`, token };
  const stop = (): void => void child.kill();
  if (!(await responses(child, address))) {
    stop();
    throw new Error("The Jupyter Server of the sample tenant can't be started.");
  }
  return { address, stop };
}

/** Ends the server together with the process that started it, whose end closes the standard input. */
const untilInputEnds = [
  "import os, sys, threading",
  "threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()",
  "from jupyter_server.serverapp import main",
  "main()",
].join("\n");

async function responses(child: ChildProcess, { url, token }: ContentServerAddress): Promise<boolean> {
  let hasEnded = false;
  child.once("error", () => {
    hasEnded = true;
  });
  child.once("exit", () => {
    hasEnded = true;
  });
  for (const limit = Date.now() + startTimeoutMs; Date.now() < limit && !hasEnded; ) {
    const response = await fetch(`${url}api/kernelspecs`, {
      headers: { authorization: `token ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.status === 200) {
      return true;
    }
    await pause(betweenLooks);
  }
  return false;
}

function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "ignore", timeout: probeTimeoutMs });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
