"""Finds files and text below a directory. A program of its own, with the standard library alone, that can be ended.

Reads its parameters as JSON from standard input, and writes lines of JSON. A match of a regular expression holds the
interpreter's lock, so in the companion's process, a pattern that takes forever would stop everything.
"""

import bisect
import itertools
import json
import os
import re
import signal
import sys
import time

MAX_NOTEBOOK_BYTES = 20_000_000
MAX_LINE_LENGTH = 2000
MAX_DEPTH = 100
MAX_IGNORE_BYTES = 200_000
MAX_IGNORE_RULES = 5000
# Seconds of matching in one file. After several such files, the search ends.
MAX_FILE_SECONDS = 2.0
HAS_TIMER = hasattr(signal, "setitimer")
MAX_SLOW_FILES = 3
# What a replacement needs of a match: its groups, and their characters in total.
MAX_GROUPS = 99
MAX_GROUPS_LENGTH = 20_000
# Skipped files whose names are returned.
MAX_NAMED = 200
# Seconds between two lines of output. The first ones come sooner.
BATCH_SECONDS = 0.1
MAX_BATCH_BYTES = 1_000_000
BINARY_NAMES = (
    *(".png", ".jpg", ".jpeg", ".gif", ".webp", ".ico", ".pdf", ".zip", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".tar"),
    *(".parquet", ".feather", ".pkl", ".pickle", ".npy", ".npz", ".h5", ".whl", ".exe", ".so", ".dll", ".pyc"),
    *(".xls", ".xlsx", ".doc", ".docx", ".ppt", ".pptx", ".mp3", ".mp4", ".wav", ".avi", ".mov"),
)
# A pipe with the name of a file would block. Windows needs the flag for bytes.
READ_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
LINE_ENDS = re.compile(r"\r\n|\r|\n")
# Sequences of JSON for printable ASCII, and also for letters with an ASCII letter as their other case.
ESCAPED_ASCII = re.compile(rb"\\u00[2-7]")
ESCAPED_LETTERS = re.compile(rb"\\u(?:00[2-7]|013[01]|017[fF]|212[aA])")


class TooSlow(Exception):
    """Matching a file takes too long."""


class Failure(Exception):
    """What the user must know. `kind` is for programs."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class Output:
    """Lines of JSON, each with what was found since the one before."""

    def __init__(self, write):
        self._write = write
        self._items = []
        self._bytes = 0
        self._searched = 0
        self._due = time.monotonic()

    def add(self, item, size):
        self._items.append(item)
        self._bytes += size
        if self._bytes >= MAX_BATCH_BYTES:
            self.flush()

    def progress(self, searched):
        """Write what there is if it is time, also to show that the program works."""
        self._searched = searched
        if time.monotonic() >= self._due:
            self.flush()

    def flush(self):
        self._write({"type": "found", "items": self._items, "searched": self._searched})
        self._items = []
        self._bytes = 0
        self._due = time.monotonic() + BATCH_SECONDS


def glob_expression(glob):
    """Return the source of a regular expression for a glob of the editor: `**`, `*`, `?`, `[...]`, `{a,b}`."""
    source = []
    depth = 0
    index = 0
    while index < len(glob):
        char = glob[index]
        if glob.startswith("**/", index) and (index == 0 or glob[index - 1] in "/{,"):
            source.append("(?:[^/]+/)*")
            index += 3
            continue
        if glob.startswith("**", index):
            source.append(".*")
            index += 2
            continue
        if char == "*":
            source.append("[^/]*")
        elif char == "?":
            source.append("[^/]")
        elif char == "{":
            depth += 1
            source.append("(?:")
        elif char == "}" and depth > 0:
            depth -= 1
            source.append(")")
        elif char == "," and depth > 0:
            source.append("|")
        elif char == "[" and "]" in glob[index + 2 :]:
            end = glob.index("]", index + 2)
            inner = glob[index + 1 : end].replace("\\", r"\\").replace("[", r"\[").replace("^", r"\^")
            source.append("[%s]" % (("^" + inner[1:]) if inner.startswith("!") else inner))
            index = end
        elif char == "\\" and index + 1 < len(glob):
            index += 1
            source.append(re.escape(glob[index]))
        else:
            source.append(re.escape(char))
        index += 1
    return "".join(source) + ")" * depth


def compiled_globs(globs):
    """Return a regular expression that matches the paths that one of the globs excludes; None without globs."""
    sources = [glob_expression(glob.strip("/")) for glob in globs if glob.strip("/")]
    if not sources:
        return None
    try:
        return re.compile("(?:%s)" % "|".join(sources))
    except re.error:
        raise Failure("invalidGlob", "The settings have an invalid pattern of files to exclude.") from None


class IgnoreFile:
    """The rules of one .gitignore."""

    def __init__(self, directory, text):
        self._prefix = directory + "/" if directory else ""
        self._rules = []
        for line in text.splitlines()[:MAX_IGNORE_RULES]:
            rule = self._rule(line)
            if rule is not None:
                self._rules.append(rule)

    @staticmethod
    def _rule(line):
        line = line.rstrip("\r")
        while line.endswith(" ") and not line.endswith("\\ "):
            line = line[:-1]
        if not line or line.startswith("#"):
            return None
        is_negated = line.startswith("!")
        if is_negated:
            line = line[1:]
        only_directories = line.endswith("/")
        line = line.rstrip("/")
        is_anchored = "/" in line
        line = line.lstrip("/").replace("{", "\\{").replace("}", "\\}")
        if not line:
            return None
        try:
            expression = re.compile(("" if is_anchored else "(?:.*/)?") + glob_expression(line))
        except re.error:
            return None
        return (expression, is_negated, only_directories)

    def decide(self, path, is_directory):
        """Return whether the path is ignored; None if no rule says so."""
        inner = path[len(self._prefix) :]
        for expression, is_negated, only_directories in reversed(self._rules):
            if (is_directory or not only_directories) and expression.fullmatch(inner):
                return not is_negated
        return None


class Walk:
    """The files below a directory that are to be searched, directory by directory."""

    def __init__(self, root, options):
        self._root = root
        self._options = options
        self._exclude = compiled_globs(options["exclude"])
        self._types = tuple("." + one.lower().lstrip("*").lstrip(".") for one in options["fileTypes"])
        self._ignored_names = set(options["ignoreFolders"])
        self._seen = set()

    def files(self):
        """Yield (path from the root, entry). Symbolic links to directories are followed, each directory once."""
        start = self._options["folder"].strip("/")
        rules = []
        if self._options["useIgnoreFiles"]:
            above = ""
            for part in [None, *start.split("/")[:-1]] if start else []:
                above = above if part is None else (above + "/" + part if above else part)
                rules.extend(self._ignore_file(above))
        directories = [(start, rules, 0)]
        links = []
        while directories or links:
            path, rules, depth = directories.pop() if directories else links.pop()
            yield from self._directory(path, rules, depth, directories, links)

    def _directory(self, path, rules, depth, directories, links):
        full = os.path.join(self._root, path) if path else self._root
        try:
            status = os.stat(full)
            if (status.st_dev, status.st_ino) in self._seen:
                return
            self._seen.add((status.st_dev, status.st_ino))
            with os.scandir(full) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            if depth == 0:
                raise Failure("noFolder", "There is no folder %s." % (path or "/")) from None
            return
        if self._options["useIgnoreFiles"]:
            rules = rules + self._ignore_file(path)
        below = []
        for entry in entries:
            inner = path + "/" + entry.name if path else entry.name
            try:
                is_directory = entry.is_dir()
                if not self._is_kept(inner, entry.name, is_directory, rules):
                    continue
                if not is_directory:
                    if entry.is_file() and (not self._types or entry.name.lower().endswith(self._types)):
                        yield inner, entry
                elif self._options["isRecursive"] and depth < MAX_DEPTH:
                    (links if entry.is_symlink() else below).append((inner, rules, depth + 1))
            except OSError:
                continue
        directories.extend(reversed(below))

    def _is_kept(self, path, name, is_directory, rules):
        if name == ".ipynb_checkpoints" or "recent_executions" in path:
            return False
        if name.startswith(".") and not self._options["includesHidden"]:
            return False
        if name in self._ignored_names and is_directory:
            return False
        if self._exclude is not None and self._exclude.fullmatch(path):
            return False
        for rule in reversed(rules):
            decision = rule.decide(path, is_directory)
            if decision is not None:
                return not decision
        return True

    def _ignore_file(self, directory):
        try:
            with open(os.path.join(self._root, directory, ".gitignore"), "rb") as file:
                return [IgnoreFile(directory, file.read(MAX_IGNORE_BYTES).decode("utf-8", "replace"))]
        except OSError:
            return []


class Matcher:
    """Finds a text or a regular expression in the lines of a text."""

    def __init__(self, query):
        text = query["text"]
        flags = 0 if query["isCaseSensitive"] else re.IGNORECASE
        self._is_expression = query["isRegularExpression"]
        self._has_groups = query.get("withGroups", False)
        source = text if self._is_expression else re.escape(text)
        try:
            # Checked on its own, because an expression such as `a)|(b` must not become valid inside of another one.
            pattern = re.compile(source, flags)
            if query.get("isWholeWord", False):
                pattern = re.compile(_whole_word(source, None if self._is_expression else text), flags)
        except (re.error, OverflowError, RecursionError) as error:
            raise Failure("unsupportedPattern", "Python can't use the regular expression: %s" % error) from None
        self._pattern = pattern
        self._is_case_sensitive = query["isCaseSensitive"]
        is_plain = not self._is_expression and text.isascii()
        self._needle = (text if self._is_case_sensitive else text.lower()).encode() if is_plain else None
        # JSON has other characters in place of these.
        self._is_same_in_json = is_plain and text.isprintable() and '"' not in text and "\\" not in text

    def may_match(self, data, is_notebook):
        """Return False if the bytes can't have a match."""
        if self._needle is None or (is_notebook and not self._is_same_in_json):
            return True
        if self._is_case_sensitive:
            return self._needle in data or (is_notebook and self._has_escaped(data, ESCAPED_ASCII))
        # Other letters can have the same lower case as ASCII letters.
        return (
            not data.isascii()
            or self._needle in data.lower()
            or (is_notebook and self._has_escaped(data, ESCAPED_LETTERS))
        )

    def _has_escaped(self, data, sequences):
        """Return whether JSON may have a part of the text as an escape sequence."""
        return (b"\\u" in data and sequences.search(data) is not None) or (b"/" in self._needle and b"\\/" in data)

    def find(self, text):
        """Yield (number of the line, line, start, match) of each match. Skips empty ones."""
        if self._is_expression:
            for number, line in enumerate(LINE_ENDS.split(text)):
                for match in self._pattern.finditer(line):
                    if match.end() > match.start():
                        yield number, line, match.start(), match
            return
        starts = None
        for match in self._pattern.finditer(text):
            if starts is None:
                ends = list(LINE_ENDS.finditer(text))
                starts = [0] + [end.end() for end in ends]
                stops = [end.start() for end in ends] + [len(text)]
            number = bisect.bisect_right(starts, match.start()) - 1
            start, stop = starts[number], stops[number]
            if match.end() <= stop:
                yield number, text[start:stop], match.start() - start, match

    def place(self, number, line, start, match):
        """Return what is sent about a match."""
        place = _place(number, line, start, start + match.end() - match.start())
        if self._has_groups:
            groups = [match.group(0), *match.groups()[:MAX_GROUPS]]
            if sum(len(group) for group in groups if group is not None) <= MAX_GROUPS_LENGTH:
                place["groups"] = [None if group is None else _without_surrogates(group) for group in groups]
        return place


def _whole_word(source, text):
    """Return an expression that matches no part of a word. A text that begins with another character may follow one."""
    first = text is None or _is_in_word(text[:1])
    last = text is None or _is_in_word(text[-1:])
    return "%s(?:%s)%s" % (r"(?<!\w)" if first else "", source, r"(?!\w)" if last else "")


def _is_in_word(character):
    return character == "_" or character.isalnum()


def _place(number, line, start, end):
    """Positions count UTF-16 units, as the editor does. Of a long line, only the part around the match is kept."""
    first = 0
    if len(line) > MAX_LINE_LENGTH:
        first = max(0, min(start - 100, len(line) - MAX_LINE_LENGTH))
    shown = line[first : first + MAX_LINE_LENGTH]
    return {
        "line": number,
        "start": _utf16_length(line[:start]),
        "end": _utf16_length(line[:end]),
        "text": _without_surrogates(shown),
        "offset": _utf16_length(line[:first]),
    }


def _utf16_length(text):
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _without_surrogates(text):
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def cells_of(text):
    """Return the sources of a notebook's cells; None if it isn't one."""
    try:
        cells = json.loads(text)["cells"]
        sources = [cell.get("source", "") for cell in cells]
        return [source if isinstance(source, str) else _joined(source) for source in sources]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _joined(lines):
    """Return lines as one text, also if a pair of surrogates is split between two of them."""
    text = "".join(lines)
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def bytes_of(path, max_bytes):
    """Return the content of a file; None if it is larger."""
    # Without a file object, this takes a third of the time.
    descriptor = os.open(path, READ_FLAGS)
    try:
        size = os.fstat(descriptor).st_size
        if size > max_bytes:
            return None
        data = os.read(descriptor, size + 1)
        while len(data) < size:
            more = os.read(descriptor, size - len(data))
            if not more:
                break
            data += more
        return data
    finally:
        os.close(descriptor)


def text_of(path, entry, max_bytes, matcher):
    """Return the text of a file, which is empty if it can't have a match. Or None, and why it is skipped."""
    lower = path.lower()
    if lower.endswith(BINARY_NAMES):
        return None, "binary"
    is_notebook = lower.endswith(".ipynb")
    data = bytes_of(entry.path, MAX_NOTEBOOK_BYTES if is_notebook else max_bytes)
    if data is None:
        return None, "large"
    if data.find(b"\0", 0, 8192) >= 0:
        return None, "binary"
    if not matcher.may_match(data, is_notebook):
        return "", None
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError:
        return None, "binary"


def texts_in(path, text):
    """Return the texts of a file: the sources of a notebook's cells, or one. And whether they are cells."""
    cells = cells_of(text) if path.lower().endswith(".ipynb") else None
    return ([text], False) if cells is None else (cells, True)


def matches_in(texts, are_cells, matcher, limit, counts_rest):
    """Return the matches in the texts of a file, and the number of those beyond the limit if they are to be counted."""
    found = []
    rest = 0
    for number, text in enumerate(texts):
        matches = matcher.find(text)
        for match in itertools.islice(matches, limit - len(found)):
            place = matcher.place(*match)
            if are_cells:
                place["cell"] = number
            found.append(place)
        if counts_rest:
            rest += sum(1 for _ in matches)
        elif len(found) >= limit:
            break
    return found, rest


class Skipped:
    """The files that were not searched: their number, and the names of the first ones."""

    def __init__(self):
        self.count = 0
        self.slow = 0
        self.files = []

    def add(self, path, reason):
        self.count += 1
        if len(self.files) < MAX_NAMED:
            self.files.append({"path": _without_surrogates(path), "reason": reason})


def search_text(root, options, output):
    """Search all files. Return the counts."""
    matcher = Matcher(options)
    prepare_limit()
    counts_rest = options.get("countsRest", False)
    unsaved = {file["path"]: file for file in options.get("unsaved", [])}
    skipped = Skipped()
    searched = found = rest = rest_files = 0
    is_complete = True
    for path, entry in Walk(root, options).files():
        left = options["maxMatches"] - found
        if left <= 0 and not counts_rest:
            is_complete = False
            break
        limit = max(0, min(options["maxPerFile"], left))
        given = unsaved.get(path)
        read = _texts(path, entry, given, options["maxBytes"], matcher, skipped)
        if read is None:
            continue
        limit_matching(MAX_FILE_SECONDS)
        try:
            matches, more = matches_in(*read, matcher, limit, counts_rest)
        except TooSlow:
            skipped.add(path, "slow")
            skipped.slow += 1
            if skipped.slow >= MAX_SLOW_FILES:
                name = _without_surrogates(path)
                raise Failure("slowPattern", "The regular expression takes too long, such as in %s." % name) from None
            continue
        finally:
            limit_matching(0)
        searched += 1
        if more:
            rest += more
            rest_files += 1
        if matches:
            found += len(matches)
            size = sum(len(match["text"]) + sum(map(len, filter(None, match.get("groups", ())))) for match in matches)
            output.add({"path": _without_surrogates(path), "matches": matches}, size + len(path))
        output.progress(searched)
    return {
        "searched": searched,
        "skipped": skipped.count,
        "skippedFiles": skipped.files if counts_rest else [],
        "isComplete": is_complete and rest == 0,
        "rest": {"matches": rest, "files": rest_files},
    }


def _texts(path, entry, given, max_bytes, matcher, skipped):
    """Return the texts to search and whether they are cells; None if the file is skipped."""
    if given is not None:
        return given["texts"], given["areCells"]
    try:
        text, reason = text_of(path, entry, max_bytes, matcher)
    except OSError:
        text, reason = None, "unreadable"
    if text is None:
        skipped.add(path, reason)
        return None
    return texts_in(path, text) if text else ([], False)


def list_files(root, options, output):
    """List the files. Return their number."""
    count = 0
    for path, _ in Walk(root, options).files():
        if count >= options["maxFiles"]:
            return {"count": count, "isComplete": False}
        count += 1
        output.add(_without_surrogates(path), len(path))
        output.progress(count)
    return {"count": count, "isComplete": True}


def limit_matching(seconds):
    """Interrupt what takes longer, where the system has timers for that: matching checks for signals. 0: no limit."""
    if HAS_TIMER:
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _expire(_signal, _frame):
    raise TooSlow


def prepare_limit():
    if HAS_TIMER:
        signal.signal(signal.SIGALRM, _expire)


def main():
    request = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    stream = sys.stdout.buffer

    def write(value):
        stream.write(json.dumps(value).encode("ascii") + b"\n")
        stream.flush()

    output = Output(write)
    perform = {"search.text": search_text, "search.files": list_files}[request["operation"]]
    try:
        result = perform(request["root"], request["parameters"], output)
        output.flush()
        write({"type": "result", "result": result})
    except Failure as failure:
        write({"type": "failure", "kind": failure.kind, "message": str(failure)})


if __name__ == "__main__":
    main()
