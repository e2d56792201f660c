"""Newer versions of packages, by pip's or uv's own list: it asks the index that the environment is configured for."""

import json
import shutil
import sys

from ..protocol import ServiceError, service
from .environment import MAX_NAME_LENGTH, MAX_PACKAGES, cut, has_pip
from .programs import output_of


@service("packages.updates", lane="packages.updates")
def list_updates(_parameters, context):
    """List the packages of which the index has a newer version."""
    if has_pip():
        command = [sys.executable, "-m", "pip", "--no-input", "--disable-pip-version-check", "list"]
    elif shutil.which("uv"):
        command = ["uv", "pip", "list", "--python", sys.executable]
    else:
        raise ServiceError("missing", "The environment has neither pip nor uv.")
    try:
        listed = json.loads(output_of([*command, "--outdated", "--format=json"], context))[:MAX_PACKAGES]
        pairs = [(row["name"], row["latest_version"]) for row in listed]
    except (ValueError, TypeError, KeyError) as error:
        raise ServiceError("invalid", "The list of newer versions can't be read.") from error
    return {"updates": [{"name": cut(name, MAX_NAME_LENGTH), "latest": cut(to, MAX_NAME_LENGTH)} for name, to in pairs]}
