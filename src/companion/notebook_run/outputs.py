"""The outputs of cells."""

import json

# Bytes of all outputs of a cell. More is left out, with a note, except for the last error.
MAX_OUTPUT_BYTES = 32_000_000
# Bytes of an error that is kept in spite of that. Of a longer one, the beginning and the end are kept.
MAX_ERROR_BYTES = 1_000_000


class Outputs:
    """The outputs of all cells, as a kernel's messages make them."""

    def __init__(self):
        self._displays = {}
        self.begin(None)

    def begin(self, cell):
        """Add what follows to a cell, whose outputs are empty."""
        self._cell = cell
        self._clears = False
        self._empty()

    def _empty(self):
        self._bytes = 0
        self._is_full = False
        self._has_late_error = False
        # Text that isn't in the last output yet: adding each part at once would copy all of it each time.
        self._parts = []

    def add(self, kind, content):
        """Apply a message from the kernel. Those without output are ignored. Call `settle` before reading the cell."""
        if kind == "clear_output":
            if content.get("wait"):
                self._clears = True
            else:
                self._clear()
        elif kind == "update_display_data":
            self._update(content)
        elif kind == "stream":
            self._stream(content.get("name", "stdout"), content.get("text", ""))
        elif kind in ("display_data", "execute_result"):
            output = {
                "output_type": kind,
                "data": content.get("data", {}),
                "metadata": content.get("metadata", {}),
            }
            if kind == "execute_result":
                output["execution_count"] = content.get("execution_count")
            size = _json_size(output)
            if self._fits(size):
                self._append(output)
                identifier = content.get("transient", {}).get("display_id")
                if identifier:
                    self._displays.setdefault(identifier, []).append([output, size])
        elif kind == "error":
            self._error(content)
        elif kind == "execute_input":
            self._cell["execution_count"] = content.get("execution_count")

    def settle(self):
        """Put all text into the outputs."""
        if self._parts:
            self._cell["outputs"][-1]["text"] += "".join(self._parts)
            self._parts = []

    def _clear(self):
        self._clears = False
        self._cell["outputs"] = []
        self._empty()

    def _append(self, output):
        self.settle()
        self._cell["outputs"].append(output)

    def _fits(self, size):
        """Return whether there is room for more bytes, which counts them. Adds a note if there isn't."""
        if self._clears:
            self._clear()
        if self._is_full:
            return False
        if self._bytes + size <= MAX_OUTPUT_BYTES:
            self._bytes += size
            return True
        self._is_full = True
        note = "\nThe rest of the output is left out: a cell of a run keeps %d MB.\n" % (MAX_OUTPUT_BYTES // 1_000_000)
        self._append({"output_type": "stream", "name": "stderr", "text": note})
        return False

    def _stream(self, name, text):
        if self._clears:
            self._clear()
        size = _text_size(text)
        room = MAX_OUTPUT_BYTES - self._bytes
        if size > room and not self._is_full:
            self._append_text(name, _first(text, room))
        if self._fits(size):
            self._append_text(name, text)

    def _append_text(self, name, text):
        outputs = self._cell["outputs"]
        last = outputs[-1] if outputs else {}
        if last.get("output_type") == "stream" and last.get("name") == name:
            self._parts.append(text)
        else:
            self._append({"output_type": "stream", "name": name, "text": text})

    def _update(self, content):
        """Replace the data of displays, also of earlier cells. Data that doesn't fit is left out."""
        data, metadata = content.get("data", {}), content.get("metadata", {})
        displays = self._displays.get(content.get("transient", {}).get("display_id"), [])
        size = _json_size([data, metadata]) if displays else 0
        for display in displays:
            output, before = display
            if size <= before:
                self._bytes = max(0, self._bytes - (before - size))
            elif not self._fits(size - before):
                continue
            output["data"], output["metadata"] = data, metadata
            display[1] = size

    def _error(self, content):
        """Add an error. If there is no room, it replaces an earlier one for which there was none."""
        names = ("ename", "evalue", "traceback")
        error = {
            "output_type": "error",
            **{name: content.get(name, [] if name == "traceback" else "") for name in names},
        }
        if self._fits(_json_size(error)):
            self._append(error)
            return
        if self._has_late_error:
            self._cell["outputs"].pop()
        self._has_late_error = True
        self._append(_short_error(error))


def _json_size(value):
    return len(json.dumps(value, default=str))


def _text_size(text):
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _first(text, size):
    return text.encode("utf-8", "surrogatepass")[:size].decode("utf-8", "ignore")


def _short_error(error):
    """Return an error that is no longer than allowed. The last frames of a traceback are next to the cause."""
    part = MAX_ERROR_BYTES // 4
    traceback = [str(line) for line in error["traceback"]]
    if sum(map(_text_size, traceback)) > 2 * part:
        text = "\n".join(traceback).encode("utf-8", "surrogatepass")
        beginning, end = (cut.decode("utf-8", "ignore") for cut in (text[:part], text[-part:]))
        traceback = [*beginning.split("\n"), "\x1b[0m", "...", "", *end.split("\n")]
    return {
        "output_type": "error",
        "ename": _first(str(error["ename"]), part),
        "evalue": _first(str(error["evalue"]), part),
        "traceback": traceback,
    }
