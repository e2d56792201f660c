"""Files of the workspace as frames: CSV with pandas, or else with Python alone, and Parquet with pyarrow or polars."""

import array
import csv
import importlib
import importlib.util
import os

from .. import workspace
from ..protocol import ServiceError
from .pandas_source import PandasSource
from .polars_source import PolarsSource
from .rows import ArrowSource, RowsSource
from .values import NULL, Column

# Larger files are read row by row, when they are shown.
MAX_LOADED_BYTES = 256 * 1024 * 1024
MAX_LINE_BYTES = 4 * 1024 * 1024
# Rows between two remembered offsets in a file.
BLOCK_ROWS = 64
SAMPLED_ROWS = 1000
DELIMITERS = (",", ";", "\t", "|")


def open_file(path, context):
    """Return the source of a CSV, TSV, or Parquet file with a content path."""
    target = _target(path)
    if not os.path.isfile(target):
        raise ServiceError("noFile", "The file doesn't exist.")
    size = os.path.getsize(target)
    if path.lower().endswith((".parquet", ".pq")):
        return _parquet(target, path, size)
    delimiter = "\t" if path.lower().endswith(".tsv") else _delimiter(target)
    if size <= MAX_LOADED_BYTES and _is_installed("pandas"):
        pandas = importlib.import_module("pandas")
        try:
            return PandasFile(pandas.read_csv(target, sep=delimiter), path, delimiter)
        except (ValueError, UnicodeError):
            # What pandas can't parse is shown as text.
            context.check()
    return CsvSource(target, path, delimiter, context)


def stamp_of(path):
    """Return what changes with the file."""
    try:
        status = os.stat(_target(path))
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size)


def _target(path):
    parts = path.split("/")
    if ".." in parts or os.path.isabs(path):
        raise ServiceError("invalid", "The path is invalid.")
    return os.path.join(workspace.root(), *parts)


def _parquet(target, path, size):
    if size > MAX_LOADED_BYTES:
        raise ServiceError("tooLarge", "The file is larger than %d MB." % (MAX_LOADED_BYTES // 1024**2))
    try:
        if _is_installed("pyarrow"):
            return ArrowFile(importlib.import_module("pyarrow.parquet").read_table(target), path)
        if _is_installed("polars"):
            return PolarsFile(importlib.import_module("polars").read_parquet(target), path)
    except Exception as error:
        raise ServiceError("invalid", "%s: %s" % (type(error).__name__, error)) from None
    raise ServiceError("missing", "Neither pyarrow nor polars is installed.")


def _is_installed(name):
    return importlib.util.find_spec(name) is not None


def _name_of(path):
    return path.rsplit("/", 1)[-1]


def _delimiter(target):
    with open(target, "rb") as file:
        line = file.readline(MAX_LINE_BYTES).decode("utf-8", "replace")
    return max(DELIMITERS, key=line.count)


def _reading_code(path, delimiter):
    return "pd.read_csv(%r%s)" % (_name_of(path), "" if delimiter == "," else ", sep=%r" % delimiter)


class PandasFile(PandasSource):
    def __init__(self, frame, path, delimiter):
        super().__init__(frame)
        self.kind = "file"
        self._reading = _reading_code(path, delimiter)

    def code(self, view, _expression):
        return super().code(view, self._reading)


class PolarsFile(PolarsSource):
    def __init__(self, frame, path):
        super().__init__(frame)
        self.kind = "file"
        self._reading = "pl.read_parquet(%r)" % _name_of(path)

    def code(self, view, _expression):
        return super().code(view, self._reading)


class ArrowFile(ArrowSource):
    def __init__(self, table, path):
        super().__init__(table)
        self.kind = "file"
        self._reading = "pd.read_parquet(%r)" % _name_of(path)

    def pandas_code(self, _expression):
        return self._reading


class CsvSource(RowsSource):
    """A CSV file whose rows are read when they are shown. Knows the offsets of every 64th row."""

    kind = "file"
    none = NULL

    def __init__(self, target, path, delimiter, context):
        self._target = target
        self._delimiter = delimiter
        self._reading = _reading_code(path, delimiter)
        self._offsets = array.array("Q")
        self._block = (-1, [])
        with open(target, "rb") as file:
            names = self._fields(_record(file) or b"")
            self.rows = 0
            while True:
                offset = file.tell()
                if _record(file) is None:
                    break
                if self.rows % BLOCK_ROWS == 0:
                    self._offsets.append(offset)
                    context.check()
                self.rows += 1
        self.width = len(names)
        sample = [row for _, row in zip(range(SAMPLED_ROWS), self._all())]
        self._is_number = [_are_numbers(row[index] for row in sample) for index in range(self.width)]
        self.column_list = [
            Column(name, "number" if is_number else "text", "number" if is_number else "text")
            for name, is_number in zip(names, self._is_number)
        ]

    def values(self, index, rows):
        return list(self.iterate(index, range(rows.start, rows.stop) if isinstance(rows, slice) else rows))

    def iterate(self, index, rows):
        is_number = self._is_number[index]
        if not isinstance(rows, range) and len(rows) > self.rows // BLOCK_ROWS:
            column = [row[index] for row in self._all()]
            return (_value(column[row], is_number) for row in rows)
        return (_value(self._row(row)[index], is_number) for row in rows)

    def pandas_code(self, _expression):
        return self._reading

    def _row(self, row):
        number, rows = self._block
        if row // BLOCK_ROWS != number:
            number = row // BLOCK_ROWS
            rows = []
            with open(self._target, "rb") as file:
                file.seek(self._offsets[number])
                for _ in range(min(BLOCK_ROWS, self.rows - number * BLOCK_ROWS)):
                    rows.append(self._padded(self._fields(_record(file) or b"")))
            self._block = (number, rows)
        return rows[row % BLOCK_ROWS]

    def _all(self):
        with open(self._target, "rb") as file:
            _record(file)
            for _ in range(self.rows):
                yield self._padded(self._fields(_record(file) or b""))

    def _fields(self, record):
        text = record.decode("utf-8-sig", "replace").rstrip("\r\n")
        try:
            return next(csv.reader([text], delimiter=self._delimiter), [])
        except csv.Error:
            # A field that is too long, for example.
            return text.split(self._delimiter)

    def _padded(self, fields):
        return (fields + [""] * self.width)[: self.width]


def _record(file):
    """Read the bytes of one record: lines until all quotes are closed. None at the end of the file."""
    lines = []
    size = quotes = 0
    while True:
        line = file.readline(MAX_LINE_BYTES)
        if not line:
            return b"".join(lines) or None
        if not lines and line.strip() == b"":
            # Empty lines are no rows.
            continue
        lines.append(line)
        size += len(line)
        quotes += line.count(b'"')
        if quotes % 2 == 0 or size > MAX_LINE_BYTES:
            return b"".join(lines)


def _value(text, is_number):
    if text == "":
        return None
    return _number(text) if is_number else text


def _number(text):
    try:
        number = float(text)
    except ValueError:
        return text
    return int(text) if text.lstrip("-").isdigit() else number


def _are_numbers(texts):
    present = [text for text in texts if text != ""]
    return len(present) > 0 and not any(isinstance(_number(text), str) for text in present)
