"""Syntax errors, and formatting and linting with the tools that the workspace has."""

import ast
import contextlib
import json
import os
import shutil
import subprocess
import sys
import warnings

from .. import workspace
from ..protocol import ServiceError, service
from .document import line_range, without_magics
from .scripts import Request

MAX_PROBLEMS = 1000
MAX_MESSAGE_LENGTH = 1000
TOOL_SECONDS = 20
MAX_OUTPUT_CHARACTERS = 8000000
_LOOK_SECONDS = 0.05


@service("language.check")
def check(parameters, context):
    """Return the first syntax error of each cell, and what ruff finds if the workspace has it."""
    request = Request(parameters)
    problems = []
    for index, lines in enumerate(request.document.cells):
        context.check()
        problem = _syntax_error(lines, request.document.is_notebook)
        if problem is not None:
            problems.append({"cell": index, **problem})
    if parameters["lints"] and not problems:
        problems = _lint(request, context)
    return {"problems": problems[:MAX_PROBLEMS]}


def _syntax_error(lines, is_notebook):
    code = without_magics(lines) if is_notebook else lines
    flags = getattr(ast, "PyCF_ALLOW_TOP_LEVEL_AWAIT", 0) if is_notebook else 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile("\n".join(code) + "\n", "<editor>", "exec", flags=flags, dont_inherit=True)
    except SyntaxError as error:
        return _problem_of(error, lines)
    except (ValueError, RecursionError, MemoryError, OverflowError):
        # Code that Python can't compile for another reason, such as a null character.
        return None
    return None


def _problem_of(error, lines):
    line = min(max((error.lineno or 1) - 1, 0), len(lines) - 1)
    column = min(max((error.offset or 1) - 1, 0), len(lines[line]))
    end_line = min(max((getattr(error, "end_lineno", None) or line + 1) - 1, line), len(lines) - 1)
    end_column = (getattr(error, "end_offset", None) or 0) - 1
    if end_line == line and end_column <= column:
        end_column = min(column + 1, len(lines[line]))
        column = max(0, end_column - 1)
    end_column = min(max(end_column, 0), len(lines[end_line]))
    return {
        "range": line_range(lines, (line, column), (end_line, end_column)),
        "message": (error.msg or "invalid syntax")[:MAX_MESSAGE_LENGTH],
        "code": "",
        "severity": "error",
        "source": "Python",
    }


def _command(name):
    """Return the command of a tool; None if the environment doesn't have it.

    Not with `python -m`, which would run a file of that name in the workspace.
    """
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
    found = shutil.which(name, path=path)
    return [found] if found is not None and os.path.isabs(found) else None


def _run(command, text, folder, context):
    """Return the output of a tool that reads the text, and its exit code. It ends if the request is cancelled."""
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder if os.path.isdir(folder) else workspace.root(),
    ) as process:
        context.on_cancel(process.kill)
        try:
            output, errors = process.communicate(text.encode("utf-8", "surrogatepass"), timeout=TOOL_SECONDS)
        except subprocess.TimeoutExpired as error:
            process.kill()
            raise ServiceError("slow", "%s took too long." % os.path.basename(command[0])) from error
        context.check()
        return (
            output[:MAX_OUTPUT_CHARACTERS].decode("utf-8", "replace"),
            errors.decode("utf-8", "replace"),
            process.returncode,
        )


def _notebook(cells):
    """Return cells as the notebook that ruff reads, because it knows magics and what is unusual in notebooks."""
    return json.dumps(
        {
            "cells": [
                {
                    "cell_type": "code",
                    "id": "cell-%d" % index,
                    "execution_count": None,
                    "metadata": {},
                    "outputs": [],
                    "source": ["%s\n" % line for line in lines[:-1]] + lines[-1:],
                }
                for index, lines in enumerate(cells)
            ],
            "metadata": {"language_info": {"name": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    )


def _lint(request, context):
    command = _command("ruff")
    if command is None:
        return []
    document = request.document
    is_notebook = document.is_notebook
    text = _notebook(document.cells) if is_notebook else "\n".join(document.cells[0])
    options = ["check", "--quiet", "--exit-zero", "--output-format", "json", "--stdin-filename", request.path, "-"]
    output, _, code = _run(command + options, text, os.path.dirname(request.path), context)
    found = []
    if code == 0:
        with contextlib.suppress(ValueError):
            found = json.loads(output)
    problems = []
    for one in found[:MAX_PROBLEMS]:
        cell = (one.get("cell") or 1) - 1 if is_notebook else 0
        start, end = one.get("location"), one.get("end_location")
        if start is None or end is None or not 0 <= cell < len(document.cells):
            continue
        lines = document.cells[cell]
        first = min(max(start["row"] - 1, 0), len(lines) - 1)
        last = min(max(end["row"] - 1, first), len(lines) - 1)
        problems.append(
            {
                "cell": cell,
                "range": line_range(lines, (first, start["column"] - 1), (last, end["column"] - 1)),
                "message": str(one.get("message"))[:MAX_MESSAGE_LENGTH],
                "code": str(one.get("code") or "")[:50],
                "severity": "warning",
                "source": "Ruff",
            }
        )
    return problems


@service("language.format")
def format_document(parameters, context):
    """Return the text of a document, or of a cell, formatted with ruff or black.

    Fails with `missing` without either, and with `failed` for code that they can't format.
    """
    request = Request(parameters)
    if len(request.document.cells) != 1:
        raise ServiceError("invalid", "One text can be formatted at a time.")
    lines = request.document.cells[0]
    is_notebook = request.document.is_notebook
    text = "\n".join(lines)
    folder = os.path.dirname(request.path)
    ruff = _command("ruff")
    if ruff is not None:
        options = ["format", "--quiet", "--stdin-filename", request.path, "-"]
        output, errors, code = _run(ruff + options, _notebook([lines]) if is_notebook else text, folder, context)
        if code == 0 and is_notebook:
            output = "".join(json.loads(output)["cells"][0]["source"])
        return {"text": _formatted(output, errors, code), "tool": "ruff"}
    black = _command("black")
    if black is None:
        raise ServiceError("missing", "The workspace has neither ruff nor black.")
    if is_notebook and without_magics(lines) != lines:
        return {"text": text, "tool": "black"}
    options = ["--quiet", "--stdin-filename", request.path + (".py" if is_notebook else ""), "-"]
    output, errors, code = _run(black + options, text, folder, context)
    formatted = _formatted(output, errors, code)
    if is_notebook:
        # The last semicolon of a cell hides its output.
        formatted = formatted.rstrip("\n") + (";" if text.rstrip().endswith(";") and formatted.strip() else "")
    return {"text": formatted, "tool": "black"}


def _formatted(output, errors, code):
    if code != 0:
        reason = errors.strip().splitlines()
        raise ServiceError("failed", (reason[0] if reason else "The code can't be formatted.")[:400])
    return output
