import { join } from "node:path";
import { findJupyterPython, type JupyterProcess, startJupyterProcess } from "./jupyter-process.ts";
import type { ContentServerAddress } from "./reverse-proxy.ts";
import { lazyByKey } from "./workspaces.ts";

/** Jupyter Servers of this computer for the workspaces of a sample tenant: their notebooks run. */
export interface LocalKernels {
  /** The server of a folder, started with the first call; undefined where this computer has none. */
  addressOf(root: string): Promise<ContentServerAddress | undefined>;
  stop(): void;
}

/** Uses what this computer has, and installs nothing. */
export async function localKernels(directory: string, log: (line: string) => void): Promise<LocalKernels> {
  const python = await findJupyterPython();
  const started: JupyterProcess[] = [];
  log(
    python === undefined ? "no Python with jupyter_server and ipykernel: notebooks do not run" : `kernels: ${python}`,
  );
  const addressOf = lazyByKey(async (root) => {
    if (python === undefined) {
      return undefined;
    }
    try {
      const server = await startJupyterProcess(python, root, join(directory, "jupyter"));
      started.push(server);
      return server.address;
    } catch (error) {
      log(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  });
  return {
    addressOf,
    stop() {
      for (const server of started) {
        server.stop();
      }
    },
  };
}
