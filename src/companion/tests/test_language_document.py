import random

import pytest

from companion.language.document import Document, InvalidDocument, open_string, without_magics


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%matplotlib inline", "0"),
        ("!ls -l", "0"),
        ("    !ls", "    0"),
        ("%%bash", ""),
        ("frame?", "0"),
        ("?frame.head", "0"),
        ("files = !ls", "files = []"),
        ("kind = %who", "kind = []"),
        ("%time total = sum(x)", "if 1: total = sum(x)"),
        ("%timeit sum(x)", "if 1:   sum(x)"),
        ("%timeit -n 10 sum(x)", "0"),
        ("y = %time sum(x)", "y =       sum(x)"),
        ("x = 5 % 2", "x = 5 % 2"),
        ("x = 1  # really?", "x = 1  # really?"),
        ("'%s' % x", "'%s' % x"),
    ],
)
def test_replaces_magics_in_place(line, expected):
    assert without_magics([line]) == [expected.ljust(len(line))]


def test_leaves_continued_expressions_and_strings():
    lines = ["x = (a", "% b)", 'text = """', "%s", '"""', "y = a \\", "% b", "%who"]
    assert without_magics(lines) == [*lines[:-1], "0   "]


def test_replaces_what_continues_a_magic():
    assert without_magics(["!ls \\", "  -l", "x = 1"]) == ["0    ", "    ", "x = 1"]


def test_replaces_the_body_of_other_languages_only():
    assert without_magics(["", "%%html", "<b>x</b>"]) == ["", "      ", "        "]
    assert without_magics(["%%time", "x = 1"]) == ["      ", "x = 1"]


def test_keeps_all_positions_of_any_text():
    generator = random.Random(7)
    pieces = ["%", "!", "?", "'", '"', '"""', "(", ")", "\\", "#", " ", "\n", "x", "=", "time", "%%", "é", "😀"]
    for _ in range(3000):
        lines = "".join(generator.choices(pieces, k=generator.randrange(40))).split("\n")
        assert [len(line) for line in without_magics(lines)] == [len(line) for line in lines]


def test_maps_positions_of_cells():
    document = Document(["a = 1\r\nb = '😀'; c", "d\n"], True)
    assert document.source == "a = 1\nb = '😀'; c\nd\n\n"
    assert document.script_position({"cell": 0, "line": 1, "character": 10}) == (2, 9)
    assert document.script_position({"cell": 1, "line": 0, "character": 1}) == (3, 1)
    assert document.editor_range((2, 8), (2, 9)) == {
        "cell": 0,
        "range": {"startLine": 1, "startCharacter": 9, "endLine": 1, "endCharacter": 10},
    }
    assert document.editor_range((3, 0), (3, 1))["cell"] == 1


def test_refuses_positions_outside():
    document = Document(["a"], False)
    for position in ({"cell": 1, "line": 0, "character": 0}, {"cell": 0, "line": 1, "character": 0}):
        with pytest.raises(InvalidDocument):
            document.script_position(position)


def test_finds_the_string_at_a_position():
    assert open_string(["read('data/sa')"], 0, 13) == ("data/sa", "'")
    assert open_string(["x = 'a' + b"], 0, 10) is None
    assert open_string(["# it's"], 0, 6) is None
    assert open_string(["'''", "data/"], 1, 5) is None
