"""Stops the code of another thread."""

import ctypes


class Stopped(BaseException):
    """The work was stopped. No `except Exception` of a library catches it."""


def raise_in(thread, error):
    """Raise an exception in a thread, by its identifier, with its next instruction in Python. None withdraws it."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(error) if error is not None else None
    )
