"""Programs such as pip, whose output is read."""

import os
import signal
import subprocess
import threading
import time

from ..protocol import Cancelled, ServiceError
from .environment import MAX_TEXT_LENGTH, cut

MAX_OUTPUT_BYTES = 4 * 1024 * 1024
# Seconds after which the index is no longer waited for.
MAX_SECONDS = 300.0
POLL_SECONDS = 0.1


def output_of(command, context):
    """Return what a program prints. The program ends if the request is cancelled."""
    texts = {}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as program:
        streams = (("output", program.stdout), ("errors", program.stderr))
        readers = [threading.Thread(target=_drain, args=(*one, texts), daemon=True) for one in streams]
        for reader in readers:
            reader.start()
        try:
            _wait(program, context)
        finally:
            if program.poll() is None:
                _end(program)
        for reader in readers:
            reader.join()
    if program.returncode != 0:
        lines = texts["errors"].strip().splitlines() or ["It ended with exit code %d." % program.returncode]
        errors = [line for line in lines if line.startswith(("ERROR", "error"))]
        raise ServiceError("failed", cut((errors or lines)[-1], MAX_TEXT_LENGTH))
    return texts["output"]


def _wait(program, context):
    end = time.monotonic() + MAX_SECONDS
    while program.poll() is None:
        if context.wait(POLL_SECONDS):
            raise Cancelled
        if time.monotonic() > end:
            raise ServiceError("slow", "The package index didn't answer in time.")


def _drain(name, stream, texts):
    data = stream.read(MAX_OUTPUT_BYTES)
    # The rest is read, too, because the program would wait otherwise.
    while stream.read(MAX_OUTPUT_BYTES):
        pass
    texts[name] = data.decode("utf-8", "replace")


def _end(program):
    """End a program and those that it has started."""
    try:
        os.killpg(program.pid, signal.SIGKILL)
    except (AttributeError, OSError):
        program.kill()
