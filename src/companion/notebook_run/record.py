"""The executed notebook on disk, which is the only record of a run."""

import json
import os
import shutil
import time
import zlib

from .preparation import RunError

# Writing a large notebook may take at most this share of the time.
WRITING_SHARE = 0.05


class Record:
    """The executed notebook on disk."""

    def __init__(self, notebook, target, before_write=lambda: None):
        self.notebook = notebook
        self._before_write = before_write
        self._target = target
        self._written_at = 0.0
        self._takes = 0.0
        self._is_behind = False

    def create(self):
        """Write it for the first time. Raises a RunError if there is such a file."""
        try:
            os.close(os.open(self._target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        except FileExistsError as error:
            raise RunError("%s exists already" % self._target) from error
        try:
            self.write()
        except BaseException:
            # An empty notebook would look like one of a run.
            os.unlink(self._target)
            raise

    def write_soon(self):
        """Replace the file now, or with a later `catch_up` if it was written shortly before."""
        self._is_behind = True
        self.catch_up()

    def catch_up(self):
        """Replace the file if that is due. A large one is replaced less often."""
        if self._is_behind and time.monotonic() - self._written_at >= self._takes / WRITING_SHARE:
            self.write()

    def write(self):
        """Replace the file as a whole."""
        started = time.monotonic()
        self._before_write()
        # No longer than any name that the file can have.
        name = ".run-%08x.part" % zlib.crc32(os.path.basename(self._target).encode("utf-8", "surrogateescape"))
        part = os.path.join(os.path.dirname(self._target), name)
        try:
            # A half of a pair of surrogates, as in a cut emoji, becomes an escape sequence of JSON.
            with open(part, "w", encoding="utf-8", errors="backslashreplace") as file:
                json.dump(self.notebook, file, indent=1, ensure_ascii=False, default=str)
                file.write("\n")
            shutil.copymode(self._target, part)
            os.replace(part, self._target)
        finally:
            if os.path.exists(part):
                os.unlink(part)
        self._written_at = time.monotonic()
        self._takes = self._written_at - started
        self._is_behind = False
