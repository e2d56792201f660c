import json
import os
import threading

import pytest

from companion.language import completion, scripts
from companion.language.checks import check, format_document
from companion.language.completion import complete, describe, prepare, signatures
from companion.language.navigation import definition, hover, outline, references, rename, source
from companion.protocol import Cancelled, ServiceError

from .language_request import Context, at_cursor, text_at, texts_at


def names(result):
    return [item["name"] for item in result["items"]]


def ask(service, *cells, context=None, path=None, kind=None, **more):
    result = service({**at_cursor(*cells, path=path, kind=kind), **more}, context or Context())
    json.dumps(result)
    return result


def test_completes_names_with_their_types(root):
    result = ask(complete, "import os\nos.path.is¦")
    assert {"name": "isfile", "type": "function"} in result["items"]
    assert result["replaced"] == 2
    assert result["isComplete"]
    assert {"name": "é", "type": "statement"} in ask(complete, "é = 1\n¦")["items"]


def test_completes_imports_of_the_workspace(root, write):
    write("package/tool.py", "def sharpen(blade):\n    '''Makes it sharp.'''\n")
    assert "sharpen" in names(ask(complete, "from package.tool import sh¦"))
    assert "sharpen" in names(ask(complete, "import tool\ntool.¦", path="package/main.py"))


def test_completes_in_the_cells_of_a_notebook_as_one_script(root):
    cells = ("import json\n%matplotlib inline", "%%html\n<b>", "!ls", "text = '😀'; json.du¦")
    assert "dumps" in names(ask(complete, *cells))
    assert "earlier" not in names(ask(complete, "earl¦", "earlier = 1"))
    assert names(ask(complete, "x = 1", "%x¦")) == []


def test_describes_an_item(root):
    parameters = at_cursor("import json\njson.du¦")
    complete(parameters, Context())
    cached = describe({**parameters, "name": "dumps"}, Context())
    assert "Serialize" in cached["documentation"]
    assert cached["signatures"][0].startswith("dumps(obj")
    completion._last = None
    assert describe({**parameters, "name": "dumps"}, Context()) == cached
    assert describe({**parameters, "name": "nothing"}, Context()) == {"signatures": [], "documentation": ""}


def test_describes_a_variable_by_its_type(root):
    code = "class Pen:\n    def __init__(self, ink: str):\n        self.ink = ink\n        self.caps = 1\nPen('x').¦"
    assert describe({**at_cursor(code), "name": "ink"}, Context())["signatures"] == ["ink: str"]
    assert describe({**at_cursor(code), "name": "caps"}, Context())["signatures"] == ["caps: int"]


def test_completes_in_the_code_after_a_magic(root):
    assert "dumps" in names(ask(complete, "import json", "%time json.du¦"))
    assert "dumps" in names(ask(complete, "import json", "x = %time json.du¦"))
    assert ask(hover, "json_ = 1", "jso¦n_ = !ls")["signatures"] == ["json_: list"]
    assert names(ask(complete, "import json", "files = !json.du¦")) == []
    assert names(ask(complete, "import json", "%run json.du¦")) == []


def test_completes_paths_from_the_folder_of_the_document(root, write):
    write("data/sales.csv")
    write("data/sa'ly.csv")
    write("data/.hidden")
    write("notes/main.py")
    assert names(ask(complete, "open('da¦')")) == ["data/"]
    result = ask(complete, "open('../data/sa¦')", path="notes/main.py")
    assert result["items"] == [{"name": "sales.csv", "type": "file"}]
    assert result["replaced"] == 2
    assert names(ask(complete, "x = '''data/¦")) == []


@pytest.mark.parametrize("text", ["../", "/etc/", "~/", "data/../../", "link/"])
def test_completes_no_path_outside_the_workspace(root, text):
    os.symlink(os.path.dirname(str(root)), str(root / "link"))
    (root / "data").mkdir()
    assert names(ask(complete, "open('%s¦')" % text)) == []


def test_shows_signatures(root):
    code = "def join(first, *, é='😀', last: int = 2) -> str: ...\njoin(1, ¦)"
    (found,) = ask(signatures, code)["signatures"]
    units = found["label"].encode("utf-16-le")
    texts = [units[one["start"] * 2 : one["end"] * 2].decode("utf-16-le") for one in found["parameters"]]
    assert texts == ["first", "é='😀'", "last: int=2"]


def test_shows_hovers(root):
    assert ask(hover, "class Pen:\n    '''It writes.'''\npen = Pen()\np¦en") == {
        "signatures": ["pen: Pen"],
        "documentation": "It writes.",
    }
    found = ask(hover, "def write(text: str) -> int:\n    '''Writes.'''\nwri¦te")
    assert found == {"signatures": ["def write(text: str) -> int"], "documentation": "Writes."}
    assert ask(hover, "x = 1", "!l¦s")["signatures"] == []


def test_finds_definitions(root, write):
    cells = ("def write(): ...", "\nwri¦te()")
    (found,) = ask(definition, *cells)["locations"]
    assert (found["kind"], found["cell"], text_at(found, cells)) == ("document", 0, "write")
    write("tool.py", "\n\ndef sharpen(): ...\n")
    (found,) = ask(definition, "from tool import sharp¦en")["locations"]
    assert (found["kind"], found["path"], found["range"]["startLine"]) == ("workspace", "tool.py", 2)


def test_opens_the_source_of_a_definition_in_a_library(root):
    (found,) = ask(definition, "import json\njson.dum¦ps")["locations"]
    assert found["kind"] == "library"
    text = source({"path": found["path"]}, Context())["text"]
    assert text.split("\n")[found["range"]["startLine"]].startswith("def dumps")
    # The sources lead further.
    place = text.replace("return _default_encoder.en", "return _default_encoder.en¦", 1)
    (further,) = ask(definition, place, path=found["path"], kind="library")["locations"]
    assert further["path"].endswith("encoder.py")


@pytest.mark.parametrize("path", ["/etc/passwd", "main.py", "../x.py", "/proc/self/environ"])
def test_reads_only_sources_of_libraries(root, path):
    with pytest.raises(ServiceError) as raised:
        source({"path": path}, Context())
    assert raised.value.kind == "refused"


def test_reads_no_file_that_a_link_in_a_library_leads_to(root, tmp_path_factory, monkeypatch):
    library, secret = tmp_path_factory.mktemp("library"), tmp_path_factory.mktemp("secret") / "key.py"
    secret.write_text("secret")
    (library / "key.py").symlink_to(secret)
    monkeypatch.syspath_prepend(str(library))
    with pytest.raises(ServiceError):
        source({"path": str(library / "key.py")}, Context())


def test_finds_references_in_the_workspace(root, write):
    write("tool.py", "def sharpen(): ...\n")
    write("other.py", "import tool\ntool.sharpen()\n")
    cells = ("from tool import sharpen", "sharpen()", "sharp¦en()")
    found = ask(references, *cells)["locations"]
    assert texts_at(found, [cell.replace("¦", "") for cell in cells]) == ["sharpen"] * 3
    assert {one["path"] for one in found} == {"", "tool.py", "other.py"}


def test_uses_unsaved_texts_of_other_documents(root, write):
    write("tool.py", "def sharpen(): ...\n")
    write("other.py", "import tool\ntool.sharpen()\n")
    write("third.py", "")
    code = "import tool\ntool.sharp¦en()"
    assert places_of(ask(references, code)) == {("", 1), ("tool.py", 0), ("other.py", 1)}
    unsaved = [
        {"path": "tool.py", "text": "# new\n\ndef sharpen(): ...\n"},
        {"path": "other.py", "text": "import tool\n"},
        {"path": "third.py", "text": "from tool import sharpen\r\n\r\nsharpen()\r\n"},
    ]
    expected = {("", 1), ("tool.py", 2), ("third.py", 0), ("third.py", 2)}
    assert places_of(ask(references, code, unsaved=unsaved)) == expected
    assert places_of(ask(rename, code, newName="hone", unsaved=unsaved)) == expected
    assert places_of(ask(definition, code, unsaved=unsaved)) == {("tool.py", 2)}
    # The own text is that of the document. New names are known, too.
    own = [{"path": "main.py", "text": ""}, {"path": "tool.py", "text": "\ndef hone(): ...\n"}]
    assert places_of(ask(definition, "import tool\ntool.ho¦ne()", unsaved=own)) == {("tool.py", 1)}
    # Without them, the saved texts count again, also for another script, and after a restart.
    assert places_of(ask(definition, code)) == {("tool.py", 0)}
    assert places_of(ask(references, code, path="third.py")) == {("", 1), ("tool.py", 0), ("other.py", 1)}
    from parso.cache import parser_cache

    parser_cache.clear()
    scripts._scripts.clear()
    assert places_of(ask(definition, code)) == {("tool.py", 0)}


def places_of(result):
    return {(one["path"], one["range"]["startLine"]) for one in result["locations"]}


def test_reads_a_file_again_that_was_changed(root, write):
    write("tool.py", "def sharpen(): ...\n")
    code = "import tool\ntool.sharp¦en()"
    assert places_of(ask(definition, code)) == {("tool.py", 0)}
    write("tool.py", "\n\ndef sharpen(): ...\n")
    later = os.stat(root / "tool.py").st_mtime + 1
    os.utime(root / "tool.py", (later, later))
    assert places_of(ask(definition, code)) == {("tool.py", 2)}


def test_refuses_too_many_unsaved_texts(root):
    unsaved = [{"path": "%d.py" % number, "text": ""} for number in range(51)]
    with pytest.raises(ServiceError):
        ask(references, "x¦ = 1", unsaved=unsaved)


def test_renames_over_files(root, write):
    write("tool.py", "def sharpen(): ...\n")
    write("other.py", "from tool import sharpen as hone\nhone()\n")
    result = ask(rename, "import tool\ntool.sharp¦en()", newName="new")
    assert (result["name"], result["isComplete"]) == ("sharpen", True)
    places = {(one["path"], one["range"]["startLine"]) for one in result["locations"]}
    assert places == {("", 1), ("tool.py", 0), ("other.py", 0)}


def test_renames_a_name_with_a_vowel_sign(root):
    result = ask(rename, "मूल्य = 1\nprint(मू¦ल्य)", newName="price")
    assert result["name"] == "मूल्य"
    assert [one["range"] for one in result["locations"]] == [
        {"startLine": 0, "startCharacter": 0, "endLine": 0, "endCharacter": 5},
        {"startLine": 1, "startCharacter": 6, "endLine": 1, "endCharacter": 11},
    ]


def test_tells_which_notebooks_a_rename_does_not_change(root, write):
    def notebook(code):
        return json.dumps({"cells": [{"cell_type": "code", "source": code}]})

    write("tool.py", "def sharpen(): ...\n")
    write("a/uses.ipynb", notebook("import tool\nsharpen()"))
    write("a/defines.ipynb", notebook("def sharpen(): ...\nsharpen()"))
    write("a/longer.ipynb", notebook("import tool\nsharpened = 1"))
    result = ask(rename, "import tool", "tool.sharp¦en()", newName="new")
    assert (result["notebooks"], result["isLocal"]) == (["a/uses.ipynb"], False)
    local = ask(rename, "import tool\ndef f():\n    sharp¦en = 1\n    return sharpen", path="tool.py", newName="new")
    assert (local["notebooks"], local["isLocal"]) == ([], True)
    attribute = ask(rename, "class Pen:\n    def __init__(self):\n        self.in¦k = 1", newName="new")
    assert not attribute["isLocal"]


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("import json\njson.dum¦ps", "library"),
        ("import js¦on", "module"),
        ("if¦ x: pass", "noName"),
        ("  ¦  ", "noName"),
        ("'te¦xt'", "noName"),
        ("prin¦t()", "library"),
    ],
)
def test_renames_nothing_else(root, code, kind):
    for more in ({}, {"newName": "new"}):
        with pytest.raises(ServiceError) as raised:
            ask(rename, code, **more)
        assert raised.value.kind == kind


@pytest.mark.parametrize("name", ["", "class", "a b", "1a", "a-b"])
def test_renames_to_names_only(root, name):
    with pytest.raises(ServiceError) as raised:
        ask(rename, "x¦ = 1", newName=name)
    assert raised.value.kind == "invalidName"


def test_says_when_a_rename_may_be_incomplete(root, write):
    for number in range(40):
        write("file%d.py" % number, "shared = 1\n")
    assert not ask(rename, "sha¦red = 2", newName="new")["isComplete"]


def test_lists_the_outline(root):
    code = "LIMIT = 1\nclass Pen:\n    ink = 2\n    def write(self):\n        local = 3\n        def inner(): ...\n"
    symbols = ask(outline, code)["symbols"]
    assert [(one["name"], one["parent"]) for one in symbols] == [
        ("LIMIT", None),
        ("Pen", None),
        ("ink", 1),
        ("write", 1),
        ("inner", 3),
    ]
    assert symbols[1]["range"]["endLine"] >= 5


def test_reports_syntax_errors_by_cell(root):
    cells = ("%time x = 1\nawait y", "print(", "!ls\nfor x in y\n  pass", "ok = 1")
    problems = ask(check, *cells, lints=False)["problems"]
    assert [(one["cell"], one["range"]["startLine"]) for one in problems] == [(1, 0), (2, 1)]
    assert ask(check, "await y", lints=False)["problems"][0]["severity"] == "error"
    assert ask(check, "x = '\\d'\n\0", lints=False)["problems"] == []


def test_formats_and_lints_with_ruff(root):
    assert ask(format_document, "x  =  [1,2]\n", lints=True) == {"text": "x = [1, 2]\n", "tool": "ruff"}
    formatted = ask(format_document, "%time x  =  1\ny  =  2;", kind="notebook")["text"]
    assert formatted == "%time x  =  1\ny = 2;"
    problems = ask(check, "%matplotlib inline\nimport os", "x  = 1", lints=True)["problems"]
    assert [(one["code"], one["cell"], one["range"]["startLine"]) for one in problems] == [("F401", 0, 1)]
    with pytest.raises(ServiceError) as raised:
        ask(format_document, "x = (")
    assert raised.value.kind == "failed"


def test_runs_no_program_of_the_workspace(root, write, monkeypatch):
    write("ruff.py", "raise SystemExit(3)")
    write("ruff", "#!/bin/sh\nexit 3\n")
    os.chmod(str(root / "ruff"), 0o755)
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", "." + os.pathsep + os.environ["PATH"])
    assert ask(format_document, "x  = 1\n")["text"] == "x = 1\n"


def test_prepares_what_a_document_imports(root):
    assert ask(prepare, "import json\nencoder = json.JSONEncoder()\n") == {"prepared": 2}


def test_prepares_names_in_functions_at_places_where_they_are_known(root, monkeypatch):
    code = "import json\nif True: x = 1\ndef load(path):\n    text = json.dumps(\n        path)\n    return text\n"
    prepared = []
    real = completion.script_of

    def script_of(path, source):
        script = real(path, source)
        complete_in = script.complete

        def spied(line, column):
            found = complete_in(line, column)
            prepared.append((source.split("\n")[line - 1], "upper" in [one.name for one in found]))
            return found

        monkeypatch.setattr(script, "complete", spied)
        return script

    monkeypatch.setattr(completion, "script_of", script_of)
    assert ask(prepare, code) == {"prepared": 3}
    assert prepared == [("json.", False), ("load.", False), ("    text.", True)]


def test_stops_when_cancelled_and_works_afterwards(root, monkeypatch):
    context = Context()
    started = threading.Event()

    class Endless:
        def complete(self, *_):
            started.set()
            while True:
                pass

    monkeypatch.setattr(completion.Request, "script", lambda self: Endless())
    outcome = []

    def run():
        try:
            ask(complete, "x¦", context=context)
        except Cancelled:
            outcome.append("cancelled")

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert started.wait(30)
    context.cancel()
    thread.join(30)
    assert outcome == ["cancelled"]
    monkeypatch.undo()
    scripts._scripts.clear()
    assert "isfile" in names(ask(complete, "import os\nos.path.isf¦"))


@pytest.mark.parametrize(
    "document", [{"kind": "script", "path": "x\0y", "cells": [""]}, {"kind": "script", "path": "x", "cells": [1]}]
)
def test_refuses_invalid_documents(root, document):
    with pytest.raises(ServiceError) as raised:
        complete({"document": document, "position": {"cell": 0, "line": 0, "character": 0}}, Context())
    assert raised.value.kind == "invalid"
