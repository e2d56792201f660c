import importlib.util
import os

import pandas
import pytest

from companion.frames import files
from companion.protocol import ServiceError

from .test_other_frames import by, filtered

CSV = 'name,"amount, in total",note\r\nBo,2.5,"two\nlines"\nann,-1,\n\n"C ""q""",,é\n'


@pytest.fixture(params=[True, False], ids=["pandas", "plain"])
def with_pandas(request, monkeypatch):
    found = importlib.util.find_spec
    if not request.param:
        monkeypatch.setattr(files.importlib.util, "find_spec", lambda name: None if name == "pandas" else found(name))
    return request.param


def test_csv_files(explorer, write, with_pandas):
    write("data/a b.csv", CSV)
    explored = explorer()
    opened = explored.open(path="data/a b.csv")
    assert (opened["kind"], opened["rows"]) == ("file", 3)
    assert [column["name"] for column in opened["columns"]] == ["name", "amount, in total", "note"]
    assert [column["category"] for column in opened["columns"]] == ["text", "number", "text"]
    assert explored.column(opened, 0) == ["Bo", "ann", 'C "q"']
    assert explored.column(opened, 2)[::2] == ["two\nlines", "é"]
    assert explored.view(opened, [filtered(1, "range", low="-2", high="")], [by(1)]) == 2
    assert explored.column(opened, 0) == ["ann", "Bo"]
    assert explored.view(opened, search="LINES") == 1
    assert explored.summary(opened, 0)["rows"] == 1
    explored.view(opened, [filtered(0, "contains", text="n")])
    code = explored.code(opened)
    assert code.startswith("import pandas as pd\nframe = pd.read_csv('a b.csv')\n")


def test_code_reads_the_file_in_its_folder(explorer, write, with_pandas, root, monkeypatch):
    write("a.csv", "x;y\n1;2\n3;4\n")
    explored = explorer()
    opened = explored.open(path="a.csv", filters=[filtered(0, "range", low="2", high="")])
    assert explored.column(opened, 1) == ["4"]
    monkeypatch.chdir(root)
    assert explored.result(opened).values.tolist() == [[3, 4]]


def test_many_rows_without_pandas(explorer, write, monkeypatch):
    monkeypatch.setattr(files.importlib.util, "find_spec", lambda name: None)
    write("a.tsv", "n\tt\n" + "".join("%d\t%s\n" % (row * 7919 % 10_007, "x" * (row % 5)) for row in range(10_007)))
    explored = explorer()
    opened = explored.open(path="a.tsv", sorting=[by(0, True)])
    assert explored.column(opened, 0, start=0, stop=3) == ["10006", "10005", "10004"]
    assert explored.view(opened, [filtered(1, "equals", text="xx")]) == 2001
    assert explored.view(opened) == 10_007
    assert explored.column(opened, 0, start=10_000, stop=10_001) == [str(10_000 * 7919 % 10_007)]


def test_hostile_csv_files(explorer, write, with_pandas):
    for name, content in (
        ("open-quote.csv", 'a,b\n"x,1\n' * 2000),
        ("ragged.csv", "a,b\n1\n1,2,3\n,\n"),
        ("bytes.csv", b"a,b\n\xff\x00,2\n"),
        ("wide.csv", ",".join("c%d" % index for index in range(3000)) + "\n" + "1," * 2999 + "1\n"),
        ("mixed.csv", "a\n" + "1\n" * 2000 + "x\n"),
    ):
        write(name, content)
        explored = explorer()
        opened = explored.open(path=name)
        explored.page(opened, stop=50, columns=(0, 20))
        explored.view(opened, [filtered(0, "present")], [by(0)])
        explored.summary(opened, 0)


def test_a_changed_file_is_noticed(explorer, write, root):
    write("a.csv", "x\n1\n")
    explored = explorer()
    opened = explored.open(path="a.csv")
    os.utime(root / "a.csv", (1, 1))
    with pytest.raises(ServiceError) as failure:
        explored.page(opened)
    assert failure.value.kind == "changed"
    for path, kind in (("b.csv", "noFile"), ("../a.csv", "invalid"), ("/etc/passwd", "invalid")):
        with pytest.raises(ServiceError) as failure:
            explored.open(path=path)
        assert failure.value.kind == kind


def test_parquet_files(explorer, root, write, monkeypatch):
    pandas.DataFrame({"a": [3, 1, 2], "t": ["x", "y", None]}).to_parquet(root / "a.parquet")
    explored = explorer()
    opened = explored.open(path="a.parquet", sorting=[by(0)])
    assert explored.column(opened, 0) == ["1", "2", "3"]
    monkeypatch.chdir(root)
    assert list(explored.result(opened)["a"]) == [1, 2, 3]
    found = importlib.util.find_spec
    monkeypatch.setattr(files.importlib.util, "find_spec", lambda name: None if name == "pyarrow" else found(name))
    opened = explored.open(path="a.parquet", sorting=[by(0)])
    assert explored.column(opened, 1) == ["y", 4, "x"]
    assert explored.code(opened).startswith("import polars as pl\n")
    write("b.parquet", "no")
    with pytest.raises(ServiceError) as failure:
        explored.open(path="b.parquet")
    assert failure.value.kind == "invalid"
    monkeypatch.setattr(files.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ServiceError) as failure:
        explored.open(path="a.parquet")
    assert failure.value.kind == "missing"
