"""Runs with a kernel that only prints. test/kernels has real ones."""

import json
import os
import queue
import threading

import pytest

from companion.notebook_run import outputs as outputs_module
from companion.notebook_run import record as record_module
from companion.notebook_run.cell_kernel import CellKernel
from companion.notebook_run.outputs import Outputs
from companion.notebook_run.preparation import RunError, literal_of, prepared
from companion.notebook_run.record import Record
from companion.notebook_run.run import Run


def code(source, *tags):
    metadata = {"tags": list(tags)} if tags else {}
    return {
        "cell_type": "code",
        "id": "x",
        "metadata": metadata,
        "source": source,
        "outputs": [{"output_type": "stream", "name": "stdout", "text": "old"}],
        "execution_count": 3,
    }


def notebook(*cells):
    return {"cells": list(cells), "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}


class FakeKernel:
    """Prints the text of each cell, and raises for a cell with the text `fail`."""

    def __init__(self, on_run=None):
        self.ran = []
        self.has_ended = False
        self._on_run = on_run

    def run(self, source, on_output, canceled, on_turn):
        self.ran.append(source)
        on_output("execute_input", {"execution_count": len(self.ran)})
        on_output("stream", {"name": "stdout", "text": source})
        if self._on_run is not None:
            self._on_run(source)
        on_turn()
        if source == "fail":
            on_output("error", {"ename": "ValueError", "evalue": "no", "traceback": ["line"]})
            return "ValueError: no"
        return None

    def end(self):
        self.has_ended = True


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_of(folder, *cells, parameters=None):
    (folder / "a.ipynb").write_text(json.dumps(notebook(*cells)))
    run = Run({"source": "a.ipynb", "target": "b.ipynb", "parameters": parameters or {}, "kernel": None})
    run.record.create()
    return run


def result(folder):
    return json.loads((folder / "b.ipynb").read_text())


def test_adds_the_parameters_after_their_cell_and_replaces_those_of_an_earlier_run():
    before = notebook(code("first"), code("a = 1", "parameters"), code("a = 2", "injected-parameters"), code("last"))
    cells = prepared(before, {"a": "3", "name": "'x'"})["cells"]
    assert [cell["source"] for cell in cells] == ["first", "a = 1", "# Parameters\na = 3\nname = 'x'", "last"]
    assert cells[2]["metadata"] == {"tags": ["injected-parameters"]}
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
    assert len(before["cells"]) == 4 and before["cells"][0]["execution_count"] == 3


def test_adds_the_parameters_after_a_cell_of_code_only():
    text = {"cell_type": "markdown", "metadata": {"tags": ["parameters"]}, "source": "About the parameters"}
    cells = prepared(notebook(text, code("a = 1", "parameters")), {"a": "3"})["cells"]
    assert [cell["source"] for cell in cells] == ["About the parameters", "a = 1", "# Parameters\na = 3"]


def test_adds_the_parameters_at_the_top_if_no_cell_has_the_tag():
    cells = prepared(notebook(code("x")), {"a": "1"})["cells"]
    assert [cell["source"] for cell in cells] == ["# Parameters\na = 1", "x"]
    assert len(prepared(notebook(code("x")), {})["cells"]) == 1


@pytest.mark.parametrize("literal", ["open('x')", "1 +", "__import__('os')", "[1, x]", "1\nimport os", "f'{a}'"])
def test_refuses_what_is_no_literal(literal):
    with pytest.raises(RunError):
        literal_of(literal)
    with pytest.raises(RunError):
        prepared(notebook(), {"a": literal})


def test_refuses_other_names_and_formats():
    with pytest.raises(RunError):
        prepared(notebook(), {"a = 1; b": "1"})
    with pytest.raises(RunError):
        prepared({"worksheets": [], "nbformat": 3}, {})


def test_runs_all_cells_and_records_it(folder):
    kernel = FakeKernel()
    run = run_of(folder, code("one"), {"cell_type": "markdown", "metadata": {}, "source": "#"}, code("  "), code("two"))
    assert result(folder)["metadata"]["platform_workbench_run"]["status"] == "running"
    run.perform(lambda name: kernel)
    assert kernel.ran == ["one", "two"] and kernel.has_ended
    saved = result(folder)
    state = saved["metadata"]["platform_workbench_run"]
    assert (state["status"], state["cell"], state["cells"], state["source"]) == ("succeeded", 2, 2, "a.ipynb")
    assert saved["metadata"]["papermill"]["exception"] is False
    assert saved["metadata"]["papermill"]["duration"] >= 0
    assert next(iter(saved)) == "metadata"
    assert saved["cells"][3]["outputs"] == [{"output_type": "stream", "name": "stdout", "text": "two"}]
    assert sorted(os.listdir(str(folder))) == ["a.ipynb", "b.ipynb"]


def test_stops_at_a_failed_cell_unless_it_is_expected(folder):
    kernel = FakeKernel()
    run = run_of(folder, code("fail", "raises-exception"), code("fail"), code("never"))
    run.perform(lambda name: kernel)
    assert kernel.ran == ["fail", "fail"]
    saved = result(folder)
    state = saved["metadata"]["platform_workbench_run"]
    assert (state["status"], state["cell"], state["error"]) == ("failed", 2, "ValueError: no")
    assert saved["cells"][1]["outputs"][-1]["output_type"] == "error"


def test_keeps_what_ran_when_canceled(folder):
    runs = []
    kernel = FakeKernel(lambda source: runs[0].cancel())
    runs.append(run_of(folder, code("one"), code("two")))
    runs[0].perform(lambda name: kernel)
    assert kernel.ran == ["one"]
    saved = result(folder)
    assert saved["metadata"]["platform_workbench_run"]["status"] == "canceled"
    assert saved["cells"][0]["outputs"][0]["text"] == "one"


def test_records_a_kernel_that_does_not_start(folder):
    def refuse(name):
        raise RuntimeError("no such kernel")

    run_of(folder, code("one")).perform(refuse)
    state = result(folder)["metadata"]["platform_workbench_run"]
    assert (state["status"], state["error"]) == ("failed", "RuntimeError: no such kernel")


def test_replaces_no_file(folder):
    run_of(folder, code("one"))
    with pytest.raises(RunError):
        run_of(folder, code("one"))


def test_reads_a_notebook_with_a_byte_order_mark(folder):
    (folder / "a.ipynb").write_text(json.dumps(notebook(code("x"))), encoding="utf-8-sig")
    assert len(Run({"source": "a.ipynb", "target": "b.ipynb", "parameters": {}}).cells) == 1


def test_writes_a_file_with_the_longest_name(folder):
    name = "x" * 249 + ".ipynb"
    Record({"cells": []}, name).create()
    assert [path.name for path in folder.iterdir()] == [name]


def test_keeps_half_a_pair_of_surrogates(folder):
    run_of(folder, code("print('\ud83d')"))
    assert result(folder)["cells"][0]["source"] == "print('\ud83d')"


def test_leaves_no_file_if_it_cannot_be_written(folder, monkeypatch):
    def full(*_arguments, **_options):
        raise OSError("No space left on device")

    monkeypatch.setattr("companion.notebook_run.record.json.dump", full)
    with pytest.raises(OSError, match="No space"):
        run_of(folder, code("one"))
    assert [path.name for path in folder.iterdir()] == ["a.ipynb"]


def test_keeps_a_string_as_text_for_other_tools(folder):
    run = run_of(folder, code("x"), parameters={"a": "{1, 2}", "b": "'x'"})
    assert run.papermill["parameters"]["b"] == "x"
    assert isinstance(run.papermill["parameters"]["a"], str)


def outputs_of(*messages):
    cell = code("x")
    cell["outputs"] = []
    outputs = Outputs()
    outputs.begin(cell)
    for kind, content in messages:
        outputs.add(kind, content)
    outputs.settle()
    return cell["outputs"]


def test_joins_text_and_updates_and_clears_displays():
    out = {"name": "stdout", "text": "a"}
    joined = outputs_of(("stream", out), ("stream", out), ("stream", {**out, "name": "stderr"}))
    assert [one["text"] for one in joined] == ["aa", "a"]
    shown = {"data": {"text/plain": "1"}, "metadata": {}, "transient": {"display_id": "d"}}
    updated = {**shown, "data": {"text/plain": "2"}}
    assert outputs_of(("display_data", shown), ("update_display_data", updated)) == [
        {"output_type": "display_data", "data": {"text/plain": "2"}, "metadata": {}}
    ]
    assert outputs_of(("stream", out), ("clear_output", {"wait": True}))[0]["text"] == "a"
    assert outputs_of(("stream", out), ("clear_output", {"wait": True}), ("display_data", shown))[0]["data"]
    assert outputs_of(("stream", out), ("clear_output", {"wait": False})) == []


def test_bounds_the_output_of_a_cell(monkeypatch):
    monkeypatch.setattr(outputs_module, "MAX_OUTPUT_BYTES", 10)
    text = {"name": "stdout", "text": "123456"}
    out = outputs_of(*[("stream", text)] * 5)
    assert [one["name"] for one in out] == ["stdout", "stderr"]
    assert out[0]["text"] == "1234561234" and "left out" in out[1]["text"]
    whole = outputs_of(("stream", {"name": "stdout", "text": "1234567 \U0001f600\U0001f600"}))
    assert [one["text"] for one in whole[:1]] == ["1234567 "]


def test_keeps_the_error_of_a_cell_with_too_much_output(monkeypatch):
    monkeypatch.setattr(outputs_module, "MAX_OUTPUT_BYTES", 100)
    monkeypatch.setattr(outputs_module, "MAX_ERROR_BYTES", 400)
    text = ("stream", {"name": "stdout", "text": "x" * 101})

    def error(name, *traceback):
        return ("error", {"ename": name, "evalue": "no", "traceback": list(traceback)})

    out = outputs_of(text, error("KeyError", "first"), text, error("ValueError", "line 1", "line 2"), text)
    assert [one["output_type"] for one in out] == ["stream", "stream", "error"]
    assert out[2] == {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": ["line 1", "line 2"]}
    frames = ["frame %d" % number for number in range(100)]
    (*_, short) = outputs_of(text, error("ValueError", *frames))
    assert short["traceback"][0] == "frame 0" and short["traceback"][-1] == "frame 99"
    assert sum(map(len, short["traceback"])) < 250
    (*_, long) = outputs_of(text, ("error", {"ename": "E" * 900, "evalue": "v" * 900, "traceback": []}))
    assert (len(long["ename"]), len(long["evalue"])) == (100, 100)
    assert [one["output_type"] for one in outputs_of(text, error("E"), ("clear_output", {"wait": True}), text)] == [
        "stream",
        "stream",
    ]


def test_bounds_updates_of_displays(monkeypatch):
    monkeypatch.setattr(outputs_module, "MAX_OUTPUT_BYTES", 200)

    def message(kind, text):
        return (kind, {"data": {"text/plain": text}, "metadata": {}, "transient": {"display_id": "d"}})

    large = "x" * 300
    out = outputs_of(message("display_data", "1"), *[message("update_display_data", str(n)) for n in range(2, 60)])
    assert [one["data"]["text/plain"] for one in out] == ["59"]
    out = outputs_of(message("display_data", "1"), message("update_display_data", large))
    assert out[0]["data"]["text/plain"] == "1" and "left out" in out[1]["text"]


class QuietClient:
    """Sends the given messages, and then nothing: the end of the cell was dropped."""

    def __init__(self, messages, reply):
        self._messages = messages
        self._reply = reply

    def execute(self, _source, **_options):
        return "request"

    def get_iopub_msg(self, timeout):
        if not self._messages:
            raise queue.Empty
        kind, content = self._messages.pop(0)
        return {"parent_header": {"msg_id": "request"}, "msg_type": kind, "content": content}

    def get_shell_msg(self, timeout):
        if self._reply is None:
            raise queue.Empty
        reply, self._reply = self._reply, None
        return {"parent_header": {"msg_id": "request"}, "content": reply}


class LivingKernel:
    def is_alive(self):
        return True


def ended(messages, reply):
    kernel = CellKernel.__new__(CellKernel)
    kernel._client = QuietClient(messages, reply)
    kernel._manager = LivingKernel()
    seen = []
    problem = kernel.run("x", lambda kind, content: seen.append((kind, content)), threading.Event(), lambda: None)
    return problem, seen


def test_ends_a_cell_whose_end_was_dropped():
    error = {"status": "error", "ename": "ValueError", "evalue": "no", "traceback": ["line"]}
    text = ("stream", {"name": "stdout", "text": "a"})
    problem, seen = ended([text], error)
    assert problem == "ValueError: no"
    assert [kind for kind, _ in seen] == ["stream", "stream", "error"] and "missing" in seen[1][1]["text"]
    problem, seen = ended([("error", error)], dict(error))
    assert problem == "ValueError: no" and [kind for kind, _ in seen] == ["error", "stream"]
    problem, seen = ended([text], {"status": "ok"})
    assert problem is None and [kind for kind, _ in seen] == ["stream", "stream"]


def test_writes_a_large_notebook_less_often_but_nothing_is_left_behind(folder, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(record_module.time, "monotonic", lambda: clock[0])
    record = Record({"cells": []}, "b.ipynb")
    record.create()
    record._takes = 1.0
    record.notebook["cells"].append("first")
    record.write_soon()
    assert result(folder)["cells"] == []
    clock[0] += 19.0
    record.catch_up()
    assert result(folder)["cells"] == []
    clock[0] += 2.0
    record.catch_up()
    assert result(folder)["cells"] == ["first"]
    record.notebook["cells"].append("second")
    record.catch_up()
    assert result(folder)["cells"] == ["first"]
