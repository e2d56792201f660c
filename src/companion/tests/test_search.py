"""Search in real files, by the real program."""

import json
import os
import threading

import pytest

from companion import search, search_program
from companion.protocol import Cancelled, ServiceError


class Request:
    """Takes the place of a request's context."""

    def __init__(self):
        self.items = []
        self.searched = 0
        self.is_cancelled = False
        self.callbacks = []
        self.on_push = lambda: None

    def push(self, value):
        self.items.extend(value["items"])
        self.searched = value["searched"]
        self.on_push()

    def on_cancel(self, callback):
        self.callbacks.append(callback)

    def check(self):
        if self.is_cancelled:
            raise Cancelled

    def cancel(self):
        self.is_cancelled = True
        for callback in self.callbacks:
            callback()


LISTING = {
    "folder": "",
    "ignoreFolders": [],
    "fileTypes": [],
    "isRecursive": True,
    "includesHidden": False,
    "exclude": [],
    "useIgnoreFiles": True,
}


def find(text, request=None, **options):
    parameters = {
        **LISTING,
        "text": text,
        "isCaseSensitive": False,
        "isRegularExpression": False,
        "maxMatches": 2000,
        "maxPerFile": 200,
        "maxBytes": 2_000_000,
        **options,
    }
    request = request or Request()
    result = search.search_text(parameters, request)
    return request.items, result


def places(text, **options):
    items, _ = find(text, **options)
    return [(item["path"], match["line"], match["start"], match["end"]) for item in items for match in item["matches"]]


def listed(**options):
    request = Request()
    result = search.search_files({**LISTING, "maxFiles": 100_000, **options}, request)
    assert result["count"] == len(request.items)
    return request.items


def test_finds_text_with_its_place(write):
    write("a.py", "first\nsome Text and text\r\nlast text")
    write("sub/b.txt", "nothing")
    items, result = find("text")
    assert [item["path"] for item in items] == ["a.py"]
    assert places("text") == [("a.py", 1, 5, 9), ("a.py", 1, 14, 18), ("a.py", 2, 5, 9)]
    assert items[0]["matches"][0]["text"] == "some Text and text"
    assert places("text", isCaseSensitive=True) == [("a.py", 1, 14, 18), ("a.py", 2, 5, 9)]
    assert (result["searched"], result["skipped"], result["isComplete"]) == (2, 0, True)


def test_finds_regular_expressions_line_by_line(write):
    write("a.py", "x = 1\nyy = 22\n\nz=3")
    assert places(r"^\w+\s*=\s*\d+$", isRegularExpression=True) == [
        ("a.py", 0, 0, 5),
        ("a.py", 1, 0, 7),
        ("a.py", 3, 0, 3),
    ]
    assert places("x*", isRegularExpression=True) == [("a.py", 0, 0, 1)]
    with pytest.raises(ServiceError) as raised:
        find("(", isRegularExpression=True)
    assert raised.value.kind == "unsupportedPattern"


def test_positions_count_utf16_units(write):
    write("a.txt", "é \U0001f600 text\ntext")
    assert places("text") == [("a.txt", 0, 5, 9), ("a.txt", 1, 0, 4)]
    assert places("t.xt", isRegularExpression=True) == [("a.txt", 0, 5, 9), ("a.txt", 1, 0, 4)]


def test_text_with_other_letters_is_found_without_case(write):
    write("a.txt", "CAFE caf\u00e9 CAF\u00c9")
    assert places("caf\u00e9") == [("a.txt", 0, 5, 9), ("a.txt", 0, 10, 14)]
    assert places("cafe") == [("a.txt", 0, 0, 4)]


def test_searches_cells_instead_of_their_json(write):
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "source"]},
        {"cell_type": "code", "source": 'print("source")', "outputs": [{"text": "source"}]},
    ]
    write("n.ipynb", json.dumps({"cells": cells}))
    items, _ = find("source")
    assert [(m["cell"], m["line"], m["start"]) for m in items[0]["matches"]] == [(0, 1, 0), (1, 0, 7)]
    assert [m["cell"] for m in find('print("')[0][0]["matches"]] == [1]
    assert find("cell_type")[0] == []
    write("broken.ipynb", '{"cells": 1, "source"')
    assert [item["path"] for item in find("source")[0]] == ["broken.ipynb", "n.ipynb"]


def test_finds_what_the_json_of_a_notebook_has_as_escape_sequences(write):
    def cells(name, *sources):
        write(name, '{"cells": [%s]}' % ", ".join('{"source": %s}' % source for source in sources))

    cells("escaped.ipynb", r'"print(\ud83d\ude00)"', r'"caf\u00e9"', r'"a\/b \u003Ci\u003e \u0041BC"')
    cells("split.ipynb", r'["x\ud83d", "\ude00 \uD83D"]')
    for case in (False, True):
        assert places("\U0001f600", isCaseSensitive=case) == [("escaped.ipynb", 0, 6, 8), ("split.ipynb", 0, 1, 3)]
        assert places("caf\u00e9", isCaseSensitive=case) == [("escaped.ipynb", 0, 0, 4)]
        assert places("a/b", isCaseSensitive=case) == [("escaped.ipynb", 0, 0, 3)]
        assert places("<i>", isCaseSensitive=case) == [("escaped.ipynb", 0, 4, 7)]
        assert places("ABC", isCaseSensitive=case) == [("escaped.ipynb", 0, 8, 11)]
    assert places("\U0001f600\\)", isRegularExpression=True) == [("escaped.ipynb", 0, 6, 9)]
    # Letters whose lower case is one of ASCII.
    cells("kelvin.ipynb", r'"5 \u212a"', r'"\u017Fum"')
    assert places("5 k") == [("kelvin.ipynb", 0, 0, 3)]
    assert places("sum") == [("kelvin.ipynb", 0, 0, 3)]


def test_skips_binary_large_and_unreadable_files(write, root):
    write("a.png", "text")
    write("zero", b"text\0text")
    write("latin", b"text \xe9")
    write("large.txt", "text" * 100)
    write("good.txt", "text")
    os.symlink(root / "missing", root / "link")
    items, result = find("text", maxBytes=300)
    assert [item["path"] for item in items] == ["good.txt"]
    assert (result["searched"], result["skipped"]) == (1, 4)


def test_ends_at_the_limits(write):
    for number in range(20):
        write("%02d.txt" % number, "x " * 50)
    items, result = find("x", maxMatches=100, maxPerFile=30)
    assert [len(item["matches"]) for item in items] == [30, 30, 30, 10]
    assert result["isComplete"] is False


def test_counts_what_is_beyond_the_limits_and_names_what_is_skipped(write):
    for number in range(5):
        write("%02d.txt" % number, "x " * 50)
    write("a.png", "x")
    write("big.txt", "x" * 301)
    write("zero", b"x\0")
    items, result = find("x", maxMatches=100, maxPerFile=30, maxBytes=300, countsRest=True)
    assert [len(item["matches"]) for item in items] == [30, 30, 30, 10]
    assert result["rest"] == {"matches": 150, "files": 5}
    assert (result["isComplete"], result["searched"], result["skipped"]) == (False, 5, 3)
    assert result["skippedFiles"] == [
        {"path": "a.png", "reason": "binary"},
        {"path": "big.txt", "reason": "large"},
        {"path": "zero", "reason": "binary"},
    ]
    _, result = find("x", maxBytes=300, countsRest=True)
    assert (result["rest"], result["isComplete"]) == ({"matches": 0, "files": 0}, True)
    assert find("x", maxBytes=300)[1]["skippedFiles"] == []


def groups(text, **options):
    items, _ = find(text, withGroups=True, **options)
    return [match.get("groups") for item in items for match in item["matches"]]


def test_returns_the_groups_of_matches(write):
    write("a.py", "Key = 1\nkey=\n")
    found = groups(r"(?P<name>k\w+)\s*=(?:\s*(\d+))?", isRegularExpression=True)
    assert found == [["Key = 1", "Key", "1"], ["key=", "key", None]]
    assert groups("KEY") == [["Key"], ["key"]]
    assert "groups" not in find("key")[0][0]["matches"][0]


def test_groups_that_are_too_long_are_left_out(write):
    write("a.txt", "x" * 15_000)
    assert groups("x+", isRegularExpression=True) == [["x" * 15_000]]
    assert groups("(x+)", isRegularExpression=True) == [None]
    many = "".join("(x)" for _ in range(120))
    (found,) = groups(many, isRegularExpression=True, maxPerFile=1)
    assert len(found) == 1 + search_program.MAX_GROUPS


def test_finds_whole_words(write):
    write("a.py", "cat cats _cat caf\u00e9 caf f(x) gf(x)\n")
    assert [start for _, _, start, _ in places("cat", isWholeWord=True)] == [0]
    assert [start for _, _, start, _ in places("caf", isWholeWord=True)] == [19]
    assert [start for _, _, start, _ in places("f(", isWholeWord=True)] == [23]
    assert [start for _, _, start, _ in places("(x", isWholeWord=True)] == [24, 30]
    assert [start for _, _, start, _ in places("ca|cats", isWholeWord=True, isRegularExpression=True)] == [4]
    with pytest.raises(ServiceError) as raised:
        find("a)|(b", isWholeWord=True, isRegularExpression=True)
    assert raised.value.kind == "unsupportedPattern"


def test_searches_unsaved_texts_in_place_of_the_files(write):
    write("a.py", "old")
    write("b.py", "old")
    write("n.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": "old"}]}))
    write("zero", b"\0")
    unsaved = [
        {"path": "a.py", "texts": ["new"], "areCells": False},
        {"path": "n.ipynb", "texts": ["", "new"], "areCells": True},
        {"path": "elsewhere/c.py", "texts": ["new"], "areCells": False},
        {"path": "zero", "texts": ["new"], "areCells": False},
    ]
    assert places("old", unsaved=unsaved) == [("b.py", 0, 0, 3)]
    items, _ = find("new", unsaved=unsaved)
    assert [(item["path"], item["matches"][0].get("cell")) for item in items] == [
        ("a.py", None),
        ("n.ipynb", 1),
        ("zero", None),
    ]


def test_long_lines_are_shortened_around_the_match(write):
    write("a.txt", "x" * 50_000 + "needle" + "y" * 50_000)
    (match,) = find("needle")[0][0]["matches"]
    assert (match["start"], match["end"]) == (50_000, 50_006)
    assert len(match["text"]) == search_program.MAX_LINE_LENGTH
    start = match["start"] - match["offset"]
    assert match["text"][start : start + 6] == "needle"


def test_pattern_that_takes_forever_skips_files_and_then_ends(write, monkeypatch):
    for number in range(search_program.MAX_SLOW_FILES):
        write("%d.txt" % number, "a" * 40 + "!")
    source = search_program.__loader__.get_source("companion.search_program")
    short = source.replace("MAX_FILE_SECONDS = 2.0", "MAX_FILE_SECONDS = 0.05")
    assert short != source
    monkeypatch.setattr(search_program.__spec__.loader.__class__, "get_source", lambda _self, _name: short)
    with pytest.raises(ServiceError) as raised:
        find(r"(a+)+$", isRegularExpression=True)
    assert raised.value.kind == "slowPattern"
    assert str(raised.value).endswith("%d.txt." % (search_program.MAX_SLOW_FILES - 1))


def test_cancelled_search_ends_its_process(write):
    for number in range(50):
        write("%d.txt" % number, "text")
    request = Request()
    request.on_push = request.cancel
    with pytest.raises(Cancelled):
        find("text", request)


def test_search_of_a_process_that_hangs_is_cancelled(write, monkeypatch):
    write("a.txt", "text")
    hanging = "import time\ntime.sleep(3600)"
    monkeypatch.setattr(search_program.__spec__.loader.__class__, "get_source", lambda _self, _name: hanging)
    request = Request()
    registered = threading.Event()
    add = request.on_cancel

    def on_cancel(callback):
        add(callback)
        registered.set()

    request.on_cancel = on_cancel
    canceller = threading.Thread(target=lambda: (registered.wait(30), request.cancel()))
    canceller.start()
    with pytest.raises(Cancelled):
        find("text", request)
    canceller.join()


def test_lists_files_with_the_choices_of_the_user(write):
    for path in ("a.py", "b.txt", "data/c.PY", "data/raw/d.py", ".hidden/e.py", ".f.py"):
        write(path)
    write(".ipynb_checkpoints/g.py")
    write("recent_executions/h.py")
    assert listed() == ["a.py", "b.txt", "data/c.PY", "data/raw/d.py"]
    assert listed(includesHidden=True) == [".f.py", "a.py", "b.txt", ".hidden/e.py", "data/c.PY", "data/raw/d.py"]
    assert listed(fileTypes=[".py"]) == ["a.py", "data/c.PY", "data/raw/d.py"]
    assert listed(isRecursive=False) == ["a.py", "b.txt"]
    assert listed(folder="data") == ["data/c.PY", "data/raw/d.py"]
    assert listed(ignoreFolders=["raw"]) == ["a.py", "b.txt", "data/c.PY"]
    with pytest.raises(ServiceError) as raised:
        listed(folder="missing")
    assert raised.value.kind == "noFolder"


def test_honors_excluded_files_of_the_settings(write):
    for path in ("a.py", "node_modules/x/b.js", "sub/node_modules/c.js", "sub/d.log", "sub/e.pyo", "out/f"):
        write(path)
    assert listed(exclude=["**/node_modules", "**/*.{log,pyo}", "out/**"]) == ["a.py"]
    assert listed(exclude=["**/[!a].py", "sub"]) == ["a.py", "node_modules/x/b.js", "out/f"]


def test_honors_ignore_files(write):
    write(".gitignore", "# comment\n*.log\n!keep.log\n/build/\nvenv/\ndocs/*.html\nspace\\ \n")
    write("sub/.gitignore", "local\n!*.log\n")
    for path in (
        *("a.log", "keep.log", "build/x", "sub/build/x", "sub/venv/x", "venv", "docs/a.html", "docs/deep/a.html"),
        *("sub/local", "local", "sub/b.log", "space "),
    ):
        write(path)
    kept = ["keep.log", "local", "venv", "docs/deep/a.html", "sub/b.log", "sub/build/x"]
    assert listed() == kept
    assert listed(folder="sub") == ["sub/b.log", "sub/build/x"]
    assert "a.log" in listed(useIgnoreFiles=False)


def test_links_are_followed_once(write, root):
    write("real/a.py", "text")
    os.symlink(root / "real", root / "alias")
    os.symlink(root, root / "real" / "loop")
    assert listed() == ["real/a.py"]


def test_number_of_listed_files_is_limited(write):
    for number in range(10):
        write("%d.py" % number)
    request = Request()
    assert search.search_files({**LISTING, "maxFiles": 4}, request) == {"count": 4, "isComplete": False}
    assert request.items == ["0.py", "1.py", "2.py", "3.py"]


def test_name_that_is_no_text():
    assert search_program._without_surrogates("bad\udcff.py") == "bad?.py"
