"""Data frames of polars. Filters and sorting are made as code, which is run here and copied by the user."""

import datetime
import sys

from .summaries import MAX_TOP, histogram_of, sampled_step
from .values import NULL, Column, boolean_of, bounds_of, may_be_numeric, moment_of, number_of

ROW = "platform_workbench_row"


class PolarsSource:
    kind = "polars"
    none = NULL
    index_names = ("",)

    def __init__(self, value):
        self.polars = sys.modules["polars"]
        self.is_series = isinstance(value, self.polars.Series)
        self.frame = value.to_frame() if self.is_series else value
        self.rows, self.width = self.frame.shape
        self._types = list(self.frame.dtypes)

    def columns(self, limit):
        return [
            Column(name, dtype, self._category(index))
            for index, (name, dtype) in enumerate(zip(self.frame.columns[:limit], self._types))
        ]

    def labels(self, rows):
        return [[row] for row in (range(rows.start, rows.stop) if isinstance(rows, slice) else rows.to_list())]

    def values(self, index, rows):
        column = self._column_values(index)
        return (column[rows] if isinstance(rows, slice) else column.gather(rows)).to_list()

    def _column_values(self, index):
        # Methods of a series take a name like "^x$" for a regular expression.
        return self.frame.to_series(index).alias("value")

    def positions(self, view, context):
        pl = self.polars
        scope = {"pl": pl, "datetime": datetime}
        frame = self.frame.with_row_index(ROW)
        for filter_ in view.filters:
            context.check()
            # The code has names and texts as literals alone.
            frame = frame.filter(eval(self._mask(filter_), scope))
        if view.search:
            context.check()
            frame = frame.filter(eval(self._found(view.search), scope))
        context.check()
        if view.sorting:
            frame = eval("frame.%s" % self._sorted(view.sorting), {"frame": frame})
        return frame.get_column(ROW)

    def summary(self, index, rows, context):
        total = self.rows if rows is None else len(rows)
        step = sampled_step(total)
        column = self._column_values(index)
        values = column.gather_every(step) if rows is None else column.gather(rows.gather_every(step))
        context.check()
        present = values.drop_nulls()
        category = self._category(index)
        if self._is_float(index):
            present = present.drop_nans()
        result = {"rows": len(values), "isSample": step > 1, "missing": len(values) - len(present)}
        if self._types[index].is_nested() or category == "other":
            present = self.polars.Series([str(value) for value in present.to_list()], dtype=self.polars.String)
        counts = present.value_counts(sort=True)
        context.check()
        result["distinct"] = len(counts)
        if category == "number" and len(present) > 0:
            result["histogram"] = histogram_of(present.cast(self.polars.Float64).to_list())
        if category in ("number", "datetime") and len(present) > 0:
            result["low"], result["high"] = present.min(), present.max()
        if category != "number" or len(counts) <= MAX_TOP:
            top = counts.head(MAX_TOP)
            result["top"] = list(zip(top.to_series(0).to_list(), top.to_series(1).to_list()))
        return result

    def code(self, view, expression):
        lines = []
        name = expression
        if self.is_series or not name.isidentifier():
            name = "frame"
            lines.append("frame = %s%s" % (expression, ".to_frame()" if self.is_series else ""))
        steps = ["filter(%s)" % self._mask(filter_) for filter_ in view.filters]
        if view.search:
            steps.append("filter(%s)" % self._found(view.search))
        if view.sorting:
            steps.append(self._sorted(view.sorting))
        for step in steps:
            lines.append("view = %s.%s" % (name, step))
            name = "view"
        return "\n".join([*lines, name])

    def imports(self, code):
        lines = ["import datetime"] if "datetime." in code else []
        return [*lines, "import polars as pl"] if "pl." in code else lines

    def _sorted(self, sorting):
        names = [self.frame.columns[sort["column"]] for sort in sorting]
        descending = [sort["descending"] for sort in sorting]
        return "sort(%r, descending=%r, nulls_last=True, maintain_order=True)" % (names, descending)

    def _found(self, text):
        numeric = may_be_numeric(text)
        columns = [
            index
            for index in range(self.width)
            if self._is_castable(index) and (numeric or self._category(index) != "number")
        ]
        parts = [self._contains(self._column(index), text) for index in columns]
        return "pl.any_horizontal([%s])" % ", ".join(parts) if parts else "pl.lit(False)"

    def _contains(self, column, text):
        texts = "%s.cast(pl.String).str.to_lowercase()" % column
        return "%s.str.contains(%r, literal=True).fill_null(False)" % (texts, text.lower())

    def _column(self, index):
        name = self.frame.columns[index]
        # Other names of this form would be regular expressions.
        return ("pl.selectors.by_name(%r)" if name.startswith("^") else "pl.col(%r)") % name

    def _mask(self, filter_):
        index = filter_["column"]
        column = self._column(index)
        kind = filter_["kind"]
        if kind in ("missing", "present"):
            missing = "%s.is_null()" % column
            if self._is_float(index):
                missing = "(%s | %s.is_nan().fill_null(False))" % (missing, column)
            return missing if kind == "missing" else "~" + missing
        if kind == "contains":
            return self._contains(column, filter_["text"])
        category = self._category(index)
        if category == "datetime" and getattr(self._types[index], "time_zone", None) is not None:
            column += ".dt.replace_time_zone(None)"
        elif category in ("text", "other"):
            column += ".cast(pl.String)"
        read = {"number": number_of, "boolean": boolean_of, "datetime": moment_of}.get(category, str)
        if kind == "equals":
            return "(%s == %r)" % (column, read(filter_["text"]))
        low, high = bounds_of(filter_, lambda text: repr(read(text)))
        parts = [part % (column, bound) for part, bound in (("(%s >= %s)", low), ("(%s <= %s)", high)) if bound]
        return "(%s)" % " & ".join(parts) if parts else column + ".is_not_null()"

    def _is_float(self, index):
        return self._types[index].is_float()

    def _is_castable(self, index):
        return self._category(index) != "other"

    def _category(self, index):
        dtype = self._types[index]
        if dtype.is_numeric():
            return "number"
        pl = self.polars
        if dtype == pl.Boolean:
            return "boolean"
        if dtype in (pl.Date, pl.Datetime):
            return "datetime"
        return "text" if dtype in (pl.String, pl.Categorical, pl.Enum) else "other"
