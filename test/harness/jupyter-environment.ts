import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** A separate home for a Jupyter program, so that it doesn't use the user's configuration, trash, and history. */
export interface JupyterHome {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /**
   * How kernels are reached. `ipc`: with sockets in the file system. If another program got one of a kernel's ports
   * between its choice and its use, a server would start the kernel again on the same ports, and remove it after five
   * attempts. `tcp` only if the paths of sockets would be too long for the system.
   */
  readonly kernelTransport: "ipc" | "tcp";
}

/** The option of a server whose terminals run a shell that doesn't read the configuration of this computer. */
export const plainShell = "--ServerApp.terminado_settings={'shell_command':['/bin/bash','--norc','--noprofile']}";

/** Maximum length of a socket's path that all systems accept. */
const maxSocketPathLength = 103;
/** As long as the name of each socket of a kernel. */
const socketName = "kernel-00000000-0000-0000-0000-000000000000-ipc-5";

/** Creates a temporary home. The caller removes `directory`. */
export async function makeJupyterHome(python: string): Promise<JupyterHome> {
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-jupyter-"));
  const places = {
    HOME: directory,
    JUPYTER_CONFIG_DIR: join(directory, "config"),
    JUPYTER_DATA_DIR: join(directory, "jupyter-data"),
    JUPYTER_RUNTIME_DIR: join(directory, "runtime"),
    IPYTHONDIR: join(directory, "ipython"),
    // The location of the trash of `delete_to_trash`.
    XDG_DATA_HOME: join(directory, "data"),
    XDG_CONFIG_HOME: join(directory, "config"),
    XDG_CACHE_HOME: join(directory, "cache"),
  };
  for (const place of Object.values(places)) await mkdir(place, { recursive: true });
  const path = [dirname(python), process.env.PATH ?? ""].join(delimiter);
  const socketPath = join(places.JUPYTER_RUNTIME_DIR, socketName);
  return {
    directory,
    kernelTransport: socketPath.length > maxSocketPathLength ? "tcp" : "ipc",
    environment: { ...places, PATH: path, JUPYTER_NO_CONFIG: "1", PYTHONUNBUFFERED: "1", JUPYTER_PLATFORM_DIRS: "0" },
  };
}
