"""The workspace's files as the companion sees them."""

import os

from .protocol import service


def _start():
    try:
        return os.getcwd()
    except OSError:
        # A cell of a notebook has deleted the directory. Its variables don't need any.
        return os.curdir


# The companion's kernel starts in the root of the content server.
_root = _start()
MAX_NAMES = 200


def root():
    """Return the path of the workspace's root on the server."""
    return _root


@service("workspace.compare")
def compare(parameters, _context):
    """Count the names in the root, to find out whether the companion sees the content server's files."""
    names = parameters["names"][:MAX_NAMES]
    return {"present": sum(1 for name in names if os.path.lexists(os.path.join(_root, name)))}
