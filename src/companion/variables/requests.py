"""The variables of the kernel in which the program runs: lists, what is below them, their text, and their deletion.

Requests work while a cell runs, in threads beside it. `inspection` says what can be read without running the code
of a value; whatever needs that code runs in the worker's thread, for a limited time.
"""

import sys
import threading
import time

from ..protocol import ServiceError, service, subscription
from . import frames
from .history import History
from .inspection import (
    bytes_of,
    clean,
    is_code,
    is_plain,
    length_of,
    type_name,
)
from .path import children_of, count_below, name_expression, resolve
from .text import Text, code_text, error_text, text_of
from .worker import SKIPPED, SLOW, Worker

MAX_ROWS = 500
MAX_NAME_LENGTH = 1000
MAX_ROW_LENGTH = 300
MAX_VALUE_LENGTH = 1_000_000
MAX_DELETED = 1000
# Seconds for the code of one value, and of all values of a list.
VALUE_SECONDS = 0.2
LIST_SECONDS = 2.0
# Seconds for the code of a value that the user copies.
TEXT_SECONDS = 5.0
INTERVAL_SECONDS = 1.0
# Seconds between two reports of cells that follow each other quickly.
REPORT_SECONDS = 0.1
# A look that takes long is followed by a pause that is as many times as long.
PAUSE_FACTOR = 20
# Seconds for which the code of a class that took too long is not run again.
SLOW_CLASS_SECONDS = 60.0

_worker = Worker()
_history = None
_lock = threading.Lock()
# When the code of a class took too long, by the class's id: to ask a class for its hash may run its code.
_slow_classes = {}


def shell_of_kernel():
    """Return IPython's shell in this kernel."""
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if shell is None:
        raise ServiceError("missing", "The kernel has no IPython.")
    return shell


def _history_of(shell):
    global _history
    with _lock:
        if _history is None:
            _history = History(shell)
        return _history


@subscription("variables.watch")
def watch(_parameters, context):
    """Report that variables may have changed: after each cell, and at most once a second at any other time."""
    shell = shell_of_kernel()
    watcher = _Watcher(shell.user_ns, context)
    context.on_cancel(_history_of(shell).listen(watcher.look))
    context.on_cancel(watcher.look)
    threading.Thread(target=watcher.run, daemon=True).start()
    return {}


class _Watcher:
    def __init__(self, namespace, context):
        self._namespace = namespace
        self._context = context
        self._cell_ended = threading.Event()
        self._seen = _fingerprint(namespace)

    def look(self):
        """Report at once, whatever has changed: a cell may have changed values that have the same identity."""
        self._cell_ended.set()

    def run(self):
        pause = INTERVAL_SECONDS
        while True:
            is_after_cell = self._cell_ended.wait(pause)
            self._cell_ended.clear()
            if self._context.cancelled():
                return
            started = time.monotonic()
            seen = _fingerprint(self._namespace)
            if is_after_cell or seen != self._seen:
                self._context.push({})
            self._seen = seen
            pause = max(INTERVAL_SECONDS, (time.monotonic() - started) * PAUSE_FACTOR)
            if is_after_cell and self._context.wait(REPORT_SECONDS):
                return


def _fingerprint(namespace):
    """The identities of all variables, and the lengths of Python's own containers, as one number."""
    return hash(
        tuple((name, id(value), length_of(value)) for name, value in dict(namespace).items() if type(name) is str)
    )


@service("variables.list")
def list_variables(parameters, context):
    """List variables whose name or type contains the filter."""
    shell = shell_of_kernel()
    setters = _history_of(shell).setters()
    includes_all, text = parameters["includesAll"], parameters["filter"].lower()
    found = []
    for name, value in _variables(shell):
        context.check()
        if not includes_all and (name.startswith("_") or is_code(value)):
            continue
        kind = type_name(value)
        if text in name.lower() or text in kind.lower():
            found.append((name, kind, value))
    total = len(found)
    start, count = _page(parameters)
    found = _sorted(found, parameters["sort"], setters)[start : start + count]
    rows = _rows([_Entry(name, value, "name", name, name_expression(name)) for name, _, value in found])
    for row, (name, _, _) in zip(rows, found):
        setter = setters.get(name)
        row["setter"] = None if setter is None else {"cell": setter.cell, "count": setter.count}
    return {"rows": rows, "total": total, "all": _count(shell)}


def _variables(shell):
    """The variables that the user has set, as `%who` chooses them."""
    hidden = shell.user_ns_hidden
    for name, value in dict(shell.user_ns).items():
        if type(name) is not str or len(name) > MAX_NAME_LENGTH or clean(name) != name:
            continue
        if name not in hidden or hidden[name] is not value:
            yield name, value


def _count(shell):
    return sum(1 for _ in _variables(shell))


def _page(parameters):
    return max(0, parameters["offset"]), max(1, min(parameters["count"], MAX_ROWS))


def _sorted(found, order, setters):
    by_name = sorted(found, key=lambda one: (one[0].lower(), one[0]))
    if order == "type":
        return sorted(by_name, key=lambda one: one[1].lower())
    if order == "size":
        return sorted(by_name, key=lambda one: -_quick_size(one[2]))
    if order == "recent":
        return sorted(by_name, key=lambda one: -setters[one[0]].number if one[0] in setters else 0)
    return by_name


def _quick_size(value):
    """The bytes to sort by. Libraries of data are asked for theirs, but no other code of a value is run."""
    if is_plain(value):
        return bytes_of(value) or 0
    facts = _facts_or_none(value)
    return (bytes_of(value) if facts is None else facts.size) or 0


def _facts_or_none(value):
    if not frames.is_known(value):
        return None
    try:
        return frames.facts_of(value)
    except Exception:
        return None


@service("variables.children")
def list_children(parameters, _context):
    """List what is below a value: items, attributes that it stores, or columns."""
    shell = shell_of_kernel()
    start, count = _page(parameters)

    def read(_item):
        try:
            value, expression = resolve(shell.user_ns, parameters["path"])
            children, total = children_of(value, start, count)
            return children, total, expression
        except ServiceError as error:
            return error
        except Exception as error:
            return ServiceError("failed", error_text(error))

    children, total, expression = in_worker(read, LIST_SECONDS)
    entries = [
        _Entry(
            one.label,
            one.value,
            one.step["kind"],
            one.step["at"],
            None if expression is None or one.suffix is None else expression + one.suffix,
        )
        for one in children
    ]
    return {"rows": _rows(entries), "total": total}


@service("variables.value")
def read_value(parameters, _context):
    """Return the text of a value with up to a million characters."""
    shell = shell_of_kernel()

    def read(_item):
        try:
            value, _ = resolve(shell.user_ns, parameters["path"])
            return code_text(value) if is_code(value) else text_of(value, MAX_VALUE_LENGTH)
        except ServiceError as error:
            return error

    text = in_worker(read, TEXT_SECONDS)
    if text.problem is not None:
        raise ServiceError("raised", text.text)
    return {"text": text.text, "isCut": text.is_cut}


def each_in_worker(work, items, each_seconds, all_seconds):
    """Return what the work returns for each item, as `Worker.run` does."""
    return _worker.run(work, items, each_seconds, all_seconds)


def in_worker(work, seconds):
    """Return what the work returns in the worker's thread, or raise the ServiceError that it returns."""
    (result,) = each_in_worker(work, [None], seconds, seconds)
    if result is SLOW:
        raise ServiceError("slow", "The value took too long.")
    if result is SKIPPED:
        raise ServiceError("slow", "Other values still take too long.")
    if isinstance(result, ServiceError):
        raise result
    return result


@service("variables.delete", lane="variables.delete")
def delete_variables(parameters, _context):
    """Delete variables by their names, unless a cell runs, which may use them."""
    shell = shell_of_kernel()
    if _history_of(shell).is_running() or is_busy():
        raise ServiceError("busy", "A cell is running.")
    deleted = 0
    values = []
    for name in parameters["names"][:MAX_DELETED]:
        if name in shell.user_ns:
            values.append(shell.user_ns.pop(name, None))
            values.append(shell.user_ns_hidden.pop(name, None))
            deleted += 1
    # What their end runs, such as `__del__`, may go on for any time.
    threading.Thread(target=values.clear, daemon=True).start()
    return {"deleted": deleted}


def is_busy():
    """Return whether a cell runs in the main thread, also if it began before the program was installed."""
    frame = sys._current_frames().get(threading.main_thread().ident)
    while frame is not None:
        if frame.f_code.co_name in ("run_code", "run_cell_async") and "interactiveshell" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


class _Entry:
    def __init__(self, label, value, kind, at, expression):
        self.label = label
        self.value = value
        self.step = {"kind": kind, "at": at}
        self.expression = expression


def _rows(entries):
    """Describe values. Those whose own code is needed are described in the worker's thread."""
    facts = {}
    others = []
    now = time.monotonic()
    for nth, entry in enumerate(entries):
        slow_since = _slow_classes.get(id(type(entry.value)))
        if is_plain(entry.value) or is_code(entry.value):
            facts[nth] = _described(entry.value)
        elif slow_since is not None and now - slow_since < SLOW_CLASS_SECONDS:
            facts[nth] = _undescribed(entry.value, "slow")
        else:
            others.append(nth)
    results = _worker.run(_described, [entries[nth].value for nth in others], VALUE_SECONDS, LIST_SECONDS)
    for nth, result in zip(others, results):
        if result is SLOW:
            _remember_slow(entries[nth].value)
        is_missing = result is SLOW or result is SKIPPED
        problem = "slow" if result is SLOW else "skipped"
        facts[nth] = _undescribed(entries[nth].value, problem) if is_missing else result
        if isinstance(result, ServiceError):
            facts[nth] = {**_undescribed(entries[nth].value, result.kind), "value": str(result)}
    return [
        {
            "label": entry.label,
            "step": entry.step,
            "expression": None if entry.expression is None else entry.expression[:MAX_NAME_LENGTH],
            "setter": None,
            **facts[nth],
        }
        for nth, entry in enumerate(entries)
    ]


def _remember_slow(value):
    if len(_slow_classes) >= 1000:
        _slow_classes.clear()
    _slow_classes[id(type(value))] = time.monotonic()


def _described(value):
    """Describe a value. May run its code, but never raises an Exception."""
    known = None
    problem = None
    if is_plain(value):
        text = text_of(value, MAX_ROW_LENGTH)
    elif is_code(value):
        text = code_text(value)
    else:
        try:
            known = frames.facts_of(value)
            text = text_of(value, MAX_ROW_LENGTH) if known is None else _shortened(known.text)
        except Exception as error:
            text = Text(error_text(error), False, "raised")
    problem = text.problem
    row = _undescribed(value, problem)
    row.update(value=text.text, isCut=text.is_cut)
    if known is not None:
        row.update(
            shape="(%s)" % ", ".join(map(str, known.shape)),
            size=known.size,
            isFrame=known.is_frame,
            hasChildren=known.columns > 0,
        )
    return row


def _shortened(text):
    text = clean(text)
    return Text(text[:MAX_ROW_LENGTH], len(text) > MAX_ROW_LENGTH)


def _undescribed(value, problem):
    """What can be told without the code of the value."""
    length = length_of(value)
    return {
        "type": type_name(value),
        "shape": None if length is None else str(length),
        "size": bytes_of(value),
        "value": "",
        "isCut": False,
        "problem": problem,
        "hasChildren": not is_plain(value) and count_below(value) > 0,
        "isFrame": False,
    }
