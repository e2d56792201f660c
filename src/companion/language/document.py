"""The text of a document as the editor has it: a script, or the code cells of a notebook as one script."""

import bisect
import re

# Characters of all cells together. Larger documents get no language features.
MAX_SOURCE_CHARACTERS = 2000000
MAX_CELLS = 5000

# Cell magics whose body is Python.
PYTHON_CELL_MAGICS = frozenset(["capture", "debug", "memit", "mprun", "lprun", "prun", "time", "timeit"])
# Line magics that run the Python code after them.
PYTHON_LINE_MAGICS = frozenset(["memit", "prun", "time", "timeit"])

_HELP = re.compile(r"[ \t]*(?:\?{1,2}[ \t]*[%\w.*]+|[%\w.*]+\?{1,2})[ \t]*$")
_ASSIGNED = re.compile(r"[ \t]*[\w.]+(?:[ \t]*,[ \t]*[\w.]+){0,50}[ \t]*=[ \t]*([%!])")
_TOKEN = re.compile(r"(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comment>#)|(?P<quote>\"\"\"|'''|\"|')")


class InvalidDocument(ValueError):
    """A document, or a position in it, that can't be used. The message is for the log."""


def utf16_length(text):
    """The number of UTF-16 code units, in which the editor counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def character_index(line, units):
    """The index of the character at this number of UTF-16 code units, at most the length of the line."""
    if units <= 0 or line.isascii():
        return max(0, min(units, len(line)))
    counted = 0
    for index, character in enumerate(line):
        if counted >= units:
            return index
        counted += 2 if ord(character) > 0xFFFF else 1
    return len(line)


def lines_of(text):
    """The lines of a text as the editor counts them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


class Scan:
    """Follows brackets and strings from line to line, because a `%` within them is no magic."""

    def __init__(self):
        self.depth = 0
        # The quote of the string that is open at the end of the line.
        self.quote = None
        # Where the open string of the last line begins, after its quote; None if it began on an earlier line.
        self.string_start = None
        self.continues = False

    def at_statement(self):
        """Whether the next line can begin a statement."""
        return self.depth == 0 and self.quote is None and not self.continues

    def add(self, line):
        """Continues with the next line."""
        index = 0
        self.string_start = None
        while index < len(line):
            if self.quote is not None:
                end = _string_end(line, index, self.quote)
                if end is None:
                    break
                index = end
                self.quote = None
                self.string_start = None
                continue
            found = _TOKEN.search(line, index)
            if found is None or found.lastgroup == "comment":
                break
            index = found.end()
            if found.lastgroup == "quote":
                self.quote = found.group()
                self.string_start = index
            elif found.lastgroup == "open":
                self.depth += 1
            elif self.depth > 0:
                self.depth -= 1
        self.continues = line.endswith("\\")
        if self.quote is not None and len(self.quote) == 1 and not self.continues:
            # A string with single quotes ends with its line, even if its quote is missing.
            self.quote = None


def _string_end(line, index, quote):
    while index < len(line):
        if line[index] == "\\":
            index += 2
        elif line.startswith(quote, index):
            return index + len(quote)
        else:
            index += 1
    return None


def open_string(lines, line, column):
    """The text of the string that contains the position, from its quote to the position, with that quote; else None.

    Strings with three quotes and those that began on an earlier line are no paths or keys.
    """
    scan = Scan()
    for earlier in lines[:line]:
        scan.add(earlier)
    if scan.quote is not None:
        return None
    text = lines[line][:column]
    # The backslash keeps a string with single quotes open at the end of the text.
    scan.add(text + "\\")
    if scan.quote is None or len(scan.quote) != 1 or scan.string_start is None:
        return None
    return text[scan.string_start :], scan.quote


def without_magics(lines):
    """The lines with magics, shell commands and help requests replaced by code of the same length.

    All other characters keep their positions.
    """
    first = next((index for index, line in enumerate(lines) if line.strip() != ""), None)
    if first is None:
        return lines
    result = list(lines)
    start = 0
    if lines[first].startswith("%%"):
        words = lines[first][2:].split(None, 1)
        name = words[0] if words else ""
        if name not in PYTHON_CELL_MAGICS:
            return [" " * len(line) for line in lines]
        result[first] = " " * len(lines[first])
        start = first + 1
    scan = Scan()
    replaces_continuation = False
    for index in range(start, len(lines)):
        line = result[index]
        if replaces_continuation:
            replaces_continuation = line.endswith("\\")
            result[index] = " " * len(line)
            continue
        if scan.at_statement():
            neutral = _neutral(line)
            if neutral is not None:
                # A magic continues after a backslash, but Python after a magic can't.
                replaces_continuation = line.endswith("\\") and not neutral.endswith("\\")
                result[index] = line = neutral
        scan.add(line)
    return result


def _neutral(line):
    """The line without its magic; None if it has none."""
    text = line.lstrip(" \t")
    indent = line[: len(line) - len(text)]
    if text[:1] in ("%", "!"):
        kept = _timed_code(text, "if 1:")
        return indent + (kept if kept is not None else "0" + " " * (len(text) - 1))
    if _HELP.match(line):
        return indent + "0" + " " * (len(text) - 1)
    assigned = _ASSIGNED.match(line)
    if assigned is None:
        return None
    start = assigned.start(1)
    magic = line[start:]
    kept = _timed_code(magic, "")
    if kept is not None:
        return line[:start] + kept
    value = "[]" if len(magic) > 1 else "0"
    return line[:start] + value + " " * (len(magic) - len(value))


def _timed_code(magic, replacement):
    """A magic such as `%time` replaced, with its Python code at the same place; None for other magics and options."""
    words = magic[1:].split(None, 1)
    if magic[0] != "%" or len(words) < 2 or words[0] not in PYTHON_LINE_MAGICS or words[1].startswith("-"):
        return None
    start = magic.index(words[1], 1 + len(words[0]))
    if len(replacement) > start - 1:
        return None
    return replacement + " " * (start - len(replacement)) + words[1]


class Document:
    """The cells of a document, in order, and the script that they are together. A script is one cell.

    Positions of the editor are `{"cell", "line", "character"}`, from 0, in UTF-16 code units. Positions in the script
    are a line from 1 and a column of characters from 0, as jedi counts them.
    """

    def __init__(self, cells, is_notebook):
        if not isinstance(cells, list) or not all(isinstance(cell, str) for cell in cells):
            raise InvalidDocument("The document has no cells.")
        if len(cells) > MAX_CELLS or sum(map(len, cells)) > MAX_SOURCE_CHARACTERS:
            raise InvalidDocument("The document is too large.")
        self.is_notebook = is_notebook
        self.cells = [lines_of(cell) for cell in cells]
        self._starts = []
        script = []
        for lines in self.cells:
            self._starts.append(len(script))
            script.extend(without_magics(lines) if is_notebook else lines)
        self.lines = script
        self.source = "\n".join(script) + "\n"

    def script_position(self, position):
        """The position in the script, as `(line, column)`."""
        cell, line, units = position["cell"], position["line"], position["character"]
        if not 0 <= cell < len(self.cells) or not 0 <= line < len(self.cells[cell]):
            raise InvalidDocument("The position is outside the document.")
        return self._starts[cell] + line + 1, character_index(self.cells[cell][line], units)

    def is_replaced(self, line, column):
        """Whether the text at this position of the script was replaced, such as that of a magic."""
        cell, cell_line = self._cell_of(line)
        before, after = self.cells[cell][cell_line], self.lines[line - 1]
        if before == after:
            return False
        differs = [index for index in range(len(before)) if before[index] != after[index]]
        # What a magic assigns, and the code that it times, are kept.
        is_kept_before = column <= differs[0] and before[: differs[0]].strip() != ""
        is_kept_after = column > differs[-1] and after[differs[-1] + 1 :].strip() != ""
        return not (is_kept_before or is_kept_after)

    def _cell_of(self, line):
        cell = max(0, bisect.bisect_right(self._starts, line - 1) - 1)
        return cell, line - 1 - self._starts[cell]

    def editor_range(self, start, end):
        """The cell and the range between two positions of the script, which ends with the cell of its start."""
        cell, line = self._cell_of(min(max(start[0], 1), len(self.lines)))
        end_cell, end_line = self._cell_of(min(max(end[0], 1), len(self.lines)))
        lines = self.cells[cell]
        if end_cell != cell or end[0] > len(self.lines):
            end_line, end_column = len(lines) - 1, len(lines[-1])
        else:
            end_column = end[1]
        return {"cell": cell, "range": line_range(lines, (line, start[1]), (end_line, end_column))}


def line_range(lines, start, end):
    """The editor's range between two positions `(line from 0, column)` in these lines."""
    return {
        "startLine": start[0],
        "startCharacter": utf16_length(lines[start[0]][: start[1]]) if start[0] < len(lines) else start[1],
        "endLine": end[0],
        "endCharacter": utf16_length(lines[end[0]][: end[1]]) if end[0] < len(lines) else end[1],
    }
