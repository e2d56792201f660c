"""The copy of a notebook that is run: without outputs, and with a cell that sets the parameters."""

import ast
import copy
import uuid

RECORD = "platform_workbench_run"
PARAMETERS_TAG = "parameters"
INJECTED_TAG = "injected-parameters"
MAX_PARAMETERS = 200
MAX_LITERAL_LENGTH = 20_000


class RunError(Exception):
    """Why a run can't begin. The message is for people."""


def literal_of(text):
    """Return the value of a Python literal. Raises a RunError for anything else."""
    if len(text) > MAX_LITERAL_LENGTH:
        raise RunError("a parameter is too long")
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise RunError("%s is no Python value" % text[:100]) from error


def tags_of(cell):
    """Return the tags of a cell."""
    tags = cell.get("metadata", {}).get("tags", [])
    return tags if isinstance(tags, list) else []


def prepared(notebook, parameters):
    """Return a copy of a notebook without outputs, with a cell that sets the parameters.

    `parameters`: the literal by name. The cell is added after the code cell with the tag `parameters`, or at the top.
    A cell that an earlier run has added is replaced.
    """
    if notebook.get("nbformat") != 4 or not isinstance(notebook.get("cells"), list):
        raise RunError("the notebook has an old format: open it in JupyterLab, and save it")
    if len(parameters) > MAX_PARAMETERS:
        raise RunError("there are too many parameters")
    for name, literal in parameters.items():
        if not name.isidentifier():
            raise RunError("%s is no name" % name[:100])
        literal_of(literal)
    result = copy.deepcopy(notebook)
    cells = [cell for cell in result["cells"] if isinstance(cell, dict) and INJECTED_TAG not in tags_of(cell)]
    for cell in cells:
        if cell.get("cell_type") == "code":
            cell["outputs"] = []
            cell["execution_count"] = None
            cell.setdefault("metadata", {}).pop("papermill", None)
    if parameters:
        lines = ["# Parameters"] + ["%s = %s" % item for item in parameters.items()]
        cell = {
            "cell_type": "code",
            "metadata": {"tags": [INJECTED_TAG]},
            "source": "\n".join(lines),
            "outputs": [],
            "execution_count": None,
        }
        if result.get("nbformat_minor", 0) >= 5:
            cell["id"] = uuid.uuid4().hex[:8]
        places = [index for index, one in enumerate(cells) if _sets_parameters(one)]
        cells.insert(places[0] + 1 if places else 0, cell)
    result["cells"] = cells
    result.setdefault("metadata", {}).pop("papermill", None)
    result["metadata"].pop(RECORD, None)
    return result


def _sets_parameters(cell):
    return cell.get("cell_type") == "code" and PARAMETERS_TAG in tags_of(cell)


def source_of(cell):
    """Return the text of a cell."""
    source = cell.get("source", "")
    return "".join(source) if isinstance(source, list) else str(source)
