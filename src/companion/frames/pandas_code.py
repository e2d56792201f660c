"""Code of pandas that filters and sorts a frame. It has names and texts of users as literals alone."""

from .values import boolean_of, bounds_of, moment_of, number_of


class CodeColumn:
    """What the code of a column depends on. `is_unique`: whether no other column has the name."""

    def __init__(self, name, category, is_unique, is_categorical=False, is_object=False, zone=None):
        self.name = name
        self.category = category
        self.is_unique = is_unique
        self.is_categorical = is_categorical
        self.is_object = is_object
        self.zone = zone


class PandasCode:
    """`column_of(index)` returns the `CodeColumn` with that index."""

    def __init__(self, column_of):
        self._column_of = column_of

    def steps(self, view, name):
        """Return lines that make the view of the frame with this name, and the name of the result."""
        codes = [lambda frame, one=one: "%s[%s]" % (frame, self.mask(one, frame)) for one in view.filters]
        if view.search:
            codes.append(lambda frame: "%s[%s]" % (frame, _found(view.search, frame)))
        # The least significant column first: each sort keeps the order of equal rows.
        codes.extend(lambda frame, one=one: self._sorted(one, frame) for one in reversed(view.sorting))
        lines = []
        for code in codes:
            lines.append("view = %s" % code(name))
            name = "view"
        return lines, name

    def mask(self, filter_, frame):
        """Return an expression for the rows of a frame that a filter keeps."""
        column = self._column_of(filter_["column"])
        values = self._values(filter_["column"], frame)
        kind = filter_["kind"]
        if kind in ("missing", "present"):
            return values + (".isna()" if kind == "missing" else ".notna()")
        if kind == "contains":
            contains = ".str.contains(%r, case=False, regex=False" % filter_["text"]
            if column.category == "text" and not column.is_categorical:
                return "%s%s, na=False)" % (values, contains)
            return "(%s.astype(str)%s) & %s.notna())" % (values, contains, values)
        if kind == "equals":
            return "(%s == %s)" % (_comparable(column, values), _literal(column, filter_["text"]))
        low, high = bounds_of(filter_, lambda text: _literal(column, text))
        compared = _comparable(column, values)
        parts = [part % (compared, bound) for part, bound in (("(%s >= %s)", low), ("(%s <= %s)", high)) if bound]
        parts += ["%s.notna()" % values] if column.category in ("text", "other") or not parts else []
        return "(%s)" % " & ".join(parts)

    def _values(self, index, frame):
        column = self._column_of(index)
        if column.is_unique and _is_literal(column.name):
            return "%s[%r]" % (frame, column.name)
        return "%s.iloc[:, %d]" % (frame, index)

    def _sorted(self, sort, frame):
        column = self._column_of(sort["column"])
        key = self._values(sort["column"], frame)
        if column.is_object and column.category == "other":
            key = "%s.where(%s.isna(), %s.astype(str))" % (key, key, key)
        order = "%s.reset_index(drop=True).sort_values(ascending=%r, kind='stable').index"
        return "%s.iloc[%s]" % (frame, order % (key, not sort["descending"]))


def _found(text, frame):
    return (
        "%s.apply(lambda column: column.astype(str).str.contains(%r, case=False, regex=False) & column.notna())"
        ".any(axis=1)" % (frame, text)
    )


def _comparable(column, values):
    is_text = column.category == "text" and not (column.is_object or column.is_categorical)
    return values if is_text or column.category not in ("text", "other") else values + ".astype(str)"


def _literal(column, text):
    if column.category == "number":
        return repr(number_of(text))
    if column.category == "boolean":
        return repr(boolean_of(text))
    if column.category == "datetime":
        zone = "" if column.zone is None else ", tz=%r" % str(column.zone)
        return "pd.Timestamp(%r%s)" % (str(moment_of(text)), zone)
    return repr(text)


def _is_literal(name):
    if isinstance(name, tuple):
        return all(_is_literal(part) for part in name)
    return type(name) in (str, int, bool) or (type(name) is float and name == name and abs(name) != float("inf"))
