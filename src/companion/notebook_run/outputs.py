"""The outputs of cells."""

import json

# Bytes of all outputs of a cell. More text is dropped, with a note.
MAX_OUTPUT_BYTES = 32_000_000


class Outputs:
    """The outputs of all cells, as a kernel's messages make them."""

    def __init__(self):
        self._cell = None
        self._bytes = 0
        self._is_full = False
        self._clears = False
        self._displays = {}

    def begin(self, cell):
        self._cell = cell
        self._bytes = 0
        self._is_full = False
        self._clears = False

    def add(self, kind, content):
        """Apply a message from the kernel. Those without output are ignored."""
        if kind == "clear_output":
            if content.get("wait"):
                self._clears = True
            else:
                self._clear()
        elif kind == "update_display_data":
            identifier = content.get("transient", {}).get("display_id")
            for output in self._displays.get(identifier, []):
                output["data"] = content.get("data", {})
                output["metadata"] = content.get("metadata", {})
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
            if self._append(output, len(json.dumps(output, default=str))):
                identifier = content.get("transient", {}).get("display_id")
                if identifier:
                    self._displays.setdefault(identifier, []).append(output)
        elif kind == "error":
            names = ("ename", "evalue", "traceback")
            output = {name: content.get(name, [] if name == "traceback" else "") for name in names}
            self._append({"output_type": "error", **output}, 0)
        elif kind == "execute_input":
            self._cell["execution_count"] = content.get("execution_count")

    def _clear(self):
        self._clears = False
        self._cell["outputs"] = []
        self._bytes = 0
        self._is_full = False

    def _fits(self, size):
        if self._clears:
            self._clear()
        if self._is_full:
            return False
        self._bytes += size
        if self._bytes <= MAX_OUTPUT_BYTES:
            return True
        self._is_full = True
        note = "\nThe rest of the output is left out: a cell of a run keeps %d MB.\n" % (MAX_OUTPUT_BYTES // 1_000_000)
        self._cell["outputs"].append({"output_type": "stream", "name": "stderr", "text": note})
        return False

    def _append(self, output, size):
        if not self._fits(size):
            return False
        self._cell["outputs"].append(output)
        return True

    def _stream(self, name, text):
        if not self._fits(len(text)):
            return
        outputs = self._cell["outputs"]
        last = outputs[-1] if outputs else {}
        if last.get("output_type") == "stream" and last.get("name") == name:
            last["text"] += text
        else:
            outputs.append({"output_type": "stream", "name": name, "text": text})
