"""Completion of what is below live values."""

import pytest

from companion.tests.variables_shell import Shell, members
from companion.variables import requests as variables


@pytest.fixture
def shell(monkeypatch):
    shell = Shell()
    monkeypatch.setattr(variables, "shell_of_kernel", lambda: shell)
    return shell


@pytest.fixture
def thing(shell):
    shell.run(
        "called = []\n"
        "class Thing:\n"
        "    def __init__(self): self.stored = {'key': [1, {'inner': 2}], 3: 4}\n"
        "    def method(self): pass\n"
        "    @property\n"
        "    def computed(self): called.append(1)\n"
        "    def __getattr__(self, name): called.append(name)\n"
        "    def _private(self): pass\n"
        "thing = Thing()"
    )
    yield shell.user_ns["thing"]
    assert shell.user_ns["called"] == []


def test_lists_attributes_and_members_of_the_class(thing):
    assert members("thing") == {"stored": "statement", "method": "function", "computed": "property"}


def test_lists_keys(thing):
    assert members("thing.stored", "key") == {"key": "property"}
    assert members("thing.stored['key'][1]", "key") == {"inner": "property"}
    assert "append" in members("thing.stored['key']")


def test_has_nothing_for_what_has_no_value(thing):
    for expression in ("missing", "thing.missing", "thing.computed", "thing.method()", "thing.stored[0]", "1 +", "a b"):
        assert members(expression) == {}, expression
    assert members("thing.stored['key'][5]", "key") == {}
