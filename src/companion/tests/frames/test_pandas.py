import datetime
import random
import threading

import numpy
import pandas
import pytest

from companion.frames import requests as frames
from companion.frames.pandas_source import PandasSource
from companion.protocol import Cancelled, ServiceError


def filtered(column, kind, **texts):
    return dict({"column": column, "kind": kind}, **texts)


def by(column, descending=False):
    return {"column": column, "descending": descending}


@pytest.fixture
def mixed(explorer):
    frame = pandas.DataFrame(
        {
            "name": ["Bo", "ann", None, "Cy%", "ann"],
            "amount": [2.5, numpy.nan, -1.0, 1e20, 0.1],
            "count": pandas.array([3, None, 1, 2, 1], dtype="Int64"),
            "ok": [True, False, True, True, False],
            "day": pandas.to_datetime(["2026-01-02", None, "2026-03-01", "2026-01-01", "2026-01-02"]),
            "zoned": pandas.to_datetime(["2026-01-02"] * 4 + [None], utc=True),
            "kind": pandas.Categorical(["b", "a", None, "b", "a"]),
            "things": [[1, 2], {"a": 1}, None, (1,), object],
        }
    )
    return explorer(df=frame)


def test_pages_have_texts_and_mark_what_is_missing(mixed):
    opened = mixed.open()
    assert (opened["kind"], opened["rows"], opened["shown"], opened["width"]) == ("pandas", 5, 5, 8)
    assert [column["category"] for column in opened["columns"]] == [
        *["text", "number", "number", "boolean", "datetime", "datetime", "text", "other"]
    ]
    assert mixed.column(opened, 0)[:2] == ["Bo", "ann"]
    assert mixed.column(opened, 1) == ["2.5", 0, "-1.0", "1e+20", "0.1"]
    assert mixed.column(opened, 2) == ["3", 3, "1", "2", "1"]
    assert mixed.column(opened, 4)[:2] == ["2026-01-02 00:00:00", 1]
    assert mixed.column(opened, 7)[:4] == ["[1, 2]", "{'a': 1}", 2, "(1,)"]
    assert mixed.labels(opened) == [["0"], ["1"], ["2"], ["3"], ["4"]]
    assert mixed.column(opened, 1, start=3, stop=99) == ["1e+20", "0.1"]


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        ([filtered(0, "contains", text="N")], [1, 4]),
        ([filtered(0, "contains", text="%")], [3]),
        ([filtered(0, "equals", text="ann")], [1, 4]),
        ([filtered(0, "missing")], [2]),
        ([filtered(0, "present")], [0, 1, 3, 4]),
        ([filtered(0, "range", low="C", high="")], [1, 3, 4]),
        ([filtered(1, "range", low="0", high="3")], [0, 4]),
        ([filtered(1, "range", low="", high="")], [0, 2, 3, 4]),
        ([filtered(1, "equals", text="1e20")], [3]),
        ([filtered(1, "contains", text=".5")], [0]),
        ([filtered(2, "range", low="2", high="")], [0, 3]),
        ([filtered(2, "missing")], [1]),
        ([filtered(3, "equals", text="True")], [0, 2, 3]),
        ([filtered(4, "range", low="2026-01-02", high="2026-02-01")], [0, 4]),
        ([filtered(4, "equals", text="2026-01-01")], [3]),
        ([filtered(5, "range", low="2026-01-02T00:00:00Z", high="")], [0, 1, 2, 3]),
        ([filtered(6, "equals", text="b")], [0, 3]),
        ([filtered(6, "contains", text="A")], [1, 4]),
        ([filtered(6, "range", low="b", high="")], [0, 3]),
        ([filtered(7, "contains", text="[1")], [0]),
        ([filtered(0, "contains", text="ann"), filtered(1, "present")], [4]),
    ],
)
def test_filters_keep_the_same_rows_as_their_code(mixed, filters, kept):
    opened = mixed.open(filters=filters)
    assert mixed.labels(opened) == [[str(row)] for row in kept]
    assert list(mixed.result(opened).index) == kept


@pytest.mark.parametrize(
    ("sorting", "order"),
    [
        ([by(0)], [0, 3, 1, 4, 2]),
        ([by(0, True)], [1, 4, 3, 0, 2]),
        ([by(1)], [2, 4, 0, 3, 1]),
        ([by(2, True), by(1)], [0, 3, 2, 4, 1]),
        ([by(4), by(1, True)], [3, 0, 4, 2, 1]),
        ([by(3), by(0)], [1, 4, 0, 3, 2]),
        ([by(7)], [3, 4, 0, 1, 2]),
    ],
)
def test_sorting_has_the_same_order_as_its_code(mixed, sorting, order):
    opened = mixed.open(sorting=sorting)
    assert [int(label) for (label,) in mixed.labels(opened)] == order
    assert list(mixed.result(opened).index) == order


@pytest.mark.parametrize(
    ("search", "found"), [("ANN", [1, 4]), ("2026-03", [2]), ("e+2", [3]), ("zz", []), ("true", [0, 2, 3])]
)
def test_search_finds_text_in_all_columns(mixed, search, found):
    opened = mixed.open(search=search)
    assert [int(label) for (label,) in mixed.labels(opened)] == found
    assert list(mixed.result(opened).index) == found


def test_random_views_are_those_of_their_code(explorer):
    chance = random.Random(1)
    rows = 500
    frame = pandas.DataFrame(
        {
            "a": numpy.random.default_rng(1).normal(size=rows).round(1),
            "b": [chance.choice(["x", "y", "xy", "", None]) for _ in range(rows)],
            "c": [chance.choice([1, 2, 3]) for _ in range(rows)],
        },
        index=[f"r{row}" for row in range(rows)],
    )
    frame.loc[frame.index[::7], "a"] = numpy.nan
    explored = explorer(df=frame)
    opened = explored.open()
    for _ in range(60):
        filters = [
            chance.choice(
                [
                    filtered(0, "range", low=str(chance.uniform(-1, 0)), high=""),
                    filtered(1, "contains", text=chance.choice("xyz")),
                    filtered(2, "equals", text=str(chance.randint(0, 3))),
                    filtered(chance.randint(0, 2), chance.choice(["missing", "present"])),
                ]
            )
            for _ in range(chance.randint(0, 2))
        ]
        sorting = [by(column, chance.random() < 0.5) for column in chance.sample(range(3), chance.randint(0, 3))]
        shown = explored.view(opened, filters, sorting, chance.choice(["", "", "x", "1"]))
        expected = explored.result(opened)
        assert shown == len(expected)
        page = explored.page(opened, 0, shown)
        assert [label for (label,) in page["labels"]] == list(expected.index)


def test_odd_names_of_columns(explorer):
    frame = pandas.DataFrame([[1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]])
    frame.columns = ["same", "same", 'it\'s "x"\n', ("a", 1), 7, float("nan")]
    explored = explorer(df=frame)
    opened = explored.open()
    assert [column["name"] for column in opened["columns"]] == ["same", "same", 'it\'s "x"\n', "a / 1", "7", "nan"]
    for column in range(6):
        explored.view(opened, [filtered(column, "range", low="4", high="")], [by(column)])
        rows = [int(label) for (label,) in explored.labels(opened)]
        assert rows == list(explored.result(opened).index)
        assert len(rows) == 1


def test_indexes_with_levels_and_names(explorer):
    index = pandas.MultiIndex.from_product([["a", "b"], [1, 2]], names=["group", None])
    columns = pandas.MultiIndex.from_product([["x", "y"], ["low", "high"]])
    frame = pandas.DataFrame(numpy.arange(16).reshape(4, 4), index=index, columns=columns)
    explored = explorer(df=frame)
    opened = explored.open(filters=[filtered(2, "range", low="6", high="")], sorting=[by(0, True)])
    assert opened["indexNames"] == ["group", ""]
    assert opened["columns"][1]["name"] == "x / high"
    assert explored.labels(opened) == [["b", "2"], ["b", "1"], ["a", "2"]]
    assert list(explored.result(opened).index) == [("b", 2), ("b", 1), ("a", 2)]


def test_a_series_is_a_frame_with_one_column(explorer):
    explored = explorer(s=pandas.Series([3, 1, 2], name="n"))
    opened = explored.open("s", sorting=[by(0)])
    assert explored.column(opened, 0) == ["1", "2", "3"]
    assert list(explored.result(opened)["n"]) == [1, 2, 3]


def test_summaries(mixed):
    opened = mixed.open()
    amount = mixed.summary(opened, 1)
    assert (amount["rows"], amount["missing"], amount["distinct"], amount["isSample"]) == (5, 1, 4, False)
    assert (amount["low"], amount["high"]) == ("-1.0", "1e+20")
    assert sum(amount["histogram"]["counts"]) == 4
    name = mixed.summary(opened, 0)
    assert name["top"][0] == {"text": "ann", "count": 2}
    assert "histogram" not in name
    assert mixed.summary(opened, 4)["low"] == "2026-01-01 00:00:00"
    assert mixed.summary(opened, 6)["distinct"] == 2
    assert mixed.summary(opened, 7)["distinct"] == 4
    mixed.view(opened, [filtered(0, "equals", text="Bo")])
    assert mixed.summary(opened, 1)["rows"] == 1


def test_empty_and_infinite_columns(explorer):
    explored = explorer(
        df=pandas.DataFrame({"e": [], "t": []}),
        all=pandas.DataFrame({"i": [numpy.inf, -numpy.inf], "n": [numpy.nan] * 2}),
    )
    opened = explored.open()
    assert explored.page(opened)["cells"] == [[], []]
    assert explored.summary(opened, 0)["distinct"] == 0
    opened = explored.open("all")
    assert explored.summary(opened, 0).get("histogram") is None
    assert explored.summary(opened, 1)["missing"] == 2


def test_a_variable_with_another_frame_is_noticed(mixed):
    opened = mixed.open()
    mixed.names["df"]["new"] = 1
    with pytest.raises(ServiceError) as failure:
        mixed.page(opened)
    assert failure.value.kind == "changed"
    mixed.names["df"] = mixed.names["df"].copy()
    assert mixed.open()["width"] == 9
    del mixed.names["df"]
    with pytest.raises(ServiceError) as failure:
        mixed.open()
    assert failure.value.kind == "gone"


def test_the_frame_of_a_variable_is_not_kept_alive(explorer):
    import gc
    import weakref

    explored = explorer(df=pandas.DataFrame({"a": [1]}))
    alive = weakref.ref(explored.names["df"])
    explored.open(sorting=[by(0)])
    del explored.names["df"]
    gc.collect()
    assert alive() is None


def test_an_expression_keeps_its_result(mixed):
    opened = mixed.open("df[df.ok]")
    assert mixed.column(opened, 0)[0] == "Bo"
    assert mixed.code(opened).startswith("frame = df[df.ok]")


def test_objects_that_cannot_be_shown(explorer):
    class Hostile:
        def __repr__(self):
            raise RuntimeError("no")

        def __len__(self):
            raise RuntimeError("no")

    explored = explorer(df=pandas.DataFrame({"o": [Hostile(), "x" * 10_000_000, list(range(100_000))]}))
    opened = explored.open()
    texts = explored.column(opened, 0)
    assert texts[0] == "<Hostile: RuntimeError>"
    assert len(texts[1]) == 201
    assert len(texts[2]) < 202
    text = frames.read_cell(explored.parameters(opened, row=1, column=0), explored.context)
    assert (len(text["text"]), text["isCut"]) == (100_000, True)


def test_what_is_no_frame(explorer):
    explored = explorer(x=1, array=numpy.zeros(3))
    for expression, kind in (("x", "notFrame"), ("array", "notFrame"), ("1 +", "invalid"), ("1 / 0", "invalid")):
        with pytest.raises(ServiceError) as failure:
            explored.open(expression)
        assert failure.value.kind == kind


def test_invalid_texts_of_filters(mixed):
    for one in (filtered(1, "equals", text="x"), filtered(4, "equals", text="x"), filtered(3, "equals", text="x")):
        with pytest.raises(ServiceError) as failure:
            mixed.open(filters=[one])
        assert failure.value.kind == "invalid"


def test_texts_of_filters_are_only_texts(mixed):
    injected = "'); df.drop(index=df.index, inplace=True); ('"
    opened = mixed.open(filters=[filtered(0, "contains", text=injected)])
    assert opened["shown"] == 0
    assert len(mixed.result(opened)) == 0
    assert len(mixed.names["df"]) == 5


def test_copies_rows_as_csv(mixed):
    opened = mixed.open(sorting=[by(0)])
    parameters = mixed.parameters(opened, start=0, stop=2, firstColumn=0, lastColumn=2)
    assert frames.copy_rows(parameters, mixed.context)["text"] == "name,amount\nBo,2.5\nCy%,1e+20\n"


def test_lists_the_frames(explorer):
    explored = explorer(df=pandas.DataFrame({"a": [1]}), s=pandas.Series([1]), m=numpy.zeros((2, 3)), x=1, _1=[1])
    assert frames.list_frames({}, explored.context)["frames"] == [
        {"expression": "df", "kind": "pandas", "rows": 1, "columns": 1},
        {"expression": "s", "kind": "pandas", "rows": 1, "columns": 1},
        {"expression": "m", "kind": "numpy", "rows": 2, "columns": 3},
    ]


def test_a_large_frame(explorer):
    rows = 1_000_000
    generator = numpy.random.default_rng(1)
    data = {f"n{column}": generator.normal(size=rows) for column in range(48)}
    data["t"] = numpy.tile(["red", "green", "blue", "yellow"], rows // 4)
    data["i"] = numpy.arange(rows)
    explored = explorer(df=pandas.DataFrame(data))
    opened = explored.open(sorting=[by(49, True)])
    assert explored.column(opened, 49, start=0, stop=2) == ["999999", "999998"]
    assert (
        explored.view(opened, [filtered(48, "equals", text="red"), filtered(49, "range", low="999000", high="")]) == 250
    )
    page = explored.page(opened, 0, 100, (0, 50))
    assert (len(page["cells"]), len(page["cells"][0])) == (50, 100)
    assert explored.view(opened, search="yell") == rows // 4
    assert explored.summary(opened, 0)["isSample"] is False
    with pytest.raises(ServiceError) as failure:
        explored.page(opened, 0, 10_000, (0, 50))
    assert failure.value.kind == "tooLarge"


def test_views_are_cancelled(mixed):
    class Unwanted:
        def check(self):
            raise Cancelled

    view = {"filters": [], "sorting": [by(0)], "search": ""}
    with pytest.raises(Cancelled):
        frames.open_frame({"expression": "df", "view": view}, Unwanted())


def test_a_view_that_ends_late_does_not_replace_the_next_one(explorer, monkeypatch):
    explored = explorer(df=pandas.DataFrame({"n": [1, 3, 2]}))
    opened = explored.open()
    began, goes_on = threading.Event(), threading.Event()
    positions = PandasSource.positions

    def slow(source, view, context):
        if not view.sorting[0]["descending"]:
            began.set()
            assert goes_on.wait(10)
        return positions(source, view, context)

    monkeypatch.setattr(PandasSource, "positions", slow)
    late = {"id": opened["id"], "view": {"filters": [], "sorting": [by(0)], "search": ""}}
    thread = threading.Thread(target=frames.prepare_view, args=(late, explored.context))
    thread.start()
    assert began.wait(10)
    explored.view(opened, sorting=[by(0, True)])
    goes_on.set()
    thread.join()
    assert explored.column(opened, 0) == ["3", "2", "1"]
    explored.views[opened["id"]] = late["view"]
    assert explored.column(opened, 0) == ["1", "2", "3"]


def test_keeps_the_rows_of_few_views(explorer):
    explored = explorer(df=pandas.DataFrame({"n": range(10)}))
    opened = explored.open()
    for low in range(10):
        assert explored.view(opened, [filtered(0, "range", low=str(low), high="")]) == 10 - low
    assert len(frames._opened[opened["id"]]._positions) == frames.MAX_VIEWS


def test_dates_and_times_as_objects(explorer):
    explored = explorer(df=pandas.DataFrame({"d": [datetime.date(2026, 1, 2), datetime.date(2026, 1, 1)]}))
    opened = explored.open(sorting=[by(0)])
    assert explored.column(opened, 0) == ["2026-01-01", "2026-01-02"]


def test_lists_frames_whatever_else_there_is(explorer, monkeypatch):
    monkeypatch.setattr(frames, "EACH_SECONDS", 0.5)
    may_end = threading.Event()

    class Lasting(pandas.DataFrame):
        @property
        def shape(self):
            may_end.wait(30)
            return (0, 0)

    class Raising(pandas.DataFrame):
        @property
        def shape(self):
            raise ValueError

    class Homeless:
        __module__ = None

    class Disguised:
        @property
        def __class__(self):
            raise ValueError

    one = explorer(a=Lasting(), b=Raising(), c=Homeless(), d=Disguised(), df=pandas.DataFrame({"x": [1, 2]}))
    one.names[7] = 1
    found = frames.list_frames({}, one.context)
    may_end.set()
    assert found == {"frames": [{"expression": "df", "kind": "pandas", "rows": 2, "columns": 1}]}
