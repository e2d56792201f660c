import numpy
import polars
import pyarrow
import pytest

from companion.frames import requests as frames
from companion.protocol import ServiceError


def filtered(column, kind, **texts):
    return dict({"column": column, "kind": kind}, **texts)


def by(column, descending=False):
    return {"column": column, "descending": descending}


def data():
    import datetime

    days = [datetime.datetime(2026, 1, day) for day in (3, 1, 2)]
    return {
        "name": ["Bo", None, "ann"],
        "amount": [2.5, float("nan"), None],
        "count": [3, 1, 3],
        "ok": [True, None, False],
        "day": [*days[:2], None],
        "list": [[1], [2, 3], None],
    }


@pytest.fixture(params=["polars", "pyarrow", "list"])
def table(request, explorer):
    values = data()
    if request.param == "polars":
        value = polars.DataFrame(values)
    elif request.param == "pyarrow":
        value = pyarrow.table(values)
    else:

        class DataFrame:
            __module__ = "pyspark.sql.dataframe"
            columns = list(values)
            dtypes = [(name, "any") for name in values]

            def limit(self, count):
                assert count == frames.SPARK_ROWS
                return self

            def collect(self):
                return list(zip(*values.values()))

        value = DataFrame()
    return explorer(df=value)


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        ([filtered(0, "contains", text="N")], [2]),
        ([filtered(0, "equals", text="Bo")], [0]),
        ([filtered(0, "missing")], [1]),
        ([filtered(0, "range", low="a", high="")], [2]),
        ([filtered(1, "missing")], [1, 2]),
        ([filtered(1, "present")], [0]),
        ([filtered(1, "range", low="2", high="3")], [0]),
        ([filtered(2, "equals", text="3")], [0, 2]),
        ([filtered(2, "contains", text="3"), filtered(3, "equals", text="true")], [0]),
        ([filtered(4, "range", low="2026-01-02", high="")], [0]),
        ([filtered(4, "equals", text="2026-01-01")], [1]),
    ],
)
def test_filters(table, filters, kept):
    opened = table.open(filters=filters)
    assert table.labels(opened) == [[str(row)] for row in kept]


def test_sorting(table):
    assert table.labels(table.open(sorting=[by(2), by(0)])) == [["1"], ["0"], ["2"]]
    assert table.labels(table.open(sorting=[by(0, True)])) == [["2"], ["0"], ["1"]]
    assert table.labels(table.open(sorting=[by(4)])) == [["1"], ["0"], ["2"]]


def test_search(table):
    assert table.labels(table.open(search="bo")) == [["0"]]
    assert table.labels(table.open(search="2026-01-01")) == [["1"]]
    assert table.labels(table.open(search="2.5")) == [["0"]]


def test_cells_and_summaries(table):
    opened = table.open()
    assert [column["category"] for column in opened["columns"]][:5] == [
        "text",
        "number",
        "number",
        "boolean",
        "datetime",
    ]
    assert table.column(opened, 0)[::2] == ["Bo", "ann"]
    assert isinstance(table.column(opened, 0)[1], int)
    assert table.column(opened, 1)[:2] == ["2.5", 0]
    assert table.column(opened, 5)[:2] == ["[1]", "[2, 3]"]
    assert opened["isPart"] == (opened["kind"] == "spark")
    counts = table.summary(opened, 2)
    assert (counts["missing"], counts["distinct"], counts["low"], counts["high"]) == (0, 2, "1", "3")
    assert counts["top"][0] == {"text": "3", "count": 2}
    assert table.summary(opened, 0)["missing"] == 1
    assert table.summary(opened, 1)["histogram"]["counts"] == [1]
    assert table.summary(opened, 4)["low"] == "2026-01-01 00:00:00"
    assert table.summary(opened, 5)["distinct"] == 2


def test_code_of_polars_makes_the_same_view(explorer):
    explored = explorer(df=polars.DataFrame({**data(), "^x$": [1, 2, 3]}))
    for filters, sorting, search in (
        ([filtered(0, "contains", text="b")], [], ""),
        ([filtered(4, "range", low="2026-01-01", high="")], [by(2)], ""),
        ([filtered(6, "range", low="2", high="")], [by(6, True)], ""),
        ([filtered(1, "present")], [], ""),
        ([], [by(2, True), by(0)], ""),
        ([], [], "ann"),
    ):
        opened = explored.open(filters=filters, sorting=sorting, search=search)
        assert explored.result(opened)["^x$"].to_list() == [int(row) + 1 for (row,) in explored.labels(opened)]


@pytest.mark.parametrize(
    "array",
    [
        numpy.array([[3.0, 1.5], [numpy.nan, 2.0], [1.0, 2.0]]),
        numpy.array([[3, 1], [250, 2], [1, 2]], dtype=numpy.uint8),
        numpy.array([["b", "x"], ["é", "y"], ["a", "y"]]),
        numpy.array([[True, False], [False, True], [False, True]]),
        numpy.array([["2026-01-03", "2026-01-01"], ["NaT", "2026-01-02"], ["2026-01-01"] * 2], dtype="datetime64[D]"),
    ],
)
def test_arrays(explorer, array):
    explored = explorer(df=array)
    for filters, sorting, search in (
        ([], [by(0)], ""),
        ([], [by(0, True)], ""),
        ([], [by(1, True), by(0)], ""),
        ([filtered(0, "missing")], [], ""),
        ([filtered(0, "present")], [by(0)], ""),
        ([filtered(1, "contains", text="1")], [by(0)], "1"),
    ):
        opened = explored.open(filters=filters, sorting=sorting, search=search)
        rows = [int(row) for (row,) in explored.labels(opened)]
        numpy.testing.assert_array_equal(array[rows], explored.result(opened))
        if sorting and not filters:
            values = [
                value for value in array[rows, sorting[0]["column"]].tolist() if value is not None and value == value
            ]
            assert values == sorted(values, reverse=sorting[0]["descending"])
    summary = explored.summary(explored.open(), 0)
    assert summary["rows"] == 3
    assert summary["missing"] + summary["distinct"] in (2, 3)


def test_array_filters(explorer):
    explored = explorer(df=numpy.array([[3.0, 1.5], [numpy.nan, 2.0], [1.0, 2.0]]))
    assert explored.labels(explored.open(filters=[filtered(0, "range", low="2", high="")])) == [["0"]]
    assert explored.labels(explored.open(filters=[filtered(1, "equals", text="2")], sorting=[by(0)])) == [["2"], ["1"]]
    assert explored.column(explored.open(), 0) == ["3.0", 0, "1.0"]


def test_a_library_is_never_imported_for_a_kernel(explorer, monkeypatch):
    import sys

    monkeypatch.delitem(sys.modules, "polars")
    explored = explorer(df=[1])
    with pytest.raises(ServiceError) as failure:
        explored.open()
    assert failure.value.kind == "notFrame"
    assert "polars" not in sys.modules
