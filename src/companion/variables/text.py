"""The text of a value, bounded in bytes. Runs in the worker's thread, because it may call the value's `__repr__`."""

import array
import types

from .inspection import (
    CONTAINERS,
    SETS,
    TEXTS,
    attributes_of,
    base_of,
    clean,
    is_any,
    is_native,
    is_plain,
    items_of,
    length_of,
    member_of_class,
    qualified_name,
    type_name,
)

MAX_DEPTH = 4
# Larger containers and texts are never written as a whole by code that can't be stopped.
MAX_NATIVE_ITEMS = 10_000
MAX_NATIVE_LENGTH = 1_000_000
MAX_INTEGER_BITS = 10_000
MAX_ERROR_LENGTH = 300

_VIEWS = tuple(type(view) for view in ({}.keys(), {}.values(), {}.items()))
_BRACKETS = {"list": "[]", "tuple": "()", "deque": "[]", "set": "{}", "frozenset": "{}", "dict": "{}"}


class Text:
    """`is_cut`: the text is not all of it. `problem`: why there is only a replacement, such as `raised`."""

    def __init__(self, text, is_cut=False, problem=None):
        self.text = clean(text)
        self.is_cut = is_cut
        self.problem = problem


def text_of(value, max_length):
    """Return the text of a value with at most so many characters. Never raises an Exception."""
    writer = _Writer(max_length)
    try:
        writer.write(value, 0)
        return Text(writer.text(), writer.is_cut)
    except _FullError:
        return Text(writer.text(), True)
    except Exception as error:
        return Text(error_text(error), False, "raised")


def error_text(error):
    """Return the class and the message of an error that code of a value has raised."""
    try:
        message = str.__getitem__(str(error), slice(0, MAX_ERROR_LENGTH))
    except Exception:
        message = ""
    return clean("%s: %s" % (type_name(error), message) if message else type_name(error))


class _FullError(Exception):
    pass


class _Writer:
    def __init__(self, max_length):
        self._parts = []
        self._rest = max_length
        self.is_cut = False

    def text(self):
        return "".join(self._parts)

    def write(self, value, depth):
        base = base_of(value, (*CONTAINERS, *TEXTS))
        if is_plain(value):
            self._plain(value)
        elif base in TEXTS and self._is_written_here(value):
            self._add(type_name(value) + "(")
            self._plain(base.__getitem__(value, slice(0, self._rest + 1)))
            self._add(")")
        elif base in CONTAINERS and self._is_written_here(value):
            self._container(value, base, depth)
        elif type(value) in _VIEWS:
            self._add(type_name(value) + "(…)")
            self.is_cut = True
        elif type(value) is array.array:
            self._add("array(%r, " % value.typecode)
            self._plain_list(value[: self._rest // 2 + 1].tolist())
            self._add(")")
        elif self._holds_much(value):
            self._attributes(value, depth)
        else:
            self._add_cut(repr(value))

    def _is_written_here(self, value):
        """Return whether the value's own text would come from code in C, which can't be stopped, or is too long."""
        return is_native(member_of_class(value, "__repr__")) or length_of(value) > MAX_NATIVE_ITEMS

    def _holds_much(self, value):
        """Return whether an object holds so much that the text of all its attributes may be long."""
        if member_of_class(value, "__repr__") is object.__repr__ or type(value) is types.FunctionType:
            return False
        for held in attributes_of(value).values():
            base = base_of(held, (*CONTAINERS, *TEXTS))
            limit = MAX_NATIVE_LENGTH if base in TEXTS else MAX_NATIVE_ITEMS
            if base is not None and length_of(held) > limit:
                return True
        return False

    def _plain(self, value):
        if type(value) in TEXTS:
            length = len(value)
            shown = value[: self._rest + 1]
            self._add_cut(repr(shown), is_cut=len(shown) < length)
        elif type(value) is int and value.bit_length() > MAX_INTEGER_BITS:
            self._add("<int of %d bits>" % value.bit_length())
            self.is_cut = True
        else:
            self._add_cut(repr(value))

    def _container(self, value, base, depth):
        name = type_name(value)
        opening, closing = _BRACKETS[base.__name__]
        is_named = type(value) not in (list, tuple, set, dict)
        length = length_of(value)
        if base in SETS and length == 0:
            self._add(name + "()")
            return
        self._add(name + "(" + opening if is_named else opening)
        if depth >= MAX_DEPTH and length > 0:
            self.is_cut = True
            self._add("…")
        else:
            self._items(value, base, length, depth)
        if type(value) is tuple and length == 1:
            self._add(",")
        self._add(closing + ")" if is_named else closing)

    def _items(self, value, base, length, depth):
        # Each item takes three characters at least.
        for nth, item in enumerate(items_of(value, 0, min(length, self._rest // 3 + 1))):
            if nth > 0:
                self._add(", ")
            if base is dict:
                self.write(item[0], depth + 1)
                self._add(": ")
                self.write(item[1], depth + 1)
            else:
                self.write(item, depth + 1)

    def _plain_list(self, values):
        self._add_cut(repr(values))

    def _attributes(self, value, depth):
        self._add(type_name(value) + "(")
        for nth, (name, held) in enumerate(attributes_of(value).items()):
            self._add((", " if nth > 0 else "") + name + "=")
            if depth >= MAX_DEPTH:
                self.is_cut = True
                self._add("…")
            else:
                self.write(held, depth + 1)
        self._add(")")

    def _add_cut(self, text, is_cut=False):
        """Add a text that may be of any class and any length."""
        self._add(str.__getitem__(text, slice(0, self._rest + 1)))
        if is_cut:
            raise _FullError

    def _add(self, text):
        if len(text) > self._rest:
            self._parts.append(text[: self._rest])
            self._rest = 0
            raise _FullError
        self._parts.append(text)
        self._rest -= len(text)


def code_text(value):
    """Return the text of a module, a class, or a function, without any of its own code."""
    if is_any(value, (types.ModuleType,)):
        name = types.ModuleType.__getattribute__(value, "__dict__").get("__name__")
    elif is_any(value, (type,)):
        name = qualified_name(value)
    else:
        name = value.__qualname__ if type(value) is types.FunctionType else type_name(value)
    return Text(str.__getitem__(name, slice(0, MAX_ERROR_LENGTH)) if isinstance(name, str) else type_name(value))
