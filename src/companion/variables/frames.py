"""What the libraries of data tell about their values: shape, bytes, and columns.

This calls the libraries, so it runs in the worker's thread. None of them is imported here.
"""

import itertools

from .inspection import class_in, clean, is_any

MAX_NAMED_COLUMNS = 30
MAX_SHOWN_VALUES = 20


class Facts:
    """`shape`: the lengths of the dimensions. `size`: bytes. `text`: a summary. `columns`: how many can be listed."""

    def __init__(self, shape, size, text, columns=0, is_frame=False):
        self.shape = tuple(int(length) for length in shape)
        self.size = None if size is None else int(size)
        self.text = text
        self.columns = columns
        self.is_frame = is_frame


def facts_of(value):
    """Return the facts of a value of a known library. None for any other value."""
    found = _library_of(value)
    return None if found is None else found[0](value)


def columns_of(value, start, count):
    """Return some columns of a frame as pairs of label and value, in their order."""
    found = _library_of(value)
    if found is None or found[1] is None:
        return []
    return list(itertools.islice(found[1](value, start), count))


def is_known(value):
    """Return whether a library is known for the value, without asking it."""
    return _library_of(value) is not None


def is_frame(value):
    """Return whether the value has columns that can be listed, without asking it."""
    found = _library_of(value)
    return found is not None and found[1] is not None


def _library_of(value):
    for module, name, facts, columns in _LIBRARIES:
        known = class_in(module, name)
        if known is not None and is_any(value, (known,)):
            return facts, columns
    return None


def _named(pairs, count):
    shown = ", ".join("%s: %s" % pair for pair in itertools.islice(pairs, MAX_NAMED_COLUMNS))
    return shown + ", …" if count > MAX_NAMED_COLUMNS else shown


def _pandas_frame(frame):
    labels, kinds = frame.columns, frame.dtypes
    count = len(labels)
    text = _named(((labels[nth], kinds.iloc[nth]) for nth in range(count)), count)
    return Facts(frame.shape, frame.memory_usage(index=True, deep=False).sum(), text, count, True)


def _pandas_columns(frame, start):
    for nth in range(start, len(frame.columns)):
        yield frame.columns[nth], frame.iloc[:, nth]


def _pandas_series(series):
    values = list(series.iloc[:MAX_SHOWN_VALUES])
    return Facts(series.shape, series.memory_usage(deep=False), _listed(series.dtype, values, len(series)))


def _pandas_index(index):
    values = list(index[:MAX_SHOWN_VALUES])
    return Facts(index.shape, index.memory_usage(deep=False), _listed(index.dtype, values, len(index)))


def _listed(kind, values, count):
    return "%s: [%s%s]" % (kind, ", ".join(str(one)[:100] for one in values), ", …" if count > len(values) else "")


def _array(array):
    text = str(array.dtype)
    # The text of a structured or nested array may be long whatever its size.
    if array.dtype.kind in "biufcmMSU" and array.dtype.itemsize <= 1000:
        flat = array.reshape(-1)[:MAX_SHOWN_VALUES] if array.flags.c_contiguous else array.flat[:MAX_SHOWN_VALUES]
        text = _listed(array.dtype, flat.tolist(), array.size)
    return Facts(array.shape, array.nbytes, text, 0, array.ndim == 2)


def _polars_frame(frame):
    schema = frame.schema
    return Facts(frame.shape, frame.estimated_size(), _named(schema.items(), len(schema)), len(schema), True)


def _polars_columns(frame, start):
    for nth in range(start, frame.width):
        yield frame.columns[nth], frame.to_series(nth)


def _polars_series(series):
    text = _listed(series.dtype, series.head(MAX_SHOWN_VALUES).to_list(), len(series))
    return Facts((len(series),), series.estimated_size(), text)


def _arrow_table(table):
    count = table.num_columns
    text = _named(((field.name, field.type) for field in table.schema), count)
    return Facts((table.num_rows, count), table.nbytes, text, count, True)


def _arrow_columns(table, start):
    for nth in range(start, table.num_columns):
        yield table.schema.field(nth).name, table.column(nth)


def _arrow_array(array):
    text = _listed(array.type, array.slice(0, MAX_SHOWN_VALUES).to_pylist(), len(array))
    return Facts((len(array),), array.nbytes, text)


def _tensor(tensor):
    return Facts(tensor.shape, tensor.element_size() * tensor.nelement(), "%s on %s" % (tensor.dtype, tensor.device))


_LIBRARIES = (
    ("pandas", "DataFrame", _pandas_frame, _pandas_columns),
    ("pandas", "Series", _pandas_series, None),
    ("pandas", "Index", _pandas_index, None),
    ("numpy", "ndarray", _array, None),
    ("polars", "DataFrame", _polars_frame, _polars_columns),
    ("polars", "Series", _polars_series, None),
    ("pyarrow", "Table", _arrow_table, _arrow_columns),
    ("pyarrow", "RecordBatch", _arrow_table, _arrow_columns),
    ("pyarrow", "ChunkedArray", _arrow_array, None),
    ("pyarrow", "Array", _arrow_array, None),
    ("torch", "Tensor", _tensor, None),
)


def label_of(label):
    """Return the text of a column's label."""
    return clean(label if type(label) is str else str(label)[:1000])
