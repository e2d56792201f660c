"""Completion of names and paths, their documentation, and signatures."""

import functools
import os

from .. import workspace
from ..protocol import service
from .document import open_string, utf16_length
from .scripts import Request, script_of
from .turns import ASKED, BACKGROUND, TYPED

MAX_ITEMS = 2000
MAX_NAME_LENGTH = 500
MAX_ENTRIES = 5000
MAX_DOCUMENTATION_LENGTH = 20000
MAX_SIGNATURES = 20
MAX_SIGNATURE_LENGTH = 4000
MAX_PARAMETERS = 200
# Names of a document whose members are inferred in the background.
MAX_PREPARED = 12

# The last completion, for the details of its items.
_last = None


@service("language.complete")
def complete(parameters, context):
    """Complete a name, a key, or a path at a position.

    `replaced`: UTF-16 code units before the position that an item replaces.
    """
    request = Request(parameters)
    line, column = request.position
    if request.document.is_replaced(line, column):
        return {"items": [], "replaced": 0, "isComplete": True, "kind": "none"}
    string = open_string(request.document.lines, line - 1, column)
    if string is not None:
        paths = _paths(request, string)
        if paths is not None:
            return paths
    return request.run(lambda: _names(request, string is not None), "complete", TYPED, context)


def _names(request, is_in_string):
    global _last
    line, column = request.position
    completions = request.script().complete(line, column)
    _last = (request.path, request.document.source, request.position, completions)
    items = []
    for one in completions[:MAX_ITEMS]:
        name = one.name_with_symbols
        # Paths are completed from the document's folder instead.
        if len(name) <= MAX_NAME_LENGTH and one.type != "path":
            items.append({"name": name, "type": one.type})
    prefix = completions[0].get_completion_prefix_length() if completions else 0
    text = request.document.lines[line - 1]
    return {
        "items": items,
        "replaced": utf16_length(text[max(0, column - prefix) : column]),
        "isComplete": len(completions) <= MAX_ITEMS,
        "kind": "string" if is_in_string else "names",
    }


def _paths(request, string):
    """Files and folders that continue a path in a string, from the document's folder; None if there are none."""
    text, quote = string
    folder, _, prefix = text.rpartition("/")
    if request.is_library or "\\" in text or "\0" in text or os.path.isabs(text) or text.startswith("~"):
        return None
    root = os.path.realpath(workspace.root())
    parent = os.path.realpath(os.path.join(os.path.dirname(request.path), folder))
    if parent != root and not parent.startswith(os.path.join(root, "")):
        return None
    items = []
    read = 0
    try:
        with os.scandir(parent) as entries:
            for entry in entries:
                read += 1
                if read > MAX_ENTRIES or len(items) >= MAX_ITEMS:
                    break
                if not _continues(entry.name, prefix, quote):
                    continue
                is_folder = entry.is_dir()
                items.append(
                    {"name": entry.name + ("/" if is_folder else ""), "type": "folder" if is_folder else "file"}
                )
    except OSError:
        return None
    if not items:
        return None
    items.sort(key=lambda item: item["name"].lower())
    return {"items": items, "replaced": utf16_length(prefix), "isComplete": read <= MAX_ENTRIES, "kind": "paths"}


def _continues(name, prefix, quote):
    is_hidden = name.startswith(".") and not prefix.startswith(".")
    has_special = quote in name or "\\" in name or not name.isprintable()
    return name.startswith(prefix) and not is_hidden and not has_special and len(name) < MAX_NAME_LENGTH


@service("language.describe")
def describe(parameters, context):
    """Describe an item of a completion at a position, by its name."""
    request = Request(parameters)
    name = parameters["name"]

    def work():
        completions = None
        if _last is not None and _last[:3] == (request.path, request.document.source, request.position):
            completions = _last[3]
        if completions is None:
            completions = request.script().complete(*request.position)
        found = next((one for one in completions if one.name_with_symbols == name), None)
        if found is None:
            return {"signatures": [], "documentation": ""}
        signatures = [one.to_string()[:MAX_SIGNATURE_LENGTH] for one in found.get_signatures()[:MAX_SIGNATURES]]
        documentation = documentation_of(found)
        if is_variable(found):
            signatures, documentation = description_of_variable(found, found.infer(), documentation)
        return {
            "signatures": signatures or [found.description[:MAX_SIGNATURE_LENGTH]],
            "documentation": documentation,
        }

    return request.run(work, "describe", ASKED, context)


def documentation_of(name):
    """Return the docstring of a name, without its signature."""
    return name.docstring(raw=True)[:MAX_DOCUMENTATION_LENGTH]


def is_variable(name):
    """Return whether the type of a name's value says more than its definition."""
    return name.type in ("statement", "param", "instance")


def description_of_variable(name, types, documentation):
    """Return a line with the types of a variable, and its documentation, or that of its type."""
    kinds = sorted({one.name for one in types})
    line = "%s: %s" % (name.name, " | ".join(kinds)) if kinds else name.description
    return [line[:MAX_SIGNATURE_LENGTH]], documentation or (documentation_of(types[0]) if types else "")


@service("language.signatures")
def signatures(parameters, context):
    """Return the signatures of the call around a position. Offsets are UTF-16 code units in the label."""
    request = Request(parameters)
    if request.document.is_replaced(*request.position):
        return {"signatures": []}

    def work():
        found = request.script().get_signatures(*request.position)
        return {"signatures": [_signature(one) for one in found[:MAX_SIGNATURES]]}

    return request.run(work, "signatures", TYPED, context)


def _signature(signature):
    label = signature.to_string()[:MAX_SIGNATURE_LENGTH]
    parameters = []
    start = label.find("(") + 1
    for parameter in signature.params[:MAX_PARAMETERS]:
        text = parameter.to_string()
        found = label.find(text, start)
        if found < 0:
            break
        start = found + len(text)
        parameters.append({"start": utf16_length(label[:found]), "end": utf16_length(label[:start])})
    active = signature.index
    return {
        "label": label,
        "parameters": parameters,
        "active": active if active is not None and active < len(parameters) else None,
        "documentation": documentation_of(signature),
    }


@service("language.prepare")
def prepare(parameters, context):
    """Infer in the background what a document imports and assigns, so that its first completion finds it cached."""
    request = Request(parameters)
    places = request.run(lambda: _places_to_prepare(request), "prepare", BACKGROUND, context)
    for name, line, indent in places:
        context.check()
        work = functools.partial(_prepare_members, request, indent + name + ".", line)
        request.run_until_done(work, "prepare " + name, context)
    return {"prepared": len(places)}


def _prepare_members(request, text, line):
    lines = list(request.document.lines)
    lines.insert(line, text)
    # Another path, because scripts of the same path share a tree.
    script_of(request.path + ".prepared.py", "\n".join(lines) + "\n").complete(line + 1, len(text))


def _places_to_prepare(request):
    """Return names and, for each, the line after its definition, from 0, with the indentation of that definition.

    Names in functions are among them: what a library's function returns is in other files than the function.
    """
    found = {}
    for one in request.script().get_names(all_scopes=True, definitions=True, references=False):
        start, end = one.get_definition_start_position(), one.get_definition_end_position()
        types = ["module", "statement"] + (["class", "function"] if one.parent().type == "module" else [])
        if one.type not in types or not one.name.isidentifier() or one.name in found or start is None or end is None:
            continue
        if len(found) >= MAX_PREPARED:
            break
        before = request.document.lines[start[0] - 1][: start[1]]
        # A definition that isn't at the beginning of its line, such as a condition's, has no line of its own after it.
        if before.strip() == "":
            found[one.name] = (one.name, end[0] if end[1] > 0 else end[0] - 1, before)
    return list(found.values())
