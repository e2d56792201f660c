"""Data frames for the editor's data explorer: those of a notebook's kernel, and files of the workspace.

Only what is shown is sent. A frame is referenced, never copied: a view is an array of row numbers.
"""

import collections
import csv
import io
import json
import secrets
import sys
import threading
import weakref

from ..protocol import ServiceError, service
from ..variables.requests import each_in_worker
from .files import open_file, stamp_of
from .numpy_source import NumpySource
from .pandas_source import PandasSource
from .polars_source import PolarsSource
from .rows import ArrowSource, ListSource, RowsSource
from .values import MAX_TEXT_LENGTH, CellTexts, View

MAX_OPEN = 32
MAX_COLUMNS = 10_000
MAX_PAGE_CELLS = 20_000
MAX_COPIED_CELLS = 1_000_000
MAX_COPIED_LENGTH = 4_000_000
MAX_LISTED = 200
# Seconds for the code of one variable, and of all, to tell whether they are frames.
EACH_SECONDS = 2.0
LIST_SECONDS = 5.0
SPARK_ROWS = 1000
# Views of a frame whose rows are kept: the one that is shown, and the next one while it is being computed.
MAX_VIEWS = 2

_opened = collections.OrderedDict()
_lock = threading.Lock()


class Opened:
    """A frame that a tab shows. The frame of a variable is dropped when the variable changes.

    Each request names its view, so that it gets the rows of this view whatever else is computed at the same time.
    """

    def __init__(self, parameters, context):
        self.expression = parameters.get("expression")
        self.path = parameters.get("path")
        self.stamp = None if self.path is None else stamp_of(self.path)
        if self.path is not None:
            value = open_file(self.path, context)
            self._is_name = False
        else:
            value = _value_of(self.expression)
            self._is_name = self.expression.isidentifier()
        self._value = _reference(value) if self._is_name else lambda: value
        source = _source_of(value)
        # What was read from a file or from another process is kept.
        self._kept = source if isinstance(source, RowsSource) or self.path is not None else None
        self.shape = (source.rows, source.width)
        self._positions = collections.OrderedDict()

    def current(self):
        """Return the source. Fails if the variable or the file has changed."""
        value = self._value()
        if self.path is not None:
            is_same = stamp_of(self.path) == self.stamp
        else:
            is_same = value is not None and (not self._is_name or _value_of(self.expression) is value)
        source = (self._kept or _source_of(value)) if is_same else None
        if source is None or (source.rows, source.width) != self.shape:
            raise ServiceError("changed", "The data has changed.")
        return source

    def shown(self, parameters, context):
        """Return what a view shows of the frame: of the rows that were filtered and sorted before, if they are kept."""
        source = self.current()
        view = View(parameters["view"])
        if any(one["column"] >= source.width for one in [*view.filters, *view.sorting]):
            raise ServiceError("changed", "The data has changed.")
        if view.is_plain:
            return Shown(source, view, None)
        key = json.dumps(parameters["view"], sort_keys=True)
        with _lock:
            positions = self._positions.get(key)
        if positions is None:
            positions = source.positions(view, context)
            context.check()
        with _lock:
            self._positions[key] = positions
            self._positions.move_to_end(key)
            while len(self._positions) > MAX_VIEWS:
                self._positions.popitem(last=False)
        return Shown(source, view, positions)


class Shown:
    """The rows of a source that a view shows, in its order. `positions` is None for all rows in their own order."""

    def __init__(self, source, view, positions):
        self.source = source
        self.view = view
        self.positions = positions
        self.rows = source.rows if positions is None else len(positions)

    def part(self, start, stop):
        """Return the positions of the rows from `start` to `stop`."""
        start, stop = max(0, start), min(stop, self.rows)
        return slice(start, max(start, stop)) if self.positions is None else self.positions[start:stop]


@service("frames.list")
def list_frames(_parameters, context):
    """List the variables that are frames."""
    shell = _shell()
    names = [
        name
        for name in list(shell.user_ns)
        if type(name) is str and not name.startswith("_") and name not in shell.user_ns_hidden
    ]

    def describe(name):
        context.check()
        value = shell.user_ns.get(name)
        kind = _kind_of(value)
        if kind is None:
            return None
        rows, width = (None, len(value.columns)) if kind == "spark" else _shape_of(value)
        return {"expression": name, "kind": kind, "rows": rows, "columns": width}

    # A variable whose code fails or doesn't end can't be shown as a frame, but the others can.
    found = each_in_worker(describe, names, EACH_SECONDS, LIST_SECONDS)
    context.check()
    return {"frames": [one for one in found if isinstance(one, dict)][:MAX_LISTED]}


@service("frames.open")
def open_frame(parameters, context):
    """Open the frame of an expression or a file."""
    opened = Opened(parameters, context)
    frame_id = secrets.token_hex(8)
    shown = opened.shown(parameters, context)
    source = shown.source
    result = {
        "id": frame_id,
        "kind": source.kind,
        "rows": source.rows,
        "shown": shown.rows,
        "width": source.width,
        "columns": [column.described() for column in source.columns(MAX_COLUMNS)],
        "indexNames": list(source.index_names),
        "isPart": isinstance(source, ListSource),
    }
    with _lock:
        _opened[frame_id] = opened
        while len(_opened) > MAX_OPEN:
            _opened.popitem(last=False)
    return result


@service("frames.view")
def prepare_view(parameters, context):
    """Filter and sort the rows of an open frame for the requests that follow with this view."""
    return {"shown": _find(parameters).shown(parameters, context).rows}


@service("frames.page")
def read_page(parameters, context):
    """Return the texts of a part of the rows and columns: labels by row, and cells by column."""
    shown = _find(parameters).shown(parameters, context)
    source = shown.source
    first, last = parameters["firstColumn"], min(parameters["lastColumn"], source.width)
    start, stop = parameters["start"], parameters["stop"]
    if max(0, stop - start) * max(1, last - first) > MAX_PAGE_CELLS:
        raise ServiceError("tooLarge", "The page is too large.")
    rows = shown.part(start, stop)
    texts = CellTexts(source.none)
    labels = [[str(texts.text(part)) for part in label] for label in source.labels(rows)]
    cells = [[texts.text(value) for value in source.values(index, rows)] for index in range(first, last)]
    return {"labels": labels, "cells": cells}


@service("frames.cell")
def read_cell(parameters, context):
    """Return the whole text of a cell, up to a limit."""
    shown = _find(parameters).shown(parameters, context)
    source = shown.source
    row, column = parameters["row"], parameters["column"]
    values = source.values(column, shown.part(row, row + 1)) if column < source.width else []
    if len(values) == 0:
        raise ServiceError("invalid", "There is no such cell.")
    text = CellTexts(source.none, MAX_TEXT_LENGTH).text(values[0])
    return {"text": str(text)[:MAX_TEXT_LENGTH], "isCut": len(str(text)) > MAX_TEXT_LENGTH}


@service("frames.summary")
def summarize(parameters, context):
    """Summarize a column of the view."""
    shown = _find(parameters).shown(parameters, context)
    source = shown.source
    if parameters["column"] >= source.width:
        raise ServiceError("invalid", "There is no such column.")
    summary = source.summary(parameters["column"], shown.positions, context)
    texts = CellTexts(source.none)
    for name in ("low", "high"):
        if name in summary:
            summary[name] = str(texts.text(summary[name]))
    summary["top"] = [{"text": str(texts.text(value)), "count": count} for value, count in summary.get("top", ())]
    histogram = summary.pop("histogram", None)
    if histogram is not None:
        numbers = {name: "%.6g" % histogram[name] for name in ("low", "high", "mean")}
        summary["histogram"] = dict(numbers, counts=histogram["counts"])
    return summary


@service("frames.csv")
def copy_rows(parameters, context):
    """Return a part of the rows and columns as CSV, with the names of the columns."""
    shown = _find(parameters).shown(parameters, context)
    source = shown.source
    first, last = parameters["firstColumn"], min(parameters["lastColumn"], source.width)
    start, stop = parameters["start"], min(parameters["stop"], shown.rows)
    if max(0, stop - start) * max(1, last - first) > MAX_COPIED_CELLS:
        raise ServiceError("tooLarge", "The selection is too large to be copied.")
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow([column.name for column in source.columns(last)[first:]])
    texts = CellTexts(source.none, MAX_TEXT_LENGTH)
    for block in range(start, stop, 1000):
        context.check()
        rows = shown.part(block, min(block + 1000, stop))
        columns = [source.values(index, rows) for index in range(first, last)]
        writer.writerows([_copied(texts.text(value)) for value in row] for row in zip(*columns))
        if output.tell() > MAX_COPIED_LENGTH:
            raise ServiceError("tooLarge", "The selection is too large to be copied.")
    return {"text": output.getvalue()}


@service("frames.code")
def code_of_view(parameters, context):
    """Return code that makes the view."""
    opened = _find(parameters)
    shown = opened.shown(parameters, context)
    source = shown.source
    code = source.code(shown.view, opened.expression if opened.path is None else opened.path)
    return {"code": "\n".join([*source.imports(code), code]) + "\n"}


@service("frames.close")
def close_frame(parameters, _context):
    """Drop what is known of an open frame."""
    with _lock:
        _opened.pop(parameters["id"], None)
    return {}


def _find(parameters):
    with _lock:
        opened = _opened.get(parameters["id"])
        if opened is None:
            raise ServiceError("unknown", "The data is no longer open.")
        _opened.move_to_end(parameters["id"])
    return opened


def _shell():
    from IPython.core.getipython import get_ipython

    return get_ipython()


def _value_of(expression):
    try:
        return eval(compile(expression.strip(), "<data explorer>", "eval"), _shell().user_ns)
    except NameError as error:
        raise ServiceError("gone", str(error)) from None
    except Exception as error:
        raise ServiceError("invalid", "%s: %s" % (type(error).__name__, error)) from None


def _reference(value):
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: value


def _kind_of(value):
    """Return what library's frame a value is, without importing the library or looking at attributes."""
    for kind, names in (("pandas", ("DataFrame", "Series")), ("polars", ("DataFrame", "Series")), ("pyarrow", _ARROW)):
        library = sys.modules.get(kind)
        if any(isinstance(value, found) for found in (getattr(library, name, None) for name in names) if found):
            return kind
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray):
        return "numpy" if value.ndim == 2 and value.dtype.names is None else None
    spark = type(value).__module__.startswith("pyspark.sql") and type(value).__name__ == "DataFrame"
    return "spark" if spark else None


_ARROW = ("Table", "RecordBatch")


def _shape_of(value):
    shape = value.shape
    return (shape[0], shape[1] if len(shape) > 1 else 1)


def _source_of(value):
    if isinstance(value, (PandasSource, PolarsSource, RowsSource)):
        return value
    kind = _kind_of(value)
    if kind == "spark":
        rows = [tuple(row) for row in value.limit(SPARK_ROWS).collect()]
        return ListSource("spark", list(value.dtypes), rows)
    if kind == "pyarrow" and type(value).__name__ == "RecordBatch":
        value = sys.modules["pyarrow"].Table.from_batches([value])
    sources = {"pandas": PandasSource, "polars": PolarsSource, "pyarrow": ArrowSource, "numpy": NumpySource}
    if kind is None:
        raise ServiceError("notFrame", "%s is not a data frame." % type(value).__name__)
    return sources[kind](value)


def _copied(text):
    return "" if isinstance(text, int) else text
