"""Runs the code of values, such as `__repr__`, in a thread that is abandoned if that takes too long."""

import threading
import time

from ..interruption import Stopped, raise_in
from ..protocol import ServiceError
from .inspection import type_name
from .silence import silence

# Code that can't be stopped goes on in its thread. With this many of them, no other code of values is run.
MAX_ABANDONED = 4
SLOW = object()
SKIPPED = object()

_STEP_SECONDS = 0.05


class Worker:
    def __init__(self):
        self._lock = threading.Lock()
        self._abandoned = []

    def run(self, work, items, each_seconds, all_seconds):
        """Return `work(item)` for each item, SLOW for one that took too long, and SKIPPED for those without a try.

        A ServiceError stands for an item of which the work raised. While Python's lock is held by other code, the time
        doesn't count: waits are counted, also because code of the user may stop the clock.
        """
        results = [SKIPPED] * len(items)
        end = time.monotonic() + all_seconds
        begin = 0
        while begin < len(items) and time.monotonic() < end and self._may_start():
            batch = _Batch(work, items, begin, end, results)
            begin = batch.wait(each_seconds)
            if batch.is_abandoned:
                with self._lock:
                    self._abandoned.append(batch.thread)
        return results

    def _may_start(self):
        with self._lock:
            self._abandoned = [thread for thread in self._abandoned if thread.is_alive()]
            return len(self._abandoned) < MAX_ABANDONED


class _Batch:
    """The items from one on, in a thread of their own."""

    def __init__(self, work, items, begin, end, results):
        self._work = work
        self._items = items
        self._end = end
        self._results = results
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._index = begin
        self.is_abandoned = False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def wait(self, each_seconds):
        """Wait for the end, or until an item takes too long. Return the index of the first item that wasn't tried."""
        index, spent = -1, 0.0
        while True:
            is_done = self._done.wait(_STEP_SECONDS)
            with self._lock:
                if is_done:
                    return self._index
                if self._index != index:
                    index, spent = self._index, 0.0
                spent += _STEP_SECONDS
                if spent < each_seconds:
                    continue
                self.is_abandoned = True
                self._results[index] = SLOW
            raise_in(self.thread.ident, Stopped)
            return index + 1

    def _run(self):
        try:
            with silence():
                self._run_items()
        except Stopped:
            return
        finally:
            self._done.set()

    def _run_items(self):
        while self._index < len(self._items) and time.monotonic() < self._end:
            try:
                result = self._work(self._items[self._index])
            except Stopped:
                raise
            except BaseException as error:
                # Also SystemExit, with which code of a value would otherwise end this thread.
                result = ServiceError("raised", type_name(error))
            with self._lock:
                if self.is_abandoned:
                    return
                self._results[self._index] = result
                self._index += 1
