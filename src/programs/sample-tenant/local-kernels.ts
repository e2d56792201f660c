import { join } from "node:path";
import { errorMessage } from "../../api/error-message.ts";
import { findJupyterPython, type JupyterProcess, startJupyterProcess } from "./jupyter-process.ts";
import type { ContentServerAddress } from "./reverse-proxy.ts";

/** Jupyter Servers on this computer that run the notebooks of a sample tenant's workspaces. */
export interface LocalKernels {
  /** The server of a folder, which is started on the first call; undefined if this computer has none. */
  addressOf(root: string): Promise<ContentServerAddress | undefined>;
  /** Ends the server of a folder, and its kernels. */
  end(root: string): Promise<void>;
  stop(): void;
}

/** Uses the Python of this computer, and installs nothing. */
export async function localKernels(directory: string, log: (line: string) => void): Promise<LocalKernels> {
  const python = await findJupyterPython();
  const started = new Map<string, Promise<JupyterProcess>>();
  log(
    python === undefined
      ? "no Python with jupyter_server and ipykernel was found, so notebooks can't run"
      : `kernels: ${python}`,
  );
  return {
    async addressOf(root) {
      if (python === undefined) {
        return undefined;
      }
      const starting = started.get(root) ?? startJupyterProcess(python, root, join(directory, "jupyter"));
      started.set(root, starting);
      try {
        return (await starting).address;
      } catch (error) {
        started.delete(root);
        log(errorMessage(error));
        return undefined;
      }
    },
    async end(root) {
      const server = started.get(root);
      started.delete(root);
      (await server?.catch(() => undefined))?.stop();
    },
    stop() {
      for (const server of started.values()) {
        server.then(
          ({ stop }) => stop(),
          () => undefined,
        );
      }
    },
  };
}
