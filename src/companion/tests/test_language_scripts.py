import threading

import pytest

from companion.language import scripts
from companion.language.scripts import Request, script_of, turns
from companion.language.turns import ASKED, TYPED
from companion.protocol import Cancelled

from .language_request import Context, at_cursor

TIMEOUT = 30
CODE = "import json\njson.du¦"


def in_thread(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_a_cancelled_request_that_waits_leaves_the_work_of_another_alone():
    request = Request(at_cursor(CODE))
    started, released = threading.Event(), threading.Event()
    seen = []

    def work():
        seen.append(request.script())
        started.set()
        assert released.wait(TIMEOUT)
        seen.append(request.script())
        return [one.name for one in seen[1].complete(*request.position)]

    found = []
    running = in_thread(lambda: found.extend(request.run(work, "first", ASKED, Context())))
    assert started.wait(TIMEOUT)
    context = Context()

    def wait():
        with pytest.raises(Cancelled):
            request.run(lambda: None, "second", TYPED, context)

    waiting = in_thread(wait)
    with turns._changed:
        assert turns._changed.wait_for(lambda: len(turns._waiting) == 1, TIMEOUT)
    context.cancel()
    waiting.join(TIMEOUT)
    released.set()
    running.join(TIMEOUT)
    assert seen[0] is seen[1]
    assert "dumps" in found


def test_stopped_work_drops_its_caches_before_the_next_request_begins(monkeypatch):
    request = Request(at_cursor(CODE))
    log = []
    monkeypatch.setattr(scripts, "_drop", lambda path: log.append("dropped"))
    context, started = Context(), threading.Event()

    def work():
        script_of(request.path, "x = 1\n")
        started.set()
        while True:
            pass

    def run():
        with pytest.raises(Cancelled):
            request.run(work, "stopped", ASKED, context)

    stopped = in_thread(run)
    assert started.wait(TIMEOUT)
    following = in_thread(lambda: request.run(lambda: log.append("next"), "next", TYPED, Context()))
    with turns._changed:
        assert turns._changed.wait_for(lambda: len(turns._waiting) == 1, TIMEOUT)
    context.cancel()
    stopped.join(TIMEOUT)
    following.join(TIMEOUT)
    assert log == ["dropped", "next"]


def test_a_script_whose_trees_were_dropped_is_made_again(monkeypatch, tmp_path):
    monkeypatch.setattr(scripts.workspace, "root", lambda: str(tmp_path))
    (tmp_path / "prices.py").write_text("def price_of(count):\n    return count\n")
    asked = dict(at_cursor("from prices import price_of\npri¦ce_of(2)", path="report.py"))
    unsaved_text = {"path": "prices.py", "text": "# New.\ndef price_of(count):\n    return count\n"}

    def found(texts):
        request = Request(dict(asked, unsaved=texts))
        names = request.run(lambda: request.script().get_references(*request.position), "references", ASKED, Context())
        return sorted((str(name.module_path.name), name.line) for name in names)

    changed = [("prices.py", 2), ("report.py", 1), ("report.py", 2)]
    assert found([unsaved_text]) == changed
    assert Request(at_cursor("1¦")).run(lambda: 1, "another", ASKED, Context()) == 1
    assert found([unsaved_text]) == changed
