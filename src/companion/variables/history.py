"""Which cell has set a variable, from the time on at which this is installed in a kernel."""

import threading

from .inspection import clean

MAX_ID_LENGTH = 200


class Setter:
    """`cell`: the id that the editor has sent with the cell, if any. `number`: of the executions, in their order."""

    def __init__(self, cell, count, number):
        self.cell = cell
        self.count = count
        self.number = number


class History:
    """Compares the variables before and after each cell. Its hooks run in the main thread, so they are short."""

    def __init__(self, shell):
        self._shell = shell
        self._lock = threading.Lock()
        self._setters = {}
        self._info = None
        self._message = None
        self._running = None
        self._before = {}
        self._numbers = 0
        self._listeners = []
        for event, callback in (("pre_run_cell", self.before_cell), ("post_run_cell", self.after_cell)):
            # An earlier version of the program can't take its own hooks along.
            for known in list(shell.events.callbacks.get(event, ())):
                if type(getattr(known, "__self__", None)).__name__ == "History":
                    shell.events.unregister(event, known)
            shell.events.register(event, callback)

    def listen(self, listener):
        """Call a function after each cell, in the kernel's main thread. Return a function that ends that."""
        with self._lock:
            self._listeners.append(listener)

        def end():
            with self._lock:
                self._listeners = [one for one in self._listeners if one is not listener]

        return end

    def before_cell(self, info):
        try:
            cell, message = self._sent()
            if self._info is not None and message == self._message:
                # A cell that the running one runs.
                return
            self._info, self._message = info, message
            self._numbers += 1
            with self._lock:
                self._before = self._identities()
                self._running = Setter(cell, self._shell.execution_count, self._numbers)
        except Exception:
            # The cell runs even if nobody can tell what it has set.
            self._info = None

    def after_cell(self, result):
        try:
            if getattr(result, "info", None) is not self._info:
                return
            self._info = None
            with self._lock:
                self._add_changes()
                self._running = None
                self._before = {}
                listeners = list(self._listeners)
            for listener in listeners:
                listener()
        except Exception:
            return

    def is_running(self):
        """Return whether a cell runs."""
        return self._running is not None

    def setters(self):
        """Return the Setter of each variable for which it is known, with those of the running cell."""
        with self._lock:
            if self._running is not None:
                self._add_changes()
            return dict(self._setters)

    def _add_changes(self):
        now = self._identities()
        for name, identity in now.items():
            if self._running is not None and self._before.get(name) != identity:
                self._setters[name] = self._running
        if len(self._setters) > len(now):
            self._setters = {name: setter for name, setter in self._setters.items() if name in now}

    def _identities(self):
        return {name: id(value) for name, value in dict(self._shell.user_ns).items() if type(name) is str}

    def _sent(self):
        """Return the id of the cell and of the message that runs it."""
        kernel = getattr(self._shell, "kernel", None)
        parent = kernel.get_parent() if hasattr(kernel, "get_parent") else getattr(kernel, "_parent_header", {})
        cell = (parent.get("metadata") or {}).get("cellId")
        is_valid = isinstance(cell, str) and len(cell) <= MAX_ID_LENGTH
        return clean(cell) if is_valid else None, (parent.get("header") or {}).get("msg_id")
