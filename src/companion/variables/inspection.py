"""What a value is, without running any of its code: no attribute, property, or method that a class can replace.

A class can even replace what `isinstance`, `len`, and `type(x).__name__` read, so everything here uses the methods of
Python's own types directly.
"""

import collections
import itertools
import sys
import types

_name = type.__dict__["__name__"].__get__
_module = type.__dict__["__module__"].__get__
_mro = type.__dict__["__mro__"].__get__
_members = type.__dict__["__dict__"].__get__

MAX_TYPE_LENGTH = 200

SEQUENCES = (list, tuple, collections.deque)
SETS = (set, frozenset)
CONTAINERS = (*SEQUENCES, *SETS, dict)
TEXTS = (str, bytes, bytearray)
# Values of these types, but not of classes that extend them, have a text that costs next to nothing.
SCALARS = (bool, int, float, complex, type(None), type(Ellipsis), type(NotImplemented), *TEXTS)
CODE = (
    types.ModuleType,
    type,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodWrapperType,
)

MISSING = object()


def clean(text):
    """Return the text as an exact string without surrogates, which can't be sent."""
    return str.encode(text, "utf-8", "backslashreplace").decode("utf-8")


def type_name(value):
    """Return the name of the value's class, such as `DataFrame`."""
    return clean(_name(type(value))[:MAX_TYPE_LENGTH])


def qualified_name(cls):
    """Return the name of a class with that of its module."""
    try:
        module = _module(cls)
    except Exception:
        module = None
    return clean("%s.%s" % (module, _name(cls)) if type(module) is str else _name(cls))[:MAX_TYPE_LENGTH]


def is_any(value, classes):
    """Return whether the value is of one of these classes or of one that extends them."""
    return any(one is other for one in _mro(type(value)) for other in classes)


def base_of(value, classes):
    """Return the one of these classes that the value's class is or extends. None if there is none."""
    return next((other for one in _mro(type(value)) for other in classes if one is other), None)


def is_plain(value):
    """Return whether the value's class is Python's own and not a container, so that its text costs nothing."""
    return any(type(value) is one for one in SCALARS)


def is_code(value):
    """Return whether the value is a module, a class, or a function."""
    return is_any(value, CODE)


def member_of_class(value, name):
    """Return what the value's class has under a name. MISSING if there is nothing."""
    for one in _mro(type(value)):
        found = _members(one).get(name, MISSING)
        if found is not MISSING:
            return found
    return MISSING


def members_of_class(value):
    """Return what the value's class and the classes that it extends have, by name."""
    found = {}
    for one in reversed(_mro(type(value))):
        found.update(_members(one))
    return found


def is_native(member):
    """Return whether a method is that of a class in C, whose own code nobody wrote in Python."""
    return type(member) in (types.WrapperDescriptorType, types.MethodDescriptorType)


def length_of(value):
    """Return the number of items of a container or text. None for other values."""
    base = base_of(value, (*CONTAINERS, *TEXTS))
    return None if base is None else base.__len__(value)


def items_of(value, start, count):
    """Return some items of a container; of a dictionary, pairs of key and value."""
    base = base_of(value, CONTAINERS)
    if base is None:
        return []
    for _ in range(3):
        try:
            iterator = iter(dict.items(value)) if base is dict else base.__iter__(value)
            return list(itertools.islice(iterator, start, start + count))
        except RuntimeError:
            # A cell changed it meanwhile.
            continue
    return []


def attributes_of(value):
    """Return the attributes that an object stores, by name, in its dictionary and its slots. Never a property's."""
    if is_code(value):
        return {}
    found = {}
    own = member_of_class(value, "__dict__")
    if type(own) is types.GetSetDescriptorType:
        try:
            stored = own.__get__(value)
        except Exception:
            stored = None
        if type(stored) is dict:
            found.update(items_of(stored, 0, MAX_ATTRIBUTES))
    for one in reversed(_mro(type(value))):
        for name, member in _members(one).items():
            if type(member) is types.MemberDescriptorType and one is not object:
                try:
                    found[name] = member.__get__(value)
                except Exception:
                    # The slot is empty.
                    continue
    return {name: found[name] for name in found if type(name) is str and not name.startswith("__")}


MAX_ATTRIBUTES = 10_000


def bytes_of(value):
    """Return the bytes of a value without those that it refers to. None if only its own code can tell."""
    if not is_native(member_of_class(value, "__sizeof__")):
        return None
    try:
        return sys.getsizeof(value)
    except Exception:
        return None


def class_in(module, name):
    """Return a class of a library. None if the library isn't imported."""
    loaded = sys.modules.get(module)
    if type(loaded) is not types.ModuleType and not issubclass(type(loaded), types.ModuleType):
        return None
    found = types.ModuleType.__getattribute__(loaded, "__dict__").get(name)
    return found if type(found) is type or issubclass(type(found), type) else None
