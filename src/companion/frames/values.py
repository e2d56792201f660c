"""How values of data frames are shown, and how the texts of filters are read."""

import datetime
import math
import reprlib
import time

from ..protocol import ServiceError

MISSING = ("NaN", "NaT", "None", "<NA>", "null")
"""The names of missing values. A cell with one has its index in place of a text."""
NAN, NAT, NONE, NA, NULL = range(5)

MAX_CELL_LENGTH = 200
MAX_TEXT_LENGTH = 100_000
# Seconds that the texts of objects of the user's own classes may take in one page.
OBJECTS_SECONDS = 2

_short = reprlib.Repr()
_short.maxlist = _short.maxtuple = _short.maxdict = _short.maxset = _short.maxarray = 20
_short.maxstring = _short.maxother = MAX_CELL_LENGTH
_plain_types = (bool, int, float, complex, datetime.date, datetime.time, datetime.timedelta)
_libraries = ("numpy", "pandas", "polars", "pyarrow", "decimal", "uuid", "fractions", "pathlib", "ipaddress")


class View:
    """What is shown of a data frame: a list of filters, of columns to sort by, and a text that a row must contain."""

    def __init__(self, parameters):
        self.filters = parameters["filters"]
        self.sorting = parameters["sorting"]
        self.search = parameters["search"]

    @property
    def is_plain(self):
        """Return whether it shows all rows in their order."""
        return not (self.filters or self.sorting or self.search)


class Column:
    """A column's name as a text, the name of its type, and its category."""

    def __init__(self, name, type_name, category):
        self.name = str(name)[:MAX_CELL_LENGTH]
        self.type = str(type_name)[:MAX_CELL_LENGTH]
        # "number", "text", "boolean", "datetime", or "other".
        self.category = category

    def described(self):
        return {"name": self.name, "type": self.type, "category": self.category}


class CellTexts:
    """Makes texts of values. `none`: what None means here, `NONE` or `NULL`."""

    def __init__(self, none=NONE, length=MAX_CELL_LENGTH):
        self._none = none
        self._length = length
        self._deadline = time.monotonic() + OBJECTS_SECONDS

    def text(self, value):
        """Return a text, one character longer than the limit if it is cut, or the index of a missing value's name."""
        if value is None:
            return self._none
        if isinstance(value, str):
            return value[: self._length + 1]
        if isinstance(value, float):
            return NAN if value != value else repr(float(value))
        kind = type(value).__name__
        if kind == "NaTType":
            return NAT
        if kind == "NAType":
            return NA
        try:
            is_known = isinstance(value, _plain_types) or type(value).__module__.split(".")[0] in _libraries
            if is_known and getattr(value, "shape", ()) == () and value != value:
                return NAT if "time" in kind else NAN
            return (str(value) if is_known else self._other(value))[: self._length + 1]
        except Exception as error:
            return "<%s: %s>" % (kind, type(error).__name__)

    def _other(self, value):
        if isinstance(value, (bytes, list, tuple, dict, set, frozenset)):
            return _short.repr(value) if self._length <= MAX_CELL_LENGTH else _long(value, self._length)
        if time.monotonic() > self._deadline:
            return "<%s>" % type(value).__name__
        return repr(value)


def _long(value, length):
    longer = reprlib.Repr()
    longer.maxlist = longer.maxtuple = longer.maxdict = longer.maxset = 2_000
    longer.maxstring = longer.maxother = length
    return longer.repr(value)


def number_of(text):
    """Return the number that a filter's text means."""
    cleaned = text.strip().replace("_", "")
    try:
        return int(cleaned)
    except ValueError:
        pass
    try:
        number = float(cleaned)
    except ValueError:
        raise ServiceError("invalid", '"%s" is not a number.' % text[:100]) from None
    if math.isnan(number):
        raise ServiceError("invalid", '"%s" is not a number.' % text[:100])
    return number


def boolean_of(text):
    """Return the truth value that a filter's text means."""
    value = {"true": True, "1": True, "false": False, "0": False}.get(text.strip().lower())
    if value is None:
        raise ServiceError("invalid", '"%s" is neither true nor false.' % text[:100])
    return value


def moment_of(text):
    """Return the date and time that a filter's text means, without a time zone."""
    try:
        return datetime.datetime.fromisoformat(text.strip().replace("Z", "")).replace(tzinfo=None)
    except ValueError:
        raise ServiceError("invalid", '"%s" is not a date such as 2026-01-31.' % text[:100]) from None


def bounds_of(filter_, read):
    """Return the lower and the upper bound of a range, each a value or None, as `read` reads their texts."""
    low, high = (filter_.get(name, "").strip() for name in ("low", "high"))
    return (read(low) if low else None, read(high) if high else None)


def may_be_numeric(text):
    """Return whether the text can occur in a number, so that a search skips columns of numbers if it can't."""
    return all(character in "0123456789.+-eEiInNfF" for character in text)
