"""A run from its start to its end."""

import binascii
import datetime
import json
import os
import threading
import time

from .cell_kernel import POLL_SECONDS, CellKernel
from .outputs import Outputs
from .preparation import RECORD, RunError, literal_of, prepared, source_of, tags_of
from .record import Record

MAX_NOTEBOOK_BYTES = 64_000_000
MAX_ERROR_LENGTH = 2000
# A run that says nothing for a long time must not look idle to the server.
REPORT_SECONDS = 60


def now():
    """Return the time as ISO 8601 in UTC."""
    return datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z")


class Run:
    """A run of a notebook. `job`: `source`, `target`, `parameters`, and `kernel` (None for this interpreter)."""

    def __init__(self, job):
        self._job = job
        self._canceled = threading.Event()
        size = os.path.getsize(job["source"])
        if size > MAX_NOTEBOOK_BYTES:
            raise RunError("the notebook has more than %d MB" % (MAX_NOTEBOOK_BYTES // 1_000_000))
        with open(job["source"], encoding="utf-8-sig") as file:
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
        # At the beginning of the file, where it can be read without the outputs.
        notebook = {"metadata": notebook["metadata"], **notebook}
        self.outputs = Outputs()
        self.record = Record(notebook, job["target"], self.outputs.settle)

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
            self.record.write_soon()
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
        problem = kernel.run(source_of(cell), self.outputs.add, self._canceled, self.record.catch_up)
        if problem is not None and "raises-exception" in tags_of(cell):
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
