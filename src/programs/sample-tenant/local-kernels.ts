import { join } from "node:path";
import { errorMessage } from "../../api/error-message.ts";
import { findJupyterPython, type JupyterProcess, startJupyterProcess } from "./jupyter-process.ts";
import type { ContentServerAddress } from "./reverse-proxy.ts";
import { lazyByKey } from "./workspaces.ts";

/** Jupyter Servers on this computer that run the notebooks of a sample tenant's workspaces. */
export interface LocalKernels {
  /** The server of a folder, which is started on the first call; undefined if this computer has none. */
  addressOf(root: string): Promise<ContentServerAddress | undefined>;
  stop(): void;
}

/** Uses the Python of this computer, and installs nothing. */
export async function localKernels(directory: string, log: (line: string) => void): Promise<LocalKernels> {
  const python = await findJupyterPython();
  const started: JupyterProcess[] = [];
  log(
    python === undefined
      ? "no Python with jupyter_server and ipykernel was found, so notebooks can't run"
      : `kernels: ${python}`,
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
      log(errorMessage(error));
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
