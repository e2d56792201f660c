"""Hover, definitions, references, rename, outline, and the sources of libraries."""

import contextlib
import keyword
import os
import re

from .. import workspace
from ..protocol import ServiceError, service
from . import unsaved
from .completion import (
    MAX_SIGNATURE_LENGTH,
    MAX_SIGNATURES,
    description_of_variable,
    documentation_of,
    is_variable,
)
from .document import line_range, lines_of
from .scripts import Request, content_path, is_in_workspace, library_folders
from .turns import ASKED, SEARCHED

MAX_LOCATIONS = 5000
MAX_SYMBOLS = 5000
# Notebooks that a rename doesn't change, and names.
MAX_NOTEBOOKS = 5
MAX_LIBRARY_BYTES = 4 * 1024 * 1024
MAX_FILE_BYTES = 4 * 1024 * 1024
# What jedi reads and parses at most when it looks for references.
_READ_LIMIT = 2000
_PARSED_LIMIT = 30


@service("language.hover")
def hover(parameters, context):
    """Describe the name at a position."""
    request = Request(parameters)
    if request.document.is_replaced(*request.position):
        return {"signatures": [], "documentation": ""}

    def work():
        script = request.script()
        names = script.help(*request.position)
        if not names:
            return {"signatures": [], "documentation": ""}
        name = names[0]
        found = [_prefix(name) + one.to_string()[:MAX_SIGNATURE_LENGTH] for one in name.get_signatures()]
        documentation = documentation_of(name)
        if is_variable(name):
            found, documentation = description_of_variable(name, script.infer(*request.position), documentation)
        return {
            "signatures": [one[:MAX_SIGNATURE_LENGTH] for one in (found or [name.description])[:MAX_SIGNATURES]],
            "documentation": documentation,
        }

    return request.run(work, "hover", ASKED, context)


def _prefix(name):
    return {"function": "def ", "class": "class "}.get(name.type, "")


@service("language.definition")
def definition(parameters, context):
    """Return where the name at a position is defined."""
    request = Request(parameters)

    def work():
        names = request.script().goto(*request.position, follow_imports=True, follow_builtin_imports=True)
        return {"locations": _locations(request, names)}

    return request.run(work, "definition", ASKED, context)


@service("language.references")
def references(parameters, context):
    """Return where the name at a position is used, its definition included."""
    request = Request(parameters)

    def work():
        names = request.script().get_references(*request.position, include_builtins=False)
        return {"locations": _locations(request, names[:MAX_LOCATIONS])}

    return request.run(work, "references", SEARCHED, context)


def _locations(request, names):
    files = {}
    locations = []
    for name in names[:MAX_LOCATIONS]:
        if name.module_path is None or (name.line is None and name.type != "module"):
            continue
        path = str(name.module_path)
        line, column = (name.line or 1), (name.column or 0)
        # The module itself has no place in its file.
        end = column if name.type == "module" and name.line is None else column + len(name.name)
        if path == request.path:
            place = request.document.editor_range((line, column), (line, end))
            locations.append({"kind": "document", "path": "", **place})
            continue
        lines = _lines_of_file(path, files)
        if lines is None or line > len(lines):
            continue
        is_own = is_in_workspace(path)
        locations.append(
            {
                "kind": "workspace" if is_own else "library",
                "path": content_path(path) if is_own else path,
                "cell": 0,
                "range": line_range(lines, (line - 1, column), (line - 1, end)),
            }
        )
    return locations


def _lines_of_file(path, files):
    if path not in files:
        text = unsaved.text_at(path)
        files[path] = None if text is None else lines_of(text)
        with contextlib.suppress(OSError, UnicodeError, SyntaxError):
            if text is None and os.path.getsize(path) <= MAX_FILE_BYTES:
                files[path] = lines_of(_source(path))
    return files[path]


def _source(path):
    import tokenize

    with tokenize.open(path) as file:
        return file.read(MAX_FILE_BYTES)


@service("language.rename")
def rename(parameters, context):
    """Return what a name can be renamed to: all its places in the workspace.

    Without a new name, only checks that. Fails with `noName` at a place without a name, `library` for a name of a
    library, `module` for that of a file, and `invalidName` if the new name isn't one of Python.
    """
    request = Request(parameters)
    new_name = parameters.get("newName")
    only_checks = new_name is None
    if not only_checks and (not new_name.isidentifier() or keyword.iskeyword(new_name)):
        raise ServiceError("invalidName", "The new name isn't a name in Python.")

    def work():
        script = request.script()
        line, column = request.position
        text = request.document.lines[line - 1]
        start, end = _word_at(text, column)
        word = text[start:end]
        names = script.goto(line, column, follow_imports=True) if word else []
        if keyword.iskeyword(word) or not names or request.document.is_replaced(line, column):
            raise ServiceError("noName", "There is no name that can be renamed.")
        for name in names:
            if name.type == "module":
                raise ServiceError("module", "The name of a module is that of its file.")
            is_own = name.module_path is not None and str(name.module_path) == request.path
            if not is_own and (name.module_path is None or not is_in_workspace(str(name.module_path))):
                raise ServiceError("library", "The name is defined in a library.")
        place = request.document.editor_range((line, start), (line, end))
        result = {
            "name": word,
            "place": place,
            "locations": [],
            "isComplete": True,
            "isLocal": all(map(_is_local, names)),
            "notebooks": [],
        }
        if only_checks:
            return result
        found = script.get_references(line, column, include_builtins=False)
        # An import can give the name another one, which stays.
        found = [one for one in found if one.name == word]
        locations = _locations(request, found)
        if any(location["kind"] == "library" for location in locations):
            raise ServiceError("library", "The name is used by a library.")
        result["locations"] = locations
        # A notebook with the same name has the one of a module only if it imports that.
        modules = {os.path.splitext(os.path.basename(str(one.module_path)))[0] for one in names if one.module_path}
        searched = _search(request, word, set() if result["isLocal"] else modules, context)
        result["isComplete"] = len(found) <= MAX_LOCATIONS and searched[0]
        result["notebooks"] = searched[1]
        return result

    return request.run(work, "rename", ASKED if only_checks else SEARCHED, context)


def _word_at(text, column):
    """Return the start and the end of the characters of names at a column, also of vowel signs."""
    start = end = column
    while start > 0 and ("_" + text[start - 1]).isidentifier():
        start -= 1
    while end < len(text) and ("_" + text[end]).isidentifier():
        end += 1
    return start, end


def _is_local(name):
    """Return whether a name is known only in the function that contains it."""
    parent = name.parent()
    is_attribute = name.get_line_code()[: name.column].rstrip().endswith(".")
    return parent is not None and parent.type == "function" and not is_attribute


def _search(request, name, modules, context):
    """Return whether few enough files contain the name that jedi looks into all of them, and some other notebooks.

    These contain the name, and that of one of the modules.
    """
    pattern, imported = _words([name]), _words(modules)
    read = containing = 0
    notebooks = []
    for folder, folders, files in os.walk(workspace.root()):
        folders[:] = [one for one in folders if not one.startswith(".") and one != "site-packages"]
        context.check()
        for file in files:
            path = os.path.join(folder, file)
            is_notebook = file.endswith(".ipynb") and path != request.path and len(notebooks) < MAX_NOTEBOOKS
            if not is_notebook and not file.endswith((".py", ".pyi")):
                continue
            read += 1
            text = b""
            if path in request.unsaved:
                text = request.unsaved[path].encode("utf-8", "surrogatepass")
            else:
                with contextlib.suppress(OSError), open(path, "rb") as opened:
                    text = opened.read(MAX_FILE_BYTES)
            if pattern.search(text) and not is_notebook:
                containing += 1
            elif modules and pattern.search(text) and imported.search(text):
                notebooks.append(content_path(path))
            if read > _READ_LIMIT or containing > _PARSED_LIMIT:
                return False, notebooks
    return True, notebooks


def _words(names):
    """Return the pattern of names in Python files and notebooks. A notebook may have an escaped line end before it."""
    names = "|".join(re.escape(name) for name in names)
    return re.compile((r"(?:(?<!\w)|\\[nt])(?:%s)(?!\w)" % names).encode())


@service("language.outline")
def outline(parameters, context):
    """Return the classes, functions and variables of a document, each with the index of the one that contains it."""
    request = Request(parameters)

    def work():
        names = request.script().get_names(all_scopes=True, definitions=True, references=False)
        symbols = []
        indexes = {}
        # Names whose scope is a function are its own affair, except for functions and classes.
        for name in names:
            if len(symbols) >= MAX_SYMBOLS:
                break
            start, end = name.get_definition_start_position(), name.get_definition_end_position()
            if name.type not in ("class", "function", "statement") or start is None or end is None:
                continue
            parent = name.parent()
            is_nested = parent is not None and parent.type in ("class", "function")
            if name.type == "statement" and is_nested and parent.type == "function":
                continue
            index = indexes.get((parent.line, parent.column)) if is_nested else None
            indexes[(name.line, name.column)] = len(symbols)
            document = request.document
            whole = document.editor_range(start, end)
            symbols.append(
                {
                    "name": name.name[:500],
                    "type": name.type,
                    "isMember": is_nested and parent.type == "class",
                    "parent": index,
                    "cell": whole["cell"],
                    "range": whole["range"],
                    "selection": document.editor_range(
                        (name.line, name.column), (name.line, name.column + len(name.name))
                    )["range"],
                }
            )
        return {"symbols": symbols}

    return request.run(work, "outline", SEARCHED, context)


@service("language.source")
def source(parameters, _context):
    """Return the text of a library's source: a Python file in a folder that Python imports from.

    Fails with `refused` for other files, and with `noFile`.
    """
    real = os.path.realpath(parameters["path"])
    folders = library_folders()
    is_allowed = real.endswith((".py", ".pyi")) and any(real.startswith(os.path.join(one, "")) for one in folders)
    if not is_allowed:
        raise ServiceError("refused", "The file isn't the source of a library.")
    try:
        if os.path.getsize(real) > MAX_LIBRARY_BYTES:
            raise ServiceError("refused", "The file is too large.")
        return {"text": _source(real)}
    except (OSError, UnicodeError, SyntaxError) as error:
        raise ServiceError("noFile", "The file can't be read.") from error
