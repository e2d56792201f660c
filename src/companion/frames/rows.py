"""Tables whose values Python itself filters and sorts: CSV files without pandas, tables of Arrow, and rows of Spark."""

import array
import collections

from ..protocol import ServiceError
from .pandas_code import CodeColumn, PandasCode
from .summaries import MAX_TOP, histogram_of, sampled_step
from .values import (
    NONE,
    NULL,
    CellTexts,
    Column,
    boolean_of,
    bounds_of,
    may_be_numeric,
    moment_of,
    number_of,
)

MAX_SORTED_ROWS = 10_000_000
# Rows between two looks whether the request was cancelled.
CHECKED_ROWS = 4096


class RowsSource:
    """What these tables share. A table has `kind`, `rows`, `width`, `column_list`, `values`, and `iterate`."""

    none = NULL
    index_names = ("",)

    def columns(self, limit):
        return self.column_list[:limit]

    def labels(self, rows):
        return [[row] for row in (range(rows.start, rows.stop) if isinstance(rows, slice) else rows)]

    def positions(self, view, context):
        rows = array.array("Q", range(self.rows))
        for filter_ in view.filters:
            keeps = self._keeps(filter_)
            rows = self._kept(rows, filter_["column"], keeps, context)
        if view.search:
            rows = self._found(view.search, rows, context)
        if view.sorting and len(rows) > MAX_SORTED_ROWS:
            raise ServiceError("tooLarge", "The table has too many rows to sort them.")
        for sort in reversed(view.sorting):
            keys = dict(zip(rows, (_key(value) for value in self._checked(sort["column"], rows, context))))
            present = [row for row in rows if keys[row] is not None]
            missing = [row for row in rows if keys[row] is None]
            try:
                present.sort(key=keys.__getitem__, reverse=sort["descending"])
            except TypeError:
                present.sort(key=lambda row: str(keys[row]), reverse=sort["descending"])
            rows = array.array("Q", present + missing)
        return rows

    def summary(self, index, rows, context):
        rows = range(self.rows) if rows is None else rows
        step = sampled_step(len(rows))
        rows = rows[::step]
        values = [_key(value) for value in self._checked(index, rows, context)]
        present = [value for value in values if value is not None]
        result = {"rows": len(values), "isSample": step > 1, "missing": len(values) - len(present)}
        texts = CellTexts(self.none)
        counts = collections.Counter(value if value.__hash__ else texts.text(value) for value in present)
        result["distinct"] = len(counts)
        category = self.column_list[index].category
        if present and category == "number":
            # A file may have texts after the rows that decide what a column is.
            present = [value for value in present if not isinstance(value, str)]
            result["histogram"] = histogram_of([float(value) for value in present])
        if present and category in ("number", "datetime"):
            result.update(low=min(present), high=max(present))
        if category != "number" or len(counts) <= MAX_TOP:
            result["top"] = counts.most_common(MAX_TOP)
        return result

    def code(self, view, expression):
        names = [column.name for column in self.column_list]
        code = PandasCode(
            lambda index: CodeColumn(names[index], self.column_list[index].category, names.count(names[index]) == 1)
        )
        steps, name = code.steps(view, "frame")
        return "\n".join(["frame = %s" % self.pandas_code(expression), *steps, name])

    def imports(self, code):
        return ["import pandas as pd"] if "pd." in code else []

    def pandas_code(self, expression):
        """Return an expression for the whole table as a frame of pandas."""
        return expression

    def _checked(self, index, rows, context):
        for number, value in enumerate(self.iterate(index, rows)):
            if number % CHECKED_ROWS == 0:
                context.check()
            yield value

    def _kept(self, rows, index, keeps, context):
        return array.array("Q", (row for row, value in zip(rows, self._checked(index, rows, context)) if keeps(value)))

    def _found(self, text, rows, context):
        found = set()
        is_numeric = may_be_numeric(text)
        texts = CellTexts(self.none, length=10_000)
        for index, column in enumerate(self.column_list):
            if column.category != "number" or is_numeric:
                found.update(self._kept(rows, index, _contains(text, texts), context))
        return array.array("Q", (row for row in rows if row in found))

    def _keeps(self, filter_):
        kind = filter_["kind"]
        if kind in ("missing", "present"):
            return lambda value: (_key(value) is None) == (kind == "missing")
        if kind == "contains":
            return _contains(filter_["text"], CellTexts(self.none, length=10_000))
        category = self.column_list[filter_["column"]].category
        read = {"number": number_of, "boolean": boolean_of, "datetime": moment_of}.get(category, str)
        comparable = _moment if category == "datetime" else (str if read is str else _key)
        if kind == "equals":
            wanted = read(filter_["text"])
            return lambda value: _key(value) is not None and comparable(value) == wanted
        low, high = bounds_of(filter_, read)
        return lambda value: _key(value) is not None and _is_within(comparable(value), low, high)


class ArrowSource(RowsSource):
    kind = "pyarrow"

    def __init__(self, table):
        self._table = table
        self.rows, self.width = table.num_rows, table.num_columns
        self.column_list = [Column(field.name, field.type, _arrow_category(str(field.type))) for field in table.schema]

    def values(self, index, rows):
        column = self._table.column(index)
        part = column.slice(rows.start, rows.stop - rows.start) if isinstance(rows, slice) else column.take(_list(rows))
        return part.to_pylist()

    def iterate(self, index, rows):
        for start in range(0, len(rows), CHECKED_ROWS):
            part = rows[start : start + CHECKED_ROWS]
            is_range = part[-1] - part[0] == len(part) - 1 and (isinstance(part, range) or list(part) == sorted(part))
            yield from self.values(index, slice(part[0], part[-1] + 1) if is_range else part)

    def pandas_code(self, expression):
        return "%s.to_pandas()" % expression


class ListSource(RowsSource):
    """The first rows of a table that isn't in this process, such as one of Spark."""

    none = NONE

    def __init__(self, kind, columns, rows):
        self.kind = kind
        self._rows = rows
        self.rows, self.width = len(rows), len(columns)
        self.column_list = [
            Column(name, type_name, _category_of([row[index] for row in rows[:1000]]))
            for index, (name, type_name) in enumerate(columns)
        ]

    def values(self, index, rows):
        return [row[index] for row in self._rows[rows]] if isinstance(rows, slice) else list(self.iterate(index, rows))

    def iterate(self, index, rows):
        return (self._rows[row][index] for row in rows)

    def pandas_code(self, expression):
        return "%s.limit(%d).toPandas()" % (expression, self.rows)


def _list(rows):
    return rows.tolist() if isinstance(rows, array.array) else list(rows)


def _key(value):
    """The value, or None if it is missing."""
    return None if value is None or value != value else value


def _is_within(value, low, high):
    try:
        return (low is None or value >= low) and (high is None or value <= high)
    except TypeError:
        return False


def _contains(text, texts):
    wanted = text.lower()

    def contains(value):
        if value is None or value != value:
            return False
        return wanted in str(texts.text(value)).lower()

    return contains


def _moment(value):
    moment = moment_of(value.isoformat())
    return moment.replace(tzinfo=None)


def _arrow_category(name):
    if name.startswith(("int", "uint", "float", "double", "half", "decimal")):
        return "number"
    if name.startswith(("timestamp", "date")):
        return "datetime"
    if name == "bool":
        return "boolean"
    return "text" if name.endswith("string") or name.startswith("string") else "other"


def _category_of(values):
    names = {type(value).__name__ for value in values if value is not None}
    if names and names <= {"int", "float", "Decimal"}:
        return "number"
    for name, category in (("bool", "boolean"), ("str", "text"), ("datetime", "datetime")):
        if names == {name}:
            return category
    return "other"
