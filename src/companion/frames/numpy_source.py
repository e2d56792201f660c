"""Arrays of numpy with two dimensions, whose columns have numbers as names."""

import sys

from .summaries import MAX_TOP, histogram_of, sampled_step
from .values import NONE, Column, boolean_of, bounds_of, may_be_numeric, moment_of, number_of

SEARCH_ROWS = 100_000


class NumpySource:
    kind = "numpy"
    none = NONE
    index_names = ("",)

    def __init__(self, value):
        self.numpy = sys.modules["numpy"]
        self.array = value
        self.rows, self.width = value.shape
        kind = value.dtype.kind
        self._category = {"b": "boolean", "M": "datetime", "U": "text"}.get(
            kind, "number" if kind in "iuf" else "other"
        )

    def columns(self, limit):
        return [Column(index, self.array.dtype, self._category) for index in range(min(limit, self.width))]

    def labels(self, rows):
        return [[row] for row in (range(rows.start, rows.stop) if isinstance(rows, slice) else rows.tolist())]

    def values(self, index, rows):
        return list(self.array[rows, index])

    def positions(self, view, context):
        numpy = self.numpy
        scope = {"array": self.array, "numpy": numpy}
        rows = numpy.arange(self.rows)
        for filter_ in view.filters:
            context.check()
            # The code has texts as literals alone.
            rows = rows[numpy.asarray(eval(self._mask(filter_, "array[rows]"), dict(scope, rows=rows)), dtype=bool)]
        if view.search:
            rows = self._found(view.search, rows, context)
        for sort in reversed(view.sorting):
            context.check()
            rows = eval(self._sorted(sort, "rows", "array[rows]"), dict(scope, rows=rows))
        return rows.astype(numpy.uint32) if self.rows < 2**32 else rows

    def _found(self, text, rows, context):
        numpy = self.numpy
        if self._category == "number" and not may_be_numeric(text):
            return rows[:0]
        parts = [rows[:0]]
        for start in range(0, len(rows), SEARCH_ROWS):
            context.check()
            part = rows[start : start + SEARCH_ROWS]
            texts = numpy.char.lower(self.array[part].astype(str))
            parts.append(part[(numpy.char.find(texts, text.lower()) >= 0).any(axis=1)])
        return numpy.concatenate(parts)

    def summary(self, index, rows, context):
        numpy = self.numpy
        total = self.rows if rows is None else len(rows)
        step = sampled_step(total)
        values = self.array[::step, index] if rows is None else self.array[rows[::step], index]
        missing = self._missing(values)
        present = values[~missing]
        context.check()
        result = {"rows": len(values), "isSample": step > 1, "missing": int(missing.sum())}
        if self._category == "other":
            present = present.astype(str)
        distinct, counts = numpy.unique(present, return_counts=True)
        result["distinct"] = len(distinct)
        if self._category == "number" and len(present) > 0:
            result["histogram"] = histogram_of(present.astype(float))
        if self._category in ("number", "datetime") and len(present) > 0:
            result["low"], result["high"] = present.min(), present.max()
        if self._category != "number" or len(distinct) <= MAX_TOP:
            order = numpy.argsort(-counts, kind="stable")[:MAX_TOP]
            result["top"] = [(distinct[one], int(counts[one])) for one in order]
        return result

    def _missing(self, values):
        numpy = self.numpy
        if self.array.dtype.kind in "fcmM":
            return numpy.isnat(values) if self.array.dtype.kind in "mM" else numpy.isnan(values)
        if self.array.dtype.kind == "O":
            return numpy.array([value is None or value != value for value in values], dtype=bool)
        return numpy.zeros(len(values), dtype=bool)

    def code(self, view, expression):
        lines = []
        name = expression
        if not name.isidentifier():
            name = "array"
            lines.append("array = %s" % expression)
        for filter_ in view.filters:
            lines.append("view = %s[%s]" % (name, self._mask(filter_, name)))
            name = "view"
        if view.search:
            found = "(numpy.char.find(numpy.char.lower(%s.astype(str)), %r) >= 0).any(axis=1)"
            lines.append("view = %s[%s]" % (name, found % (name, view.search.lower())))
            name = "view"
        for sort in reversed(view.sorting):
            lines.append("view = %s" % self._sorted(sort, name, name))
            name = "view"
        return "\n".join([*lines, name])

    def imports(self, code):
        return ["import numpy"] if "numpy." in code else []

    def _sorted(self, sort, rows, array):
        """Code that puts rows into the order of a column, with missing values last. Equal rows keep their order."""
        column = "%s[:, %d]" % (array, sort["column"])
        if not sort["descending"]:
            return "%s[numpy.argsort(%s, kind='stable')]" % (rows, column)
        # Ranks, because texts and unsigned numbers have no negative.
        ranks = "-numpy.unique(%s, return_inverse=True, equal_nan=True)[1]" % column
        if self.array.dtype.kind in "fmM":
            missing = "numpy.isnan" if self.array.dtype.kind == "f" else "numpy.isnat"
            ranks = "numpy.where(%s(%s), 1, %s)" % (missing, column, ranks)
        return "%s[numpy.argsort(%s, kind='stable')]" % (rows, ranks)

    def _mask(self, filter_, array):
        column = "%s[:, %d]" % (array, filter_["column"])
        kind = filter_["kind"]
        if kind in ("missing", "present"):
            return ("" if kind == "missing" else "~") + self._missing_code(column)
        if kind == "contains":
            return "(numpy.char.find(numpy.char.lower(%s.astype(str)), %r) >= 0)" % (column, filter_["text"].lower())
        if self._category == "other":
            column += ".astype(str)"
        if kind == "equals":
            return "(%s == %s)" % (column, self._literal(filter_["text"]))
        low, high = bounds_of(filter_, self._literal)
        parts = [part % (column, bound) for part, bound in (("(%s >= %s)", low), ("(%s <= %s)", high)) if bound]
        return "(%s)" % (" & ".join(parts) or "%s == %s" % (column, column))

    def _missing_code(self, column):
        kind = self.array.dtype.kind
        if kind in "fc":
            return "numpy.isnan(%s)" % column
        if kind in "mM":
            return "numpy.isnat(%s)" % column
        if kind == "O":
            return "numpy.array([value is None or value != value for value in %s], dtype=bool)" % column
        return "numpy.zeros(len(%s), dtype=bool)" % column

    def _literal(self, text):
        if self._category == "number":
            return repr(number_of(text))
        if self._category == "boolean":
            return repr(boolean_of(text))
        if self._category == "datetime":
            return "numpy.datetime64(%r)" % moment_of(text).isoformat()
        return repr(text)
