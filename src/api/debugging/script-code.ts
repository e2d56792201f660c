import { pythonText } from "../kernels/recorder/recorder-code.ts";

/** The type of the request on the control channel that ends the kernel's process. */
export const endRequest = "platform_workbench_end_script";

/**
 * Runs a file as `python FILE` does. The kernel's event loop is hidden meanwhile, because `asyncio.run` refuses to run
 * beside one. Frames of this code are left out of tracebacks.
 */
const source = `
import asyncio, os, runpy, sys, threading, traceback
from IPython.core.getipython import get_ipython

def run(path, parameters, end_request):
    get_ipython().kernel.control_handlers[end_request] = lambda *_: os._exit(1)
    threads = set(threading.enumerate())
    loop = asyncio._get_running_loop()
    swap = getattr(asyncio.tasks, "_swap_current_task", None)
    task = swap(loop, None) if swap and loop else None
    asyncio._set_running_loop(None)
    sys.argv[:] = [path, *parameters]
    sys.path.insert(0, os.path.dirname(path))
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as error:
        if error.code is not None and not isinstance(error.code, int):
            print(error.code, file=sys.stderr)
    except BaseException as error:
        frames = error.__traceback__
        while frames and frames.tb_frame.f_code.co_filename != path:
            frames = frames.tb_next
        error.__traceback__ = frames
        traceback.print_exception(type(error), error, frames)
    finally:
        for thread in threading.enumerate():
            if thread not in threads and not thread.daemon:
                thread.join()
        sys.stdout.flush()
        sys.stderr.flush()
        asyncio._set_running_loop(loop)
        if swap and loop:
            swap(loop, task)
`;

/** Code that runs a file. `path`: that on the server. */
export function scriptCode(path: string, parameters: readonly string[]): string {
  const call = `run(${pythonText(path)}, [${parameters.map(pythonText).join(", ")}], ${pythonText(endRequest)})`;
  return `exec(${pythonText(`${source}\n${call}\n`)}, {"__name__": "platform_workbench"})`;
}
