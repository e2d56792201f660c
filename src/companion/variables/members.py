"""Completes what is below a live value: columns, keys, attributes, and the members of its class, without its code."""

import ast
import types

from ..protocol import service
from . import requests
from .frames import columns_of, is_frame
from .inspection import CONTAINERS, attributes_of, base_of, clean, items_of, members_of_class
from .path import resolve

MAX_MEMBERS = 1000
MAX_NAME_LENGTH = 200
SECONDS = 0.1


@service("variables.members")
def list_members(parameters, _context):
    """List the names that may follow an expression: after a dot, or as texts in brackets. Empty if it has no value."""
    path = _path_of(parameters["expression"])
    if path is None:
        return {"members": []}
    namespace = requests.shell_of_kernel().user_ns
    find = _keys if parameters["kind"] == "key" else _attributes

    def read(_item):
        try:
            value, _ = resolve(namespace, path)
            return find(value)
        except Exception:
            # The expression has no value, or a library raises an error.
            return {}

    found = requests.in_worker(read, SECONDS)
    members = [{"name": clean(name), "type": kind} for name, kind in found.items() if len(name) <= MAX_NAME_LENGTH]
    return {"members": members[:MAX_MEMBERS]}


def _path_of(expression):
    """Return the steps of an expression of names, attributes, and constant keys. None for any other expression."""
    try:
        node = ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    steps = []
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute):
            steps.append({"kind": "member", "at": node.attr})
            node = node.value
        elif isinstance(node, ast.Subscript):
            # Python 3.8 has the index in a node of its own.
            key = getattr(node.slice, "value", None)
            if type(key) not in (str, int):
                key = getattr(key, "value", None)
            if type(key) not in (str, int):
                return None
            steps.append({"kind": "item", "at": key})
            node = node.value
        else:
            return None
    return [{"kind": "name", "at": node.id}, *reversed(steps)]


def _keys(value):
    if is_frame(value):
        return {label: "property" for label, _ in columns_of(value, 0, MAX_MEMBERS) if type(label) is str}
    if base_of(value, CONTAINERS) is dict:
        return {key: "property" for key, _ in items_of(value, 0, MAX_MEMBERS) if type(key) is str}
    return {}


def _attributes(value):
    found = {}
    if is_frame(value):
        found.update({name: "property" for name in _keys(value) if name.isidentifier()})
    found.update({name: _kind_of(held) for name, held in attributes_of(value).items() if name.isidentifier()})
    for name, member in members_of_class(value).items():
        if type(name) is str and not name.startswith("_"):
            found.setdefault(name, _kind_of(member))
    return found


def _kind_of(member):
    if type(member) in (types.FunctionType, types.MethodDescriptorType, types.BuiltinFunctionType, classmethod):
        return "function"
    return "property" if type(member) in (property, types.GetSetDescriptorType) else "statement"
