"""Requests of the language services without an editor."""

import itertools

from companion.protocol import Cancelled

_numbers = itertools.count()


class Context:
    """A request that is cancelled on demand."""

    def __init__(self):
        self.number = next(_numbers)
        self.is_cancelled = False
        self.callbacks = []

    def cancelled(self):
        return self.is_cancelled

    def check(self):
        if self.is_cancelled:
            raise Cancelled

    def on_cancel(self, callback):
        self.callbacks.append(callback)

    def cancel(self):
        self.is_cancelled = True
        for callback in self.callbacks:
            callback()


def at_cursor(*cells, path=None, kind=None):
    """Parameters for a document whose cursor is at the character `¦`. Several cells are a notebook."""
    position = None
    texts = []
    for index, cell in enumerate(cells):
        if "¦" in cell:
            before = cell[: cell.index("¦")]
            line = before.count("\n")
            character = len(before[before.rfind("\n") + 1 :].encode("utf-16-le")) // 2
            position = {"cell": index, "line": line, "character": character}
            cell = cell.replace("¦", "")
        texts.append(cell)
    kind = kind or ("script" if len(cells) == 1 else "notebook")
    document = {"kind": kind, "path": path or ("main.py" if kind == "script" else "main.ipynb"), "cells": texts}
    return {"document": document} if position is None else {"document": document, "position": position}


def texts_at(locations, cells):
    """The texts of locations in the document itself."""
    return [text_at(one, cells) for one in locations if one["kind"] == "document"]


def text_at(place, cells):
    """The text of a range in one line."""
    line = cells[place["cell"]].split("\n")[place["range"]["startLine"]].encode("utf-16-le")
    return line[place["range"]["startCharacter"] * 2 : place["range"]["endCharacter"] * 2].decode("utf-16-le")
