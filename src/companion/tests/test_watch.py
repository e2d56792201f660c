"""Watching real directories."""

import os
import threading

import pytest

from companion import watch
from companion.protocol import ServiceError


class Subscription:
    """Takes the place of a subscription's context. The test decides when the next look begins."""

    def __init__(self):
        self.pauses = []
        self.changed = []
        self._go = threading.Semaphore(0)
        self._looked = threading.Semaphore(0)
        self.is_cancelled = False

    def wait(self, seconds):
        self.pauses.append(seconds)
        self._looked.release()
        assert self._go.acquire(timeout=30)
        return self.is_cancelled

    def push(self, value):
        self.changed.append(value["changed"])

    def look(self):
        """Let one look begin and end. Return what it reported."""
        self.changed.clear()
        self._go.release()
        assert self._looked.acquire(timeout=30)
        return self.changed

    def start(self, directories):
        assert watch.watch_directories({"directories": directories}, self) == {}
        assert self._looked.acquire(timeout=30)

    def cancel(self):
        self.is_cancelled = True
        self._go.release()


@pytest.fixture
def subscribed(root, monkeypatch):
    monkeypatch.setattr(watch, "REPORT_SECONDS", 0)
    subscription = Subscription()
    yield subscription
    subscription.cancel()


def test_reports_created_changed_and_deleted_entries(write, root, subscribed):
    write("a/old.txt", "1")
    write("b/x.txt")
    subscribed.start(["", "a"])
    assert subscribed.look() == []
    write("a/new.txt")
    assert ["a"] in [[one for one in changed if one] for changed in subscribed.look()]
    subscribed.look()
    assert subscribed.look() == []
    write("a/old.txt", "22")
    assert subscribed.look() == [["a"]]
    os.remove(root / "a" / "new.txt")
    assert "a" in subscribed.look()[0]
    write("b/y.txt")
    subscribed.look()
    assert subscribed.look() == []


def test_reports_a_directory_that_is_deleted_and_created(write, root, subscribed):
    write("a/x.txt")
    subscribed.start(["a"])
    os.rename(root / "a", root / "b")
    assert subscribed.look() == [["a"]]
    assert subscribed.look() == []
    os.rename(root / "b", root / "a")
    assert subscribed.look() == [["a"]]


def test_reports_a_directory_that_changes_all_the_time_at_intervals(write, root, monkeypatch):
    monkeypatch.setattr(watch, "REPORT_SECONDS", 1_000_000)
    subscription = Subscription()
    write("a/x.txt", "0")
    subscription.start(["a"])
    write("a/x.txt", "22")
    assert subscription.look() == [["a"]]
    write("a/x.txt", "333")
    assert subscription.look() == []
    monkeypatch.setattr(watch, "REPORT_SECONDS", 0)
    assert subscription.look() == [["a"]]
    subscription.cancel()


def test_refuses_too_many_directories(root):
    with pytest.raises(ServiceError):
        watch.watch_directories({"directories": [str(root)] * (watch.MAX_DIRECTORIES + 1)}, Subscription())
