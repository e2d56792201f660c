"""One request at a time: jedi is not thread-safe. Cancelled requests stop, also while they work."""

import ctypes
import threading

# Ranks: a request with a lower one goes first, and interrupts background work.
TYPED, ASKED, SEARCHED, BACKGROUND = range(4)

# Seconds between two looks at whether the work was cancelled.
_LOOK_SECONDS = 0.02


class Stopped(BaseException):
    """The request was cancelled or superseded. No `except Exception` of a library catches it."""


class _Turn:
    def __init__(self, key, rank, cancelled):
        self.key = key
        self.rank = rank
        self.cancelled = cancelled
        self.is_superseded = False


class Turns:
    """The queue of the requests."""

    def __init__(self):
        self._changed = threading.Condition()
        self._waiting = []
        self._running = None
        self._thread = None
        self._is_stopped = False

    def run(self, work, key, rank, cancelled):
        """Returns what `work()` returns. Raises Stopped once `cancelled()` is true.

        A waiting request with the same key is superseded by this one. Background work is stopped for any other.
        """
        turn = _Turn(key, rank, cancelled)
        watcher = threading.Thread(target=self._watch, args=(turn,), name="language-cancellation", daemon=True)
        try:
            self._wait(turn)
            watcher.start()
            return work()
        finally:
            self._end(turn)

    def _wait(self, turn):
        with self._changed:
            for other in self._waiting:
                if other.key == turn.key:
                    other.is_superseded = True
            self._waiting.append(turn)
            self._changed.notify_all()
            try:
                while self._running is not None or self._next() is not turn:
                    if turn.is_superseded or turn.cancelled():
                        raise Stopped()
                    if self._running is not None and self._running.rank == BACKGROUND and turn.rank < BACKGROUND:
                        self._stop_running()
                    self._changed.wait(_LOOK_SECONDS)
                if turn.is_superseded or turn.cancelled():
                    raise Stopped()
            finally:
                self._waiting.remove(turn)
                self._changed.notify_all()
            self._running = turn
            self._thread = threading.get_ident()
            self._is_stopped = False

    def _next(self):
        return min(self._waiting, key=lambda turn: turn.rank)

    def _watch(self, turn):
        with self._changed:
            while self._running is turn and not self._is_stopped:
                if turn.cancelled():
                    self._stop_running()
                    return
                self._changed.wait(_LOOK_SECONDS)

    def _stop_running(self):
        """Raises Stopped in the thread that works, once."""
        if not self._is_stopped:
            self._is_stopped = True
            _raise_in(self._thread, Stopped)

    def _end(self, turn):
        """Ends the turn. A Stopped that was not raised yet is dropped: nothing is left to stop."""
        while True:
            try:
                with self._changed:
                    if self._running is turn:
                        _raise_in(self._thread, None)
                        self._running = None
                        self._thread = None
                    self._changed.notify_all()
                return
            except Stopped:
                continue


def _raise_in(thread, error):
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(error) if error is not None else None
    )
