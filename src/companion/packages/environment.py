"""The environment in which the program runs: what is installed in it, and what can change it."""

import importlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import sys

from ..protocol import ServiceError

MAX_PACKAGES = 5000
MAX_NAME_LENGTH = 200
MAX_TEXT_LENGTH = 500
MAX_PATH_LENGTH = 2000
MAX_CONFIGURATION_BYTES = 64 * 1024


def normalized(name):
    """Return a name as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def cut(value, length):
    """Return printable text of limited length; empty for what isn't text."""
    text = value if isinstance(value, str) else ""
    return "".join(character if character.isprintable() else " " for character in text[:length])


def distributions(context):
    """Return distributions and their metadata by normalized name. As for an import, the first on the path counts."""
    found = {}
    for distribution in importlib.metadata.distributions():
        context.check()
        try:
            metadata = distribution.metadata
            name = metadata.get("Name")
        except Exception:
            # Someone has damaged its files.
            continue
        if isinstance(name, str) and name:
            found.setdefault(normalized(name), (distribution, metadata))
        if len(found) >= MAX_PACKAGES:
            break
    return found


def file_of(distribution, name):
    """Return the text of a file of a distribution; empty if it can't be read."""
    try:
        return distribution.read_text(name) or ""
    except (OSError, ValueError):
        return ""


def has_pip():
    """Return whether this Python can run pip."""
    return importlib.util.find_spec("pip") is not None


def description():
    """Describe the environment: how to change it, and whether its owner wants that."""
    has_conda = os.path.isdir(os.path.join(sys.prefix, "conda-meta"))
    marker = os.path.join(os.path.dirname(os.__file__), "EXTERNALLY-MANAGED")
    return {
        "python": "%d.%d.%d" % sys.version_info[:3],
        "executable": sys.executable[:MAX_PATH_LENGTH],
        "prefix": sys.prefix[:MAX_PATH_LENGTH],
        "isWindows": os.name == "nt",
        "hasPip": has_pip(),
        "hasUv": shutil.which("uv") is not None,
        "isMadeByUv": _is_made_by_uv(),
        "conda": next((name for name in ("mamba", "conda") if has_conda and shutil.which(name)), None),
        "isManaged": sys.prefix == sys.base_prefix and os.path.exists(marker),
    }


def _is_made_by_uv():
    try:
        with open(os.path.join(sys.prefix, "pyvenv.cfg"), encoding="utf-8", errors="replace") as file:
            return re.search(r"^uv\b", file.read(MAX_CONFIGURATION_BYTES), re.MULTILINE) is not None
    except OSError:
        return False


def first_of(name, *modules):
    """Return what the first of the modules that can be imported has."""
    for module in modules:
        try:
            return getattr(importlib.import_module(module), name)
        except ImportError:
            continue
    raise ServiceError("missing", "The environment has none of these: %s." % ", ".join(modules))
