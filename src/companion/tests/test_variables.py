"""Lists of variables, what is below them, their deletion, and the cells that set them."""

import json
import threading

import pytest

from companion.protocol import ServiceError
from companion.tests.variables_shell import Context, Shell, children, listed, names, row, text
from companion.variables import requests as variables


@pytest.fixture
def shell(monkeypatch):
    shell = Shell()
    monkeypatch.setattr(variables, "shell_of_kernel", lambda: shell)
    monkeypatch.setattr(variables, "_history", None)
    return shell


def test_lists_what_the_user_has_set(shell):
    shell.run("b = 2\nA = 'text'\n_private = 1\nimport json\ndef f(): pass\nclass C: pass")
    assert names() == ["A", "b"]
    assert names(includesAll=True) == ["_private", "A", "b", "C", "f", "json"]
    assert listed()["all"] == 6
    assert {key: row("A")[key] for key in ("type", "shape", "value", "problem", "hasChildren", "expression")} == {
        "type": "str",
        "shape": "4",
        "value": "'text'",
        "problem": None,
        "hasChildren": False,
        "expression": "A",
    }
    assert row("b")["size"] > 0


def test_filters_by_name_and_by_type(shell):
    shell.run("apples = 1\npears = 'x'\ngrapes = [1]")
    assert names(filter="AP") == ["apples", "grapes"]
    assert names(filter="str") == ["pears"]
    assert listed(filter="nothing")["total"] == 0


def test_sorts(shell):
    shell.run("small = [1]")
    shell.run("large = list(range(1000))")
    shell.run("text = 'abc'")
    variables._history_of(shell)
    shell.run("small = [2]")
    shell.run("large = list(range(1001))")
    assert names(sort="type") == ["large", "small", "text"]
    assert names(sort="size") == ["large", "small", "text"]
    assert names(sort="recent") == ["large", "small", "text"]
    shell.run("text = 'new'")
    assert names(sort="recent") == ["text", "large", "small"]


def test_pages_of_ten_thousand_variables(shell):
    shell.user_ns.update({"name_%05d" % nth: [nth] for nth in range(10_000)})
    page = listed(offset=200, count=200)
    assert page["total"] == 10_000
    assert [one["label"] for one in page["rows"]] == ["name_%05d" % nth for nth in range(200, 400)]
    assert len(listed(count=10_000)["rows"]) == variables.MAX_ROWS
    assert names(filter="_0999") == ["name_0999%d" % nth for nth in range(10)]


def test_expands_containers_step_by_step(shell):
    shell.run("data = {'a': [1, {'b': 2.5}], (1, 2): 'pair', 3: None}")
    top = children(("name", "data"))
    assert [(one["label"], one["expression"]) for one in top["rows"]] == [
        ("'a'", "data['a']"),
        ("(1, 2)", None),
        ("3", "data[3]"),
    ]
    step = top["rows"][0]["step"]
    inner = children(("name", "data"), (step["kind"], step["at"]), ("index", 1))
    assert [(one["label"], one["value"], one["expression"]) for one in inner["rows"]] == [
        ("'b'", "2.5", "data['a'][1]['b']")
    ]
    pair = top["rows"][1]["step"]
    assert text(("name", "data"), (pair["kind"], pair["at"])) == {"text": "'pair'", "isCut": False}


def test_pages_of_a_large_list(shell):
    shell.user_ns["numbers"] = list(range(10_000_000))
    page = children(("name", "numbers"), offset=9_999_990, count=100)
    assert page["total"] == 10_000_000
    assert [one["value"] for one in page["rows"]][:2] == ["9999990", "9999991"]
    assert len(row("numbers")["value"]) <= variables.MAX_ROW_LENGTH
    assert row("numbers")["isCut"]


def test_expands_stored_attributes_without_properties(shell):
    shell.run(
        "called = []\n"
        "class Thing:\n"
        "    __slots__ = ('slot', 'empty', '__dict__')\n"
        "    def __init__(self): self.slot = 1; self.stored = 2\n"
        "    @property\n"
        "    def computed(self): called.append(1)\n"
        "    def __getattr__(self, name): called.append(name)\n"
        "    def __getattribute__(self, name): called.append(name); return object.__getattribute__(self, name)\n"
        "thing = Thing()\n"
        "del called[:]"
    )
    assert [(one["label"], one["value"]) for one in children(("name", "thing"))["rows"]] == [
        ("stored", "2"),
        ("slot", "1"),
    ]
    assert children(("name", "thing"))["rows"][0]["expression"] == "thing.stored"
    assert shell.user_ns["called"] == []


def test_says_that_a_value_is_gone(shell):
    shell.run("data = {'a': 1}")
    with pytest.raises(ServiceError) as raised:
        children(("name", "data"), ("key", "'b'"))
    assert raised.value.kind == "gone"
    with pytest.raises(ServiceError) as raised:
        text(("name", "other"))
    assert raised.value.kind == "gone"


def test_addresses_names_that_are_no_identifiers(shell):
    shell.user_ns["two words"] = [1]
    shell.user_ns["class"] = 1
    assert row("two words")["expression"] == "globals()['two words']"
    assert row("class")["expression"] == "globals()['class']"
    assert children(("name", "two words"))["total"] == 1


def test_leaves_out_names_that_cannot_be_sent(shell):
    shell.user_ns.update({"\ud800": 1, "x" * 2000: 1, 5: 1, "fine": "\ud800"})
    assert names() == ["fine"]
    json.dumps(listed(), ensure_ascii=False).encode()


def test_deletes(shell):
    shell.run("a = 1\nb = 2")
    assert variables.delete_variables({"names": ["a", "missing"]}, Context()) == {"deleted": 1}
    assert names() == ["b"]


def test_deletes_nothing_while_a_cell_runs(shell):
    shell.run("a = 1")
    variables._history_of(shell)
    shell.start()
    with pytest.raises(ServiceError) as raised:
        variables.delete_variables({"names": ["a"]}, Context())
    assert raised.value.kind == "busy"
    assert names() == ["a"]


def test_knows_the_cell_that_set_a_variable(shell):
    shell.run("old = object()", "first")
    assert row("old")["setter"] is None
    shell.run("new = object()", "second")
    assert row("new")["setter"] == {"cell": "second", "count": 2}
    assert row("old")["setter"] is None
    shell.run("new = object()")
    assert row("new")["setter"] == {"cell": None, "count": 3}
    shell.run("del new")
    shell.run("other = object()\nnew = 5", "fifth")
    assert row("new")["setter"] == {"cell": "fifth", "count": 5}


def test_knows_what_the_running_cell_has_set(shell):
    variables._history_of(shell)
    info = shell.start("long")
    shell.user_ns["early"] = object()
    assert row("early")["setter"] == {"cell": "long", "count": 1}
    # A cell that runs another one, for example with %run.
    inner = shell.begin()
    shell.user_ns["inner"] = object()
    shell.end(inner)
    shell.end(info)
    assert row("inner")["setter"] == {"cell": "long", "count": 1}


def test_another_version_of_the_program_takes_over_the_hooks(shell):
    for _ in range(3):
        variables.History(shell)
    assert [len(callbacks) for callbacks in shell.events.callbacks.values()] == [1, 1]


class Subscription:
    """Counts the reports."""

    def __init__(self):
        self.reported = threading.Semaphore(0)
        self.callbacks = []
        self._cancelled = threading.Event()

    def push(self, value):
        assert value == {}
        self.reported.release()

    def cancelled(self):
        return self._cancelled.is_set()

    def wait(self, seconds):
        return self._cancelled.wait(seconds)

    def on_cancel(self, callback):
        self.callbacks.append(callback)

    def cancel(self):
        self._cancelled.set()
        for callback in self.callbacks:
            callback()


@pytest.fixture
def subscription():
    subscription = Subscription()
    yield subscription
    subscription.cancel()


def test_reports_the_end_of_a_cell(shell, subscription, monkeypatch):
    monkeypatch.setattr(variables, "INTERVAL_SECONDS", 1000)
    assert variables.watch({}, subscription) == {}
    shell.run("items = []")
    assert subscription.reported.acquire(timeout=30)
    shell.run("items.append(1)")
    assert subscription.reported.acquire(timeout=30)


def test_reports_changes_during_a_cell(shell, subscription, monkeypatch):
    monkeypatch.setattr(variables, "INTERVAL_SECONDS", 0.01)
    shell.run("items = []")
    variables.watch({}, subscription)
    shell.start()
    shell.user_ns["new"] = 1
    assert subscription.reported.acquire(timeout=30)
    shell.user_ns["items"].append(1)
    assert subscription.reported.acquire(timeout=30)


def test_forgets_canceled_subscriptions(shell, subscription):
    variables.watch({}, subscription)
    history = variables._history_of(shell)
    assert len(history._listeners) == 1
    subscription.cancel()
    assert history._listeners == []
