"""One request at a time: jedi is not thread-safe. Cancelled requests stop, also while they work."""

import threading

from ..interruption import Stopped, raise_in

# Ranks: a request with a lower one goes first, and interrupts background work.
TYPED, ASKED, SEARCHED, BACKGROUND = range(4)

# Seconds until running work that others wait for is stopped again. A library can lose an exception.
_STOP_SECONDS = 0.25


class _Turn:
    def __init__(self, key, rank, context):
        self.key = key
        self.rank = rank
        self.context = context
        self.is_superseded = False

    def is_stopped(self):
        return self.is_superseded or self.context.cancelled()


class Turns:
    """The queue of the requests."""

    def __init__(self):
        self._changed = threading.Condition()
        self._waiting = []
        self._running = None
        self._thread = None
        # Whether the running work got an exception, which it may not have raised yet.
        self._is_stopping = False

    def run(self, work, key, rank, context):
        """Return what `work()` returns. Raise Stopped once the request is cancelled.

        A waiting request with the same key is superseded by a later one. Background work is stopped for any other.
        No thread may be started by the work: Python gives it the exception that is meant for the one that starts it.
        """
        turn = _Turn(key, rank, context)
        context.on_cancel(lambda: self._cancel(turn))
        try:
            try:
                self._wait(turn)
                return work()
            finally:
                self._end(turn)
        except Stopped:
            # It may have come before the end began.
            self._end(turn)
            raise

    def _wait(self, turn):
        with self._changed:
            for other in self._waiting:
                if other.key == turn.key:
                    # Their documents are read in threads, so that the later one may be the first here.
                    min(turn, other, key=lambda one: one.context.number).is_superseded = True
            self._waiting.append(turn)
            self._changed.notify_all()
            try:
                while not turn.is_stopped() and (self._running is not None or self._next() is not turn):
                    running = self._running
                    is_background = running is not None and running.rank == BACKGROUND
                    if running is not None and (running.is_stopped() or (is_background and turn.rank < BACKGROUND)):
                        self._stop()
                    self._changed.wait(_STOP_SECONDS)
                if turn.is_stopped():
                    raise Stopped()
            finally:
                self._waiting.remove(turn)
                self._changed.notify_all()
            self._running = turn
            self._thread = threading.get_ident()

    def _next(self):
        return min(self._waiting, key=lambda turn: turn.rank)

    def _cancel(self, turn):
        with self._changed:
            if self._running is turn:
                self._stop()
            self._changed.notify_all()

    def _stop(self):
        self._is_stopping = True
        raise_in(self._thread, Stopped)

    def _end(self, turn):
        """Ends the turn. A Stopped that was not raised yet is dropped: nothing is left to stop."""
        while True:
            try:
                with self._changed:
                    if self._running is turn:
                        # Python 3.11 has a slower path, and a profiler hangs, if there was nothing to withdraw.
                        if self._is_stopping:
                            raise_in(self._thread, None)
                            self._is_stopping = False
                        self._running = None
                        self._thread = None
                    self._changed.notify_all()
                return
            except Stopped:
                continue
