"""Lists the links of a folder, which the contents API of the server doesn't show."""

import os

from . import workspace
from .protocol import ServiceError, service

MAX_LINKS = 1000
MAX_ENTRIES = 500_000
MAX_DEPTH = 200


@service("workspace.links")
def links_of(parameters, context):
    """List the links of a folder, also below those that are followed, and say whether the folder itself is one."""
    folder = parameters["folder"]
    start = os.path.join(workspace.root(), folder)
    chosen = os.path.realpath(start)
    links = []
    entries = 0
    # Paths from the root, with the folders that they lead through.
    queue = [(folder, (chosen,))]
    while queue:
        path, above = queue.pop()
        if len(above) > MAX_DEPTH:
            raise ServiceError("tooMany", "The folders are nested too deep.")
        for entry in _entries_of(path):
            context.check()
            entries += 1
            if entries > MAX_ENTRIES or len(links) >= MAX_LINKS:
                raise ServiceError("tooMany", "The folder has too many items.")
            inner = path + "/" + entry.name if path else entry.name
            if entry.is_symlink():
                target = _target_of(inner, entry)
                if target is None:
                    continue
                is_directory = os.path.isdir(target)
                is_followed = _is_within(target, chosen) and target not in above
                links.append({"path": inner, "isDirectory": is_directory, "isFollowed": is_followed})
                if is_directory and is_followed:
                    queue.append((inner, (*above, target)))
            elif entry.is_dir(follow_symlinks=False):
                queue.append((inner, (*above, os.path.join(above[-1], entry.name))))
    return {"isLink": os.path.islink(start), "links": links}


def _entries_of(path):
    try:
        with os.scandir(os.path.join(workspace.root(), path)) as entries:
            yield from entries
    except OSError:
        # The server can't list the folder, either.
        return


def _target_of(path, entry):
    """Return where a link leads; None if its name isn't text, because the server doesn't list such names."""
    try:
        path.encode()
        return os.path.realpath(entry.path)
    except (OSError, ValueError):
        return None


def _is_within(path, folder):
    return path == folder or path.startswith(os.path.join(folder, ""))
