"""Values whose own code raises, hangs, or gives too much."""

import io
import sys
import threading
import types

import pytest

from companion.protocol import ServiceError
from companion.tests.variables_shell import Shell, children, listed, names, row, text
from companion.variables import frames, worker
from companion.variables import requests as variables


@pytest.fixture
def shell(monkeypatch):
    shell = Shell()
    monkeypatch.setattr(variables, "shell_of_kernel", lambda: shell)
    monkeypatch.setattr(variables, "_history", None)
    monkeypatch.setattr(variables, "_worker", worker.Worker())
    variables._slow_classes.clear()
    return shell


class Raising:
    def __init__(self):
        self.attribute = 1

    def __repr__(self):
        raise ValueError("no text\nfor you")


class Exiting:
    def __repr__(self):
        sys.exit(3)


class Unspeakable:
    def __repr__(self):
        raise UnspeakableError


class UnspeakableError(Exception):
    def __str__(self):
        raise RuntimeError("not even that")


class Endless:
    def __init__(self):
        self.attribute = 1
        self.released = threading.Event()

    def __repr__(self):
        while not self.released.is_set():
            try:
                self.released.wait(0.01)
            except BaseException:  # noqa: B036 - it does not let itself be stopped
                continue
        return "late"


class Stoppable:
    def __repr__(self):
        while True:
            pass


class Huge:
    def __repr__(self):
        return "x" * 100_000_000


class TextClass(str):
    def __getitem__(self, key):
        raise AssertionError("its code was run")

    __len__ = __str__ = __format__ = encode = __getitem__


class Tricky:
    def __repr__(self):
        return TextClass("tricky \ud800")


class HostileList(list):
    def __len__(self):
        raise AssertionError("its code was run")

    __iter__ = __getitem__ = __contains__ = __bool__ = __len__


class HostileMeta(type):
    def __getattribute__(cls, name):
        raise AssertionError("its code was run")

    def __eq__(cls, other):
        raise AssertionError("its code was run")

    __hash__ = __instancecheck__ = __subclasscheck__ = __eq__


class Disguised(metaclass=HostileMeta):
    @property
    def __class__(self):
        raise AssertionError("its code was run")


def test_says_that_a_text_raises(shell):
    shell.user_ns.update(raising=Raising(), unspeakable=Unspeakable())
    assert row("raising")["problem"] == "raised"
    assert row("raising")["value"] == "ValueError: no text\nfor you"
    assert row("raising")["hasChildren"]
    assert row("unspeakable")["value"] == "UnspeakableError"
    with pytest.raises(ServiceError) as raised:
        text(("name", "raising"))
    assert raised.value.kind == "raised"


def test_says_that_a_text_would_end_the_kernel(shell):
    shell.user_ns.update(a=[1], exits=Exiting(), nested=[Exiting()], z=[2])
    rows = listed()["rows"]
    assert [(one["value"], one["problem"]) for one in rows] == [
        ("[1]", None),
        ("SystemExit", "raised"),
        ("SystemExit", "raised"),
        ("[2]", None),
    ]
    with pytest.raises(ServiceError, match="^SystemExit$") as raised:
        text(("name", "exits"))
    assert raised.value.kind == "raised"


def test_gives_up_a_text_that_takes_too_long(shell):
    endless = Endless()
    shell.user_ns.update(a=[1], endless=endless, z=[2])
    rows = listed()["rows"]
    assert [(one["value"], one["problem"]) for one in rows] == [("[1]", None), ("", "slow"), ("[2]", None)]
    assert rows[1]["type"] == "Endless"
    # Its class is known as slow: another list does not try it again.
    shell.user_ns["other"] = Endless()
    assert row("other")["problem"] == "slow"
    assert len(variables._worker._abandoned) == 1
    assert [one["value"] for one in children(("name", "endless"))["rows"]][0] == "1"
    endless.released.set()


def test_runs_no_more_code_while_too_many_texts_hang(shell, monkeypatch):
    monkeypatch.setattr(variables, "SLOW_CLASS_SECONDS", 0)
    monkeypatch.setattr(variables, "LIST_SECONDS", 60)
    endless = [Endless() for _ in range(6)]
    shell.user_ns.update({"endless_%d" % nth: one for nth, one in enumerate(endless)}, z=[1], plain=5)
    problems = [row(name)["problem"] for name in names()]
    assert problems == ["skipped"] * 6 + [None, "skipped"]
    assert row("plain")["value"] == "5"
    with pytest.raises(ServiceError) as raised:
        text(("name", "z"))
    assert raised.value.kind == "slow"
    for one in endless:
        one.released.set()
    for thread in variables._worker._abandoned:
        thread.join(30)
    assert row("z")["value"] == "[1]"


def test_stops_a_loop(shell):
    shell.user_ns["loop"] = Stoppable()
    assert row("loop")["problem"] == "slow"
    for thread in variables._worker._abandoned:
        thread.join(30)
        assert not thread.is_alive()


class Stream(io.StringIO):
    pass


class Printing:
    def __repr__(self):
        print("printed by the value")
        sys.stderr.write("written by the value")
        return "Printing"


def test_drops_what_values_print(shell, monkeypatch):
    stream = Stream()
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", stream)
    shell.user_ns["printing"] = Printing()
    assert row("printing")["value"] == "Printing"
    print("printed by a cell", end="")
    assert stream.getvalue() == "printed by a cell"
    assert vars(stream) == {}


def test_shows_what_others_print_meanwhile(shell, monkeypatch):
    stream = Stream()
    monkeypatch.setattr(sys, "stdout", stream)
    endless = Endless()
    shell.user_ns["endless"] = endless
    assert row("endless")["problem"] == "slow"
    print("printed by a cell", end="")
    assert stream.getvalue() == "printed by a cell"
    endless.released.set()
    for thread in variables._worker._abandoned:
        thread.join(30)
    assert vars(stream) == {}


def test_limits_all_texts_of_a_list(shell, monkeypatch):
    monkeypatch.setattr(variables, "LIST_SECONDS", 0)
    shell.user_ns.update(value=Raising(), plain=1)
    assert row("value")["problem"] == "skipped"
    assert row("plain")["value"] == "1"


def test_cuts_a_huge_text(shell):
    shell.user_ns.update(huge=Huge(), string="y" * 50_000_000, number=1 << 10_000_000, nested=[["z" * 1000] * 1000])
    for name in ("huge", "string", "nested"):
        assert len(row(name)["value"]) == variables.MAX_ROW_LENGTH
        assert row(name)["isCut"]
    assert row("number")["value"] == "<int of 10000001 bits>"
    assert text(("name", "string"))["isCut"]
    assert len(text(("name", "string"))["text"]) == variables.MAX_VALUE_LENGTH


def test_runs_no_code_of_classes(shell):
    disguised = type.__call__(Disguised)
    shell.user_ns.update(items=HostileList([1, 2]), tricky=Tricky(), disguised=disguised, held=[disguised])
    assert (row("items")["value"], row("items")["shape"]) == ("HostileList([1, 2])", "2")
    assert [one["value"] for one in children(("name", "items"))["rows"]] == ["1", "2"]
    assert row("tricky")["value"] == "tricky \\ud800"
    assert row("disguised")["type"] == "Disguised"


def test_does_not_write_large_values_with_code_that_cannot_be_stopped(shell):
    class Holder:
        def __init__(self):
            self.items = list(range(1_000_000))

        def __repr__(self):
            return "Holder(%r)" % self.items

    class Items(list):
        pass

    shell.user_ns.update(holder=Holder(), items=Items(range(1_000_000)))
    assert row("holder")["value"].startswith("Holder(items=[0, 1, 2, ")
    assert row("items")["value"].startswith("Items([0, 1, 2, ")


def test_ends_at_cycles_and_depth(shell):
    cycle = []
    cycle.append(cycle)
    shell.user_ns["cycle"] = cycle
    assert row("cycle")["value"] == "[[[[[…]]]]]"
    assert row("cycle")["isCut"]


def test_survives_changes_meanwhile(shell):
    items = {}
    shell.user_ns["items"] = items
    end = threading.Event()

    def change():
        while not end.is_set():
            for nth in range(1000):
                items[nth] = nth
            items.clear()

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(50):
            assert row("items")["problem"] is None
            children(("name", "items"))
    finally:
        end.set()
        thread.join()


def test_asks_libraries_for_their_shapes(shell, monkeypatch):
    class Frame:
        shape = (3, 2)
        columns = ["a", "b"]

    def facts(frame):
        return frames.Facts(frame.shape, 48, "a: int64, b: object", len(frame.columns), True)

    def columns(frame, start):
        yield from [("a", 1), ("b", 2)][start:]

    library = types.ModuleType("frames")
    library.Frame = Frame
    monkeypatch.setitem(sys.modules, "frames", library)
    monkeypatch.setattr(frames, "_LIBRARIES", (("frames", "Frame", facts, columns),))
    shell.user_ns["frame"] = Frame()
    found = row("frame")
    assert {key: found[key] for key in ("shape", "size", "value", "isFrame", "hasChildren")} == {
        "shape": "(3, 2)",
        "size": 48,
        "value": "a: int64, b: object",
        "isFrame": True,
        "hasChildren": True,
    }
    assert [(one["label"], one["expression"]) for one in children(("name", "frame"))["rows"]] == [
        ("a", "frame['a']"),
        ("b", "frame['b']"),
    ]
    assert text(("name", "frame"), ("column", 1))["text"] == "2"


def test_deletes_a_value_whose_end_never_comes(shell):
    may_end, ended = threading.Event(), threading.Event()

    class Lasting:
        def __del__(self):
            may_end.wait(30)
            ended.set()

    shell.user_ns.update(lasting=Lasting(), other=1)
    assert variables.delete_variables({"names": ["lasting"]}, None) == {"deleted": 1}
    assert not ended.is_set()
    assert variables.delete_variables({"names": ["other"]}, None) == {"deleted": 1}
    may_end.set()
    assert ended.wait(30)


def test_gives_up_while_code_of_the_user_holds_the_clock(shell, monkeypatch):
    monkeypatch.setattr(worker.time, "monotonic", lambda: 0.0)
    shell.user_ns.update(stoppable=Stoppable())
    assert row("stoppable")["problem"] == "slow"
