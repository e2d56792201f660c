import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type JupyterServer, startJupyterServer } from "../harness/jupyter-server.ts";
import { type SocketProxy, startSocketProxy } from "../harness/socket-proxy.ts";
import { type FirstWindow, type OpenedWorkspace, openTenantWindow, type TenantWindowOptions } from "./tenant-window.ts";

export interface JupyterWindowOptions extends Pick<TenantWindowOptions, "settings" | "window"> {
  /** The workspace whose folder the window shows from the start. None by default. */
  readonly workspace?: Pick<OpenedWorkspace, "name">;
  /** The files to serve, by path. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** True to serve terminals. Default false. */
  readonly terminals?: boolean;
  /** True for kernels with a debugger. Default false. */
  readonly debugger?: boolean;
  /** Additional variables of the server's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** True for a server with Jupyter Scheduler. Default false. */
  readonly scheduler?: boolean;
  /** Further options of the server. */
  readonly serverArguments?: readonly string[];
}

/** A window in which every workspace is a folder of a real Jupyter Server. */
export interface JupyterWindow extends FirstWindow {
  readonly jupyter: JupyterServer;
  /** All connections to the server pass through it. */
  readonly connections: SocketProxy;
  /** The directory that it serves. */
  readonly root: string;
}

export async function openJupyterWindow(options: JupyterWindowOptions): Promise<JupyterWindow> {
  const {
    files,
    terminals = false,
    debugger: debugs = false,
    scheduler = false,
    environment = {},
    serverArguments = [],
    ...others
  } = options;
  const root = await mkdtemp(join(tmpdir(), "platform-workbench-jupyter-"));
  let jupyter: JupyterServer | undefined;
  let connections: SocketProxy | undefined;
  let window: FirstWindow | undefined;
  const close = async (): Promise<void> => {
    await window?.close();
    await connections?.stop();
    await jupyter?.kill();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    const token = "token-of-the-jupyter-server";
    jupyter = await startJupyterServer({
      ...{ root, token, terminals, scheduler, environment, debugger: debugs, extraArguments: serverArguments },
    });
    connections = await startSocketProxy(jupyter.url);
    const address = { url: connections.url(`${jupyter.url}/`), token };
    window = await openTenantWindow({
      ...others,
      tenant: { contentServer: { kind: "proxied", addressOf: async () => address } },
    });
    return { ...window, jupyter, connections, root, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The text of a notebook that has not been run: optionally a heading, and Python cells. */
export function pythonNotebook(sources: readonly string[], heading?: string): string {
  const title = { cell_type: "markdown", id: "title", metadata: {}, source: `# ${heading}` };
  const cells = sources.map((source, index) => ({
    cell_type: "code",
    id: `cell-${index}`,
    metadata: {},
    source,
    execution_count: null,
    outputs: [],
  }));
  const kernelspec = { name: "python3", display_name: "Python 3", language: "python" };
  return JSON.stringify({
    cells: heading === undefined ? cells : [title, ...cells],
    metadata: { kernelspec },
    nbformat: 4,
    nbformat_minor: 5,
  });
}
