"""The values below a value: items, attributes, and columns. Each is addressed by a step from the value that has it."""

import ast
import itertools
import keyword
import math

from ..protocol import ServiceError
from . import frames
from .inspection import (
    CONTAINERS,
    MISSING,
    SEQUENCES,
    attributes_of,
    base_of,
    clean,
    is_code,
    is_plain,
    items_of,
    length_of,
)
from .text import text_of

# Keys that are longer are addressed by their position.
MAX_KEY_LENGTH = 500
MAX_LABEL_LENGTH = 200
MAX_SEARCHED_COLUMNS = 1000


class Child:
    """`step`: how to find it again. `expression`: what to add to the expression of its parent; None if unknown."""

    def __init__(self, label, value, kind, at, suffix):
        self.label = clean(label)[:MAX_LABEL_LENGTH]
        self.value = value
        self.step = {"kind": kind, "at": at}
        self.suffix = suffix


def count_below(value):
    """Return the number of values below a value, without running its code. For a frame, 1 stands for its columns."""
    if base_of(value, CONTAINERS) is not None:
        return length_of(value)
    if frames.is_frame(value):
        return 1
    if is_plain(value) or is_code(value) or frames.is_known(value):
        return 0
    return len(attributes_of(value))


def children_of(value, start, count):
    """Return some of the values below a value, and how many there are. Runs in the worker's thread."""
    base = base_of(value, CONTAINERS)
    if base is dict:
        pairs = items_of(value, start, count)
        return [_item(start + nth, key, held) for nth, (key, held) in enumerate(pairs)], length_of(value)
    if base is not None:
        kind = "index" if base in SEQUENCES else "position"
        return [
            Child("[%d]" % nth if kind == "index" else "{%d}" % nth, held, kind, nth, _index_suffix(kind, nth))
            for nth, held in enumerate(items_of(value, start, count), start)
        ], length_of(value)
    if frames.is_frame(value):
        labels = frames.columns_of(value, start, count)
        facts = frames.facts_of(value)
        return [_column(start + nth, label, held) for nth, (label, held) in enumerate(labels)], facts.columns
    if is_plain(value) or is_code(value) or frames.is_known(value):
        return [], 0
    stored = attributes_of(value)
    return [
        Child(name, held, "attribute", clean(name), "." + name if _is_name(name) else None)
        for name, held in itertools.islice(stored.items(), start, start + count)
    ], len(stored)


def resolve(namespace, path):
    """Return the value at a path and its expression, in the worker's thread. Raise a ServiceError if it is gone."""
    first, *rest = path
    value = dict.get(namespace, first["at"], MISSING)
    expression = name_expression(first["at"])
    for step in rest:
        if value is MISSING:
            break
        value, suffix = _below(value, step["kind"], step["at"])
        expression = None if expression is None or suffix is None else expression + suffix
    if value is MISSING:
        raise ServiceError("gone", "The value no longer exists.")
    return value, expression


def name_expression(name):
    """Return the expression of a variable."""
    return name if _is_name(name) else "globals()[%r]" % name


def _is_name(name):
    return str.isidentifier(name) and not keyword.iskeyword(name)


def _index_suffix(kind, nth):
    return "[%d]" % nth if kind == "index" else None


def _is_literal(key):
    if type(key) in (str, bytes):
        return len(key) <= MAX_KEY_LENGTH
    if type(key) is float:
        return math.isfinite(key)
    return key is None or type(key) is bool or (type(key) is int and key.bit_length() <= MAX_KEY_LENGTH)


def _item(nth, key, held):
    """A dictionary's item. A key that isn't a plain value is addressed by its position: no code of it is run."""
    if _is_literal(key):
        literal = ascii(key)
        return Child(repr(key), held, "key", literal, "[%s]" % literal)
    return Child(text_of(key, MAX_LABEL_LENGTH).text, held, "position", nth, None)


def _column(nth, label, held):
    suffix = "[%r]" % label if type(label) in (str, int) else None
    return Child(frames.label_of(label), held, "column", nth, suffix)


def _below(value, kind, at):
    base = base_of(value, CONTAINERS)
    if kind == "key" and base is dict:
        return dict.get(value, ast.literal_eval(at), MISSING), "[%s]" % at
    if kind in ("index", "position") and base is not None:
        found = items_of(value, at, 1)
        if not found:
            return MISSING, None
        return (found[0][1] if base is dict else found[0]), _index_suffix(kind, at)
    if kind == "attribute":
        found = {clean(name): held for name, held in attributes_of(value).items()}
        return found.get(at, MISSING), "." + at if _is_name(at) else None
    if kind == "member":
        return _member(value, at), None
    if kind == "item":
        return _item_at(value, at), None
    if kind == "column" and frames.is_frame(value):
        for label, held in frames.columns_of(value, at, 1):
            return held, _column(at, label, held).suffix
    return MISSING, None


def _member(value, name):
    """The attribute or the column with a name. MISSING if only code of the value could tell."""
    stored = attributes_of(value)
    return stored[name] if name in stored else _column_named(value, name)


def _item_at(value, key):
    """The item or the column with a key."""
    base = base_of(value, CONTAINERS)
    if base is dict:
        return dict.get(value, key, MISSING)
    if base in SEQUENCES and type(key) is int:
        found = items_of(value, key, 1) if key >= 0 else []
        return found[0] if found else MISSING
    return _column_named(value, key)


def _column_named(value, name):
    if not frames.is_frame(value):
        return MISSING
    columns = frames.columns_of(value, 0, MAX_SEARCHED_COLUMNS)
    return next((held for label, held in columns if type(label) in (str, int) and label == name), MISSING)
