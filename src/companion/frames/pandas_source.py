"""Data frames of pandas, and series as frames with one column.

Filters and sorting are made as code, which is run here and copied by the user: both are the same by construction.
"""

import sys

from .pandas_code import CodeColumn, PandasCode
from .summaries import MAX_TOP, histogram_of, sampled_step
from .values import NONE, Column, may_be_numeric

MAX_LEVELS = 5
# Rows that a search makes texts of at once.
SEARCH_ROWS = 100_000
# Values that show what the objects of a column are. Only all of them could tell for sure.
SAMPLED_OBJECTS = 1000


class PandasSource:
    kind = "pandas"
    none = NONE

    def __init__(self, value):
        self._pandas = sys.modules["pandas"]
        self._numpy = sys.modules["numpy"]
        self._is_series = isinstance(value, self._pandas.Series)
        # The frame of a series shares its values.
        self._frame = value.to_frame() if self._is_series else value
        self.rows, self.width = self._frame.shape
        self._code = PandasCode(self._code_column)

    @property
    def index_names(self):
        return ["" if name is None else str(name) for name in list(self._frame.index.names)[:MAX_LEVELS]]

    def columns(self, limit):
        names = self._frame.columns[:limit]
        return [Column(_text(name), self._dtype(index), self._category(index)) for index, name in enumerate(names)]

    def labels(self, rows):
        index = self._frame.index[rows]
        return [[label] for label in index] if index.nlevels == 1 else [list(label[:MAX_LEVELS]) for label in index]

    def values(self, index, rows):
        return list(self._frame.iloc[rows, index].array)

    def positions(self, view, context):
        numpy = self._numpy
        rows = numpy.arange(self.rows)
        scope = {"frame": self._frame, "pd": self._pandas}
        for filter_ in view.filters:
            context.check()
            mask = eval(self._code.mask(filter_, "frame"), scope)
            rows = rows[mask.fillna(False).to_numpy(dtype=bool)[rows]]
        if view.search:
            rows = self._found(view.search, rows, context)
        for sort in reversed(view.sorting):
            context.check()
            rows = rows[self._order(self._frame.iloc[rows, sort["column"]], sort)]
        return rows.astype(numpy.uint32) if self.rows < 2**32 else rows

    def summary(self, index, rows, context):
        column = self._frame.iloc[:, index]
        step = sampled_step(self.rows if rows is None else len(rows))
        values = column.iloc[::step] if rows is None else column.iloc[rows[::step]]
        context.check()
        present = values.dropna()
        result = {"rows": len(values), "isSample": step > 1, "missing": len(values) - len(present)}
        try:
            counts = present.value_counts()
        except TypeError:
            # Lists, for example.
            counts = present.astype(str).value_counts()
        counts = counts[counts > 0]
        context.check()
        result["distinct"] = len(counts)
        category = self._category(index)
        if len(present) > 0:
            if category == "number":
                result["histogram"] = histogram_of(present.to_numpy(dtype=float))
            if category in ("number", "datetime"):
                result.update(low=present.min(), high=present.max())
        if category != "number" or len(counts) <= MAX_TOP:
            result["top"] = list(zip(counts.index[:MAX_TOP], counts.tolist()))
        return result

    def code(self, view, expression):
        lines = []
        name = expression
        if self._is_series or not name.isidentifier():
            name = "frame"
            lines.append("frame = %s%s" % (expression, ".to_frame()" if self._is_series else ""))
        steps, name = self._code.steps(view, name)
        return "\n".join([*lines, *steps, name])

    def imports(self, code):
        return ["import pandas as pd"] if "pd." in code else []

    def _order(self, values, sort):
        column = self._code_column(sort["column"])
        if column.is_object and column.category == "other":
            values = values.where(values.isna(), values.astype(str))
        values = values.reset_index(drop=True)
        return values.sort_values(ascending=not sort["descending"], kind="stable").index.to_numpy()

    def _found(self, text, rows, context):
        numpy = self._numpy
        found = numpy.zeros(len(rows), dtype=bool)
        is_numeric = may_be_numeric(text)
        for index in range(self.width):
            if self._category(index) == "number" and not is_numeric:
                continue
            for start in range(0, len(rows), SEARCH_ROWS):
                context.check()
                part = self._frame.iloc[rows[start : start + SEARCH_ROWS], index]
                contains = part.astype(str).str.contains(text, case=False, regex=False, na=False)
                found[start : start + SEARCH_ROWS] |= (contains & part.notna()).to_numpy(dtype=bool)
        return rows[found]

    def _dtype(self, index):
        return self._frame.dtypes.iloc[index]

    def _code_column(self, index):
        dtype = self._dtype(index)
        return CodeColumn(
            self._frame.columns[index],
            self._category(index),
            not self._frame.columns.duplicated(keep=False)[index],
            is_categorical=isinstance(dtype, self._pandas.CategoricalDtype),
            is_object=str(dtype) == "object",
            zone=getattr(dtype, "tz", None),
        )

    def _category(self, index):
        types = self._pandas.api.types
        dtype = self._dtype(index)
        if isinstance(dtype, self._pandas.CategoricalDtype):
            dtype = dtype.categories.dtype
            return "text" if types.is_string_dtype(dtype) and str(dtype) != "object" else "other"
        if types.is_bool_dtype(dtype):
            return "boolean"
        if types.is_numeric_dtype(dtype):
            return "other" if types.is_complex_dtype(dtype) else "number"
        if types.is_datetime64_any_dtype(dtype):
            return "datetime"
        if str(dtype) == "object":
            sample = self._frame.iloc[:SAMPLED_OBJECTS, index]
            return "text" if types.infer_dtype(sample, skipna=True) == "string" else "other"
        return "text" if types.is_string_dtype(dtype) else "other"


def _text(name):
    return " / ".join(map(str, name)) if isinstance(name, tuple) else name
