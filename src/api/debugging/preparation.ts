import * as z from "zod/mini";
import { pythonText } from "../kernels/recorder/recorder-code.ts";

/**
 * Keeps the kernel's socket from connecting to debugpy again by itself: when debugpy ends a session, it closes the
 * connection, which ipykernel may notice too late. debugpy stops listening for good if a connection is closed while it
 * accepts it, and no later session would get a reply.
 *
 * Looks for the workspace's root above the kernel's first directory, and makes the debugger take the rules of the
 * `attach` request, until that is done. ipykernel 7 otherwise excludes all modules that were loaded when it started, many
 * of the standard library among them.
 *
 * Creates the folder for the code of cells again if a cleanup of temporary files has deleted it: ipykernel does so once
 * in its life, and wouldn't reply to `dumpCell`.
 */
const source = `
import contextlib, json, os, sys
from IPython.core.getipython import get_ipython

def folder_of(name):
    file = getattr(sys.modules.get(name), "__file__", None)
    return os.path.dirname(file) if file and os.path.basename(file).startswith("__init__.") else file

def connect_once(client):
    import zmq
    connect = type(client).connect_tcp_socket
    def connect_tcp_socket():
        client.debugpy_stream.socket.setsockopt(zmq.RECONNECT_IVL, 3600000)
        connect(client)
    client.connect_tcp_socket = connect_tcp_socket

def prepare(path, folder):
    shell = get_ipython()
    debugger = getattr(shell.kernel, "debugger", None)
    start = getattr(shell, "starting_dir", None) or os.getcwd()
    above, root = start, None
    while path and root is None:
        if os.path.lexists(os.path.join(above, *path.split("/"))):
            root = above
        parent = os.path.dirname(above)
        if parent == above:
            break
        above = parent
    if root is None:
        tail = os.sep + os.path.join(*folder.split("/")) if folder else ""
        root = start[:len(start) - len(tail)] or os.sep if start.endswith(tail) else None
    names = ("ipykernel", "IPython", "tornado", "zmq", "traitlets", "jupyter_client", "asyncio", "selectors", "debugpy",
        "executing", "stack_data", "asttokens", "pygments", "ipykernel_launcher", "runpy", "contextlib", "threading",
        "comm", "matplotlib_inline", "decorator", "concurrent", "codeop", "linecache")
    if debugger is not None:
        debugger.just_my_code, debugger.filter_internal_frames = True, False
        connect_once(debugger.debugpy_client)
        from ipykernel.compiler import get_tmp_directory
        with contextlib.suppress(OSError):
            os.makedirs(get_tmp_directory(), 0o700, exist_ok=True)
    return {
        "roots": [] if root is None else list(dict.fromkeys((root, os.path.realpath(root)))),
        "excluded": sorted({found for found in map(folder_of, names) if found}),
        "hasDebugger": debugger is not None,
    }

def restore():
    kernel = get_ipython().kernel
    # An interrupt while it was stopped has ended the tracing of this thread.
    sys.modules["debugpy"].trace_this_thread(True)
    kernel.debugger.just_my_code = kernel.debug_just_my_code
    kernel.debugger.filter_internal_frames = getattr(kernel, "filter_internal_frames", True)

class Result:
    def __init__(self, value):
        self.value = value
    def __repr__(self):
        return json.dumps(self.value)
`;

const preparation = z.object({
  roots: z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(2)),
  excluded: z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(100)),
  hasDebugger: z.boolean(),
});

export type Preparation = z.output<typeof preparation>;

/** Python expression that prepares the kernel. `path`: a content path that exists, or empty. `folder`: the kernel's. */
export function preparingExpression(path: string, folder: string): string {
  return calling(`prepare(${pythonText(path)}, ${pythonText(folder)})`);
}

/** Python expression that undoes the change to the debugger. */
export function restoringExpression(): string {
  return calling("restore()");
}

/** What a kernel replied; undefined if it isn't valid. */
export function preparationOf(text: string): Preparation | undefined {
  try {
    const parsed = z.safeParse(preparation, JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function calling(call: string): string {
  const code = pythonText(`${source}\nresult = Result(${call})\n`);
  return `(lambda n: (__import__("builtins").exec(${code}, n), n["result"])[1])({"__name__": "platform_workbench"})`;
}
