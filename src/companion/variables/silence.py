"""Drops what the code of values prints and displays. Otherwise, the cell that ran last would show it."""

import contextlib
import sys
import threading

_local = threading.local()
_lock = threading.Lock()
# The threads that were silenced. Those that were abandoned may still print.
_threads = []
# The streams whose `write` is replaced, with their own attribute of that name, if they had one.
_replaced = []


@contextlib.contextmanager
def silence():
    """Drop all output of this thread. The streams have a method of their own again when no such thread is left."""
    _local.is_silent = True
    with _lock:
        if not _replaced:
            for stream in {id(one): one for one in (sys.stdout, sys.stderr)}.values():
                _replace(stream)
        _threads.append(threading.current_thread())
    _silence_displays()
    try:
        yield
    finally:
        with _lock:
            _threads[:] = [one for one in _threads if one.is_alive() and one is not threading.current_thread()]
            if not _threads:
                _restore()


def _replace(stream):
    try:
        own = vars(stream).get("write")
        write = stream.write

        def write_unless_silent(text, *others):
            return len(text) if getattr(_local, "is_silent", False) else write(text, *others)

        stream.write = write_unless_silent
        _replaced.append((stream, own, write_unless_silent))
    except Exception:
        # A stream that can't be changed shows the output.
        return


def _restore():
    while _replaced:
        stream, own, ours = _replaced.pop()
        if vars(stream).get("write") is not ours:
            continue
        if own is None:
            del stream.write
        else:
            stream.write = own


def _silence_displays():
    """Drop what the thread displays. The hooks of IPython's publisher are those of a thread."""
    try:
        from IPython.core.getipython import get_ipython

        get_ipython().display_pub.register_hook(lambda _message: None)
    except Exception:
        # There is no kernel, or one with another publisher.
        return
