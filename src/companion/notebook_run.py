"""Runs the cells of a copy of a notebook in a kernel of their own. It runs by itself, in the kernel of a session.

Every server with IPython's kernel has what it needs: ipykernel requires jupyter_client. The executed notebook is the
only record of a run: its metadata has the state, and it is written after each cell, so that an interrupted run keeps
what it has.
"""

import ast
import binascii
import copy
import datetime
import json
import os
import queue
import shutil
import sys
import tempfile
import threading
import time
import uuid

RECORD = "platform_workbench_run"
PARAMETERS_TAG = "parameters"
INJECTED_TAG = "injected-parameters"
MAX_NOTEBOOK_BYTES = 64_000_000
MAX_PARAMETERS = 200
MAX_LITERAL_LENGTH = 20_000
# Bytes of all outputs of a cell. More text is dropped, with a note.
MAX_OUTPUT_BYTES = 32_000_000
MAX_ERROR_LENGTH = 2000
# Seconds between two looks at whether the run was canceled, or the kernel has died.
POLL_SECONDS = 0.5
KERNEL_START_SECONDS = 120
INTERRUPT_SECONDS = 20
# A run that says nothing for a long time must not look idle to the server.
REPORT_SECONDS = 60
# Writing a large notebook may take at most this share of the time.
WRITING_SHARE = 0.05


class RunError(Exception):
    """Why a run can't begin. The message is for people."""


def literal_of(text):
    """Return the value of a Python literal. Raises a RunError for anything else."""
    if len(text) > MAX_LITERAL_LENGTH:
        raise RunError("a parameter is too long")
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise RunError("%s is no Python value" % text[:100]) from error


def _tags(cell):
    tags = cell.get("metadata", {}).get("tags", [])
    return tags if isinstance(tags, list) else []


def prepared(notebook, parameters):
    """Return a copy of a notebook without outputs, with a cell that sets the parameters.

    `parameters`: the literal by name. The cell is added after the one with the tag `parameters`, or at the top. A cell
    that an earlier run has added is replaced.
    """
    if notebook.get("nbformat") != 4 or not isinstance(notebook.get("cells"), list):
        raise RunError("the notebook has an old format: open it in JupyterLab, and save it")
    if len(parameters) > MAX_PARAMETERS:
        raise RunError("there are too many parameters")
    for name, literal in parameters.items():
        if not name.isidentifier():
            raise RunError("%s is no name" % name[:100])
        literal_of(literal)
    result = copy.deepcopy(notebook)
    cells = [cell for cell in result["cells"] if isinstance(cell, dict) and INJECTED_TAG not in _tags(cell)]
    for cell in cells:
        if cell.get("cell_type") == "code":
            cell["outputs"] = []
            cell["execution_count"] = None
            cell.setdefault("metadata", {}).pop("papermill", None)
    if parameters:
        lines = ["# Parameters"] + ["%s = %s" % item for item in parameters.items()]
        cell = {
            "cell_type": "code",
            "metadata": {"tags": [INJECTED_TAG]},
            "source": "\n".join(lines),
            "outputs": [],
            "execution_count": None,
        }
        if result.get("nbformat_minor", 0) >= 5:
            cell["id"] = uuid.uuid4().hex[:8]
        places = [index for index, one in enumerate(cells) if PARAMETERS_TAG in _tags(one)]
        cells.insert(places[0] + 1 if places else 0, cell)
    result["cells"] = cells
    result.setdefault("metadata", {}).pop("papermill", None)
    result["metadata"].pop(RECORD, None)
    return result


def source_of(cell):
    """Return the text of a cell."""
    source = cell.get("source", "")
    return "".join(source) if isinstance(source, list) else str(source)


def now():
    """Return the time as ISO 8601 in UTC."""
    return datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")


class Outputs:
    """The outputs of all cells, as a kernel's messages make them."""

    def __init__(self):
        self._cell = None
        self._bytes = 0
        self._is_full = False
        self._clears = False
        self._displays = {}

    def begin(self, cell):
        self._cell = cell
        self._bytes = 0
        self._is_full = False
        self._clears = False

    def add(self, kind, content):
        """Apply a message from the kernel. Those without output are ignored."""
        if kind == "clear_output":
            if content.get("wait"):
                self._clears = True
            else:
                self._clear()
        elif kind == "update_display_data":
            identifier = content.get("transient", {}).get("display_id")
            for output in self._displays.get(identifier, []):
                output["data"] = content.get("data", {})
                output["metadata"] = content.get("metadata", {})
        elif kind == "stream":
            self._stream(content.get("name", "stdout"), content.get("text", ""))
        elif kind in ("display_data", "execute_result"):
            output = {
                "output_type": kind,
                "data": content.get("data", {}),
                "metadata": content.get("metadata", {}),
            }
            if kind == "execute_result":
                output["execution_count"] = content.get("execution_count")
            if self._append(output, len(json.dumps(output, default=str))):
                identifier = content.get("transient", {}).get("display_id")
                if identifier:
                    self._displays.setdefault(identifier, []).append(output)
        elif kind == "error":
            names = ("ename", "evalue", "traceback")
            output = {name: content.get(name, [] if name == "traceback" else "") for name in names}
            self._append({"output_type": "error", **output}, 0)
        elif kind == "execute_input":
            self._cell["execution_count"] = content.get("execution_count")

    def _clear(self):
        self._clears = False
        self._cell["outputs"] = []
        self._bytes = 0
        self._is_full = False

    def _fits(self, size):
        if self._clears:
            self._clear()
        if self._is_full:
            return False
        self._bytes += size
        if self._bytes <= MAX_OUTPUT_BYTES:
            return True
        self._is_full = True
        note = "\nThe rest of the output is left out: a cell of a run keeps %d MB.\n" % (MAX_OUTPUT_BYTES // 1_000_000)
        self._cell["outputs"].append({"output_type": "stream", "name": "stderr", "text": note})
        return False

    def _append(self, output, size):
        if not self._fits(size):
            return False
        self._cell["outputs"].append(output)
        return True

    def _stream(self, name, text):
        if not self._fits(len(text)):
            return
        outputs = self._cell["outputs"]
        last = outputs[-1] if outputs else {}
        if last.get("output_type") == "stream" and last.get("name") == name:
            last["text"] += text
        else:
            outputs.append({"output_type": "stream", "name": name, "text": text})


class Record:
    """The executed notebook on disk."""

    def __init__(self, notebook, target):
        self.notebook = notebook
        self._target = target
        self._written_at = 0.0
        self._takes = 0.0

    def create(self):
        """Write it for the first time. Raises a RunError if there is such a file."""
        try:
            os.close(os.open(self._target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        except FileExistsError as error:
            raise RunError("%s exists already" % self._target) from error
        self.write()

    def write(self, is_final=True):
        """Replace the file as a whole. Otherwise than at the end, large ones are written less often."""
        started = time.monotonic()
        if not is_final and started - self._written_at < self._takes / WRITING_SHARE:
            return
        part = os.path.join(os.path.dirname(self._target), ".%s.part" % os.path.basename(self._target))
        try:
            with open(part, "w", encoding="utf-8") as file:
                json.dump(self.notebook, file, indent=1, ensure_ascii=False, default=str)
                file.write("\n")
            shutil.copymode(self._target, part)
            os.replace(part, self._target)
        finally:
            if os.path.exists(part):
                os.unlink(part)
        self._written_at = time.monotonic()
        self._takes = self._written_at - started


class Run:
    """A run of a notebook. `job`: `source`, `target`, `parameters`, and `kernel` (None for this interpreter)."""

    def __init__(self, job):
        self._job = job
        self._canceled = threading.Event()
        size = os.path.getsize(job["source"])
        if size > MAX_NOTEBOOK_BYTES:
            raise RunError("the notebook has more than %d MB" % (MAX_NOTEBOOK_BYTES // 1_000_000))
        with open(job["source"], encoding="utf-8") as file:
            notebook = json.load(file)
        parameters = job["parameters"]
        notebook = prepared(notebook, parameters)
        self._started = time.monotonic()
        self.cells = [
            cell for cell in notebook["cells"] if cell.get("cell_type") == "code" and source_of(cell).strip() != ""
        ]
        self.state = {
            "version": 1,
            "status": "running",
            "source": os.path.basename(job["source"]),
            "parameters": parameters,
            "cell": 0,
            "cells": len(self.cells),
        }
        self.papermill = {
            "parameters": {name: _plain(literal_of(literal)) for name, literal in parameters.items()},
            "input_path": job["source"],
            "output_path": job["target"],
            "start_time": now(),
            "end_time": None,
            "duration": None,
            "exception": None,
        }
        notebook["metadata"]["papermill"] = self.papermill
        notebook["metadata"][RECORD] = self.state
        self.record = Record(notebook, job["target"])
        self.outputs = Outputs()

    def cancel(self):
        """End the run. What ran is kept. Returns at once."""
        self._canceled.set()

    def perform(self, start_kernel):
        """Run all cells. `start_kernel` returns an object like `CellKernel`. Never raises."""
        try:
            kernel = start_kernel(self._job.get("kernel"))
            try:
                self._run_cells(kernel)
            finally:
                kernel.end()
        except Exception as error:
            self._end("failed", "%s: %s" % (type(error).__name__, error))

    def _run_cells(self, kernel):
        for number, cell in enumerate(self.cells, 1):
            if self._canceled.is_set():
                self._end("canceled", None)
                return
            self.state["cell"] = number
            self.record.write(is_final=False)
            problem = self._run_cell(kernel, cell)
            if self._canceled.is_set():
                self._end("canceled", None)
                return
            if problem is not None:
                self._end("failed", problem)
                return
        self._end("succeeded", None)

    def _run_cell(self, kernel, cell):
        self.outputs.begin(cell)
        started, began = time.monotonic(), now()
        problem = kernel.run(source_of(cell), self.outputs.add, self._canceled)
        if problem is not None and "raises-exception" in _tags(cell):
            problem = None
        cell.setdefault("metadata", {})["papermill"] = {
            "start_time": began,
            "end_time": now(),
            "duration": round(time.monotonic() - started, 6),
            "exception": problem is not None,
            "status": "completed" if problem is None else "failed",
        }
        return problem

    def _end(self, status, problem):
        self.state["status"] = status
        if problem is not None:
            self.state["error"] = problem[:MAX_ERROR_LENGTH]
        self.papermill["exception"] = status != "succeeded"
        self.papermill["end_time"] = now()
        self.papermill["duration"] = round(time.monotonic() - self._started, 6)
        self.record.write()


def _plain(value):
    try:
        json.dumps(value, allow_nan=False)
        return value
    except (TypeError, ValueError):
        return repr(value)


class CellKernel:
    """A kernel for the cells, which ends with this process."""

    def __init__(self, name):
        from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
        from jupyter_client.manager import KernelManager

        class OwnInterpreter(KernelSpecManager):
            def get_kernel_spec(self, kernel_name):
                argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
                return KernelSpec(argv=argv, display_name="Python 3", language="python")

        self._directory = tempfile.mkdtemp(prefix="pw-run-")
        specs = OwnInterpreter() if name is None else KernelSpecManager()
        self._manager = KernelManager(kernel_name=name or "python3", kernel_spec_manager=specs)
        if os.name == "posix":
            # Nobody else can reach these, and no port has to be free.
            self._manager.transport = "ipc"
            self._manager.connection_file = os.path.join(self._directory, "kernel.json")
        try:
            self._manager.start_kernel(cwd=os.getcwd())
            self._client = self._manager.client()
            self._client.start_channels()
            self._client.wait_for_ready(timeout=KERNEL_START_SECONDS)
        except BaseException:
            self.end()
            raise

    def run(self, source, on_output, canceled):
        """Run a cell. Returns None, or the reason why it failed."""
        request = self._client.execute(source, allow_stdin=False, stop_on_error=True)
        problem = None
        interrupted_at = None
        while True:
            if canceled.is_set() and interrupted_at is None:
                interrupted_at = time.monotonic()
                self._manager.interrupt_kernel()
            if interrupted_at is not None and time.monotonic() - interrupted_at > INTERRUPT_SECONDS:
                return "The cell didn't end after it was interrupted."
            try:
                message = self._client.get_iopub_msg(timeout=POLL_SECONDS)
            except queue.Empty:
                if not self._manager.is_alive():
                    return "The kernel died."
                continue
            if message["parent_header"].get("msg_id") != request:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content.get("execution_state") == "idle":
                return problem
            if kind == "error":
                problem = "%s: %s" % (content.get("ename", ""), content.get("evalue", ""))
            on_output(kind, content)

    def end(self):
        """End the kernel."""
        client = getattr(self, "_client", None)
        if client is not None:
            client.stop_channels()
        if self._manager.has_kernel:
            self._manager.shutdown_kernel(now=True)
        shutil.rmtree(self._directory, ignore_errors=True)


def _in_thread(run):
    import asyncio

    # The kernel's own event loop is busy meanwhile.
    asyncio.set_event_loop(asyncio.new_event_loop())
    run.perform(CellKernel)


def execute(job):
    """Run a notebook until it ends. An interrupt cancels it. Returns the state as JSON in hexadecimal digits."""
    try:
        import jupyter_client  # noqa: F401 - reports that it is missing before anything is written

        run = Run(job)
        run.record.create()
    except Exception as error:
        reason = str(error) if isinstance(error, RunError) else "%s: %s" % (type(error).__name__, error)
        return binascii.hexlify(json.dumps({"state": "refused", "reason": reason[:500]}).encode()).decode()
    thread = threading.Thread(target=_in_thread, args=(run,), daemon=True)
    thread.start()
    reported, reported_at = None, 0.0
    while thread.is_alive():
        try:
            thread.join(POLL_SECONDS)
            progress = "Cell %d of %d" % (run.state["cell"], run.state["cells"])
            if progress != reported or time.monotonic() - reported_at > REPORT_SECONDS:
                reported, reported_at = progress, time.monotonic()
                print(progress, flush=True)
        except KeyboardInterrupt:
            run.cancel()
    return binascii.hexlify(json.dumps({"state": run.state["status"]}).encode()).decode()
