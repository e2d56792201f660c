import contextlib
import threading

import pytest

from companion.interruption import Stopped
from companion.language.turns import ASKED, BACKGROUND, TYPED, Turns

from .language_request import Context

TIMEOUT = 30


class Worker:
    """A request in a thread of its own, which works until it is released or stopped."""

    def __init__(self, turns, key, rank=ASKED, log=None, context=None):
        self.started = threading.Event()
        self.released = threading.Event()
        self.context = context or Context()
        self.outcome = None
        self.log = log if log is not None else []
        self.key = key
        self.thread = threading.Thread(target=self._run, args=(turns, rank), daemon=True)
        self.thread.start()

    def _run(self, turns, rank):
        try:
            self.outcome = turns.run(self._work, self.key, rank, self.context)
        except Stopped:
            self.outcome = "stopped"

    def _work(self):
        self.log.append(self.key)
        self.started.set()
        # As jedi does, it works in Python without looking whether it was cancelled.
        while not self.released.is_set():
            pass
        return "done"

    def end(self):
        self.thread.join(TIMEOUT)
        assert not self.thread.is_alive()
        return self.outcome


def waits(turns, count):
    with turns._changed:
        assert turns._changed.wait_for(lambda: len(turns._waiting) == count, TIMEOUT)


def test_stops_work_that_is_cancelled():
    turns = Turns()
    worker = Worker(turns, "a")
    assert worker.started.wait(TIMEOUT)
    worker.context.cancel()
    assert worker.end() == "stopped"
    assert turns.run(lambda: 1, "b", TYPED, Context()) == 1


def test_supersedes_the_waiting_request_with_the_same_key_and_sorts_by_rank():
    turns = Turns()
    log = []
    first = Worker(turns, "first", log=log)
    assert first.started.wait(TIMEOUT)
    old = Worker(turns, "complete", ASKED, log)
    waits(turns, 1)
    new = Worker(turns, "complete", ASKED, log)
    assert old.end() == "stopped"
    typed = Worker(turns, "typed", TYPED, log)
    waits(turns, 2)
    for worker in (new, typed, first):
        worker.released.set()
    assert [first.end(), typed.end(), new.end()] == ["done", "done", "done"]
    assert log == ["first", "typed", "complete"]


def test_supersedes_a_request_that_was_overtaken():
    turns = Turns()
    running = Worker(turns, "running")
    assert running.started.wait(TIMEOUT)
    earlier = Context()
    later = Worker(turns, "complete")
    waits(turns, 1)
    assert Worker(turns, "complete", context=earlier).end() == "stopped"
    for worker in (later, running):
        worker.released.set()
    assert [running.end(), later.end()] == ["done", "done"]


def test_interrupts_background_work():
    turns = Turns()
    background = Worker(turns, "prepare", BACKGROUND)
    assert background.started.wait(TIMEOUT)
    assert turns.run(lambda: 1, "complete", TYPED, Context()) == 1
    assert background.end() == "stopped"


def test_does_not_stop_what_follows():
    turns = Turns()
    for number in range(300):
        context = Context()
        canceller = threading.Thread(target=context.cancel, daemon=True)
        canceller.start()

        with contextlib.suppress(Stopped):
            assert turns.run(lambda: "done", number, ASKED, context) == "done"
        assert turns.run(lambda: sum(range(1000)), "next", ASKED, Context()) == 499500


def test_interrupts_background_work_at_any_time():
    turns = Turns()
    for number in range(200):
        background = Worker(turns, "prepare", BACKGROUND)
        assert turns.run(lambda one=number: one, "complete", TYPED, Context()) == number
        background.released.set()
        assert background.end() in ("stopped", "done")


def test_passes_errors_on():
    turns = Turns()
    with pytest.raises(ZeroDivisionError):
        turns.run(lambda: 1 // 0, "a", ASKED, Context())
    assert turns.run(lambda: 1, "a", ASKED, Context()) == 1
