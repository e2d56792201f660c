"""Lists of packages: the installed ones, those that a kernel has imported, and reports of changes."""

import os
import sys
import threading

from ..protocol import service, subscription
from .environment import MAX_NAME_LENGTH, MAX_TEXT_LENGTH, cut, description, distributions, file_of, normalized

MAX_CHANGED = 500
INTERVAL_SECONDS = 1.0


@service("packages.list")
def list_packages(_parameters, context):
    """List the installed packages, and describe their environment."""
    found = distributions(context)
    rows = [_row(*found[name]) for name in sorted(found)]
    return {"packages": rows, "environment": description()}


def _row(distribution, metadata):
    return {
        "name": cut(metadata.get("Name"), MAX_NAME_LENGTH),
        "version": cut(metadata.get("Version"), MAX_NAME_LENGTH),
        "summary": cut(metadata.get("Summary"), MAX_TEXT_LENGTH),
        "installer": cut(file_of(distribution, "INSTALLER").strip(), MAX_NAME_LENGTH),
        # From a folder, a file, or an address: an index may not have it.
        "isDirect": file_of(distribution, "direct_url.json") != "",
    }


@service("packages.loaded")
def list_loaded(parameters, context):
    """List those of the packages whose modules this kernel has imported: it uses another version after a restart."""
    found = distributions(context)
    names = [normalized(name) for name in parameters["names"][:MAX_CHANGED]]
    return {"names": [name for name in names if name in found and _is_loaded(found[name][0])]}


def _is_loaded(distribution):
    declared = file_of(distribution, "top_level.txt").split()
    lines = [] if declared else file_of(distribution, "RECORD").splitlines()
    modules = declared or {line.split("/", 1)[0].split(".", 1)[0] for line in lines if ".py," in line}
    return any(module in sys.modules for module in modules)


@subscription("packages.watch")
def watch(_parameters, context):
    """Report that packages were installed or removed, by whatever."""
    threading.Thread(target=_watch, args=(_installed(), context), daemon=True).start()
    return {}


def _watch(known, context):
    while not context.wait(INTERVAL_SECONDS):
        seen = _installed()
        if seen != known:
            known = seen
            context.push({})


def _installed():
    """Return the folders that describe what is installed. Their names have the versions."""
    found = []
    for folder in list(sys.path):
        if os.path.basename(folder) in ("site-packages", "dist-packages"):
            try:
                names = sorted(os.listdir(folder))
            except OSError:
                continue
            found.extend((folder, name) for name in names if name.endswith((".dist-info", ".egg-info", ".egg-link")))
    return found
