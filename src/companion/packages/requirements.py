"""What requirements.txt and pyproject.toml ask for, compared with what is installed."""

import re

from ..protocol import ServiceError, service
from .environment import MAX_NAME_LENGTH, MAX_PACKAGES, MAX_TEXT_LENGTH, cut, distributions, first_of, normalized


@service("packages.compare")
def compare(parameters, context):
    """Compare the requirements of a file. Those that are not for this system or this Python are left out."""
    is_project = parameters["kind"] == "pyproject"
    lines = _of_project(parameters["text"]) if is_project else _of_text(parameters["text"])
    parse = first_of("Requirement", "packaging.requirements", "pip._vendor.packaging.requirements")
    installed = distributions(context)
    rows, skipped = [], []
    for line in lines[:MAX_PACKAGES]:
        try:
            requirement = parse(line)
            if requirement.url is not None:
                raise ValueError("It has an address instead of a version.")
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                rows.append(_row(requirement, installed.get(normalized(requirement.name))))
        except ValueError:
            skipped.append(cut(line, MAX_NAME_LENGTH))
    return {"requirements": rows, "skipped": skipped}


def _row(requirement, found):
    version = None if found is None else cut(found[1].get("Version"), MAX_NAME_LENGTH)
    extras = "[%s]" % ",".join(sorted(requirement.extras)) if requirement.extras else ""
    if version is None:
        state = "missing"
    else:
        state = "installed" if requirement.specifier.contains(version, prereleases=True) else "other"
    text = requirement.name + extras + str(requirement.specifier)
    return {"text": cut(text, MAX_TEXT_LENGTH), "installed": version, "state": state}


def _of_text(text):
    """Return the lines of a requirements.txt. Options such as `-r` are among them, and are no requirements."""
    joined = re.sub(r"\\\r?\n", " ", text)
    lines = [re.sub(r"(?:^|\s)#.*", "", line).strip() for line in joined.splitlines()]
    return [line.split(" --hash", 1)[0].strip() for line in lines if line]


def _of_project(text):
    """Return the dependencies of a pyproject.toml, without the optional ones."""
    try:
        dependencies = first_of("loads", "tomllib", "tomli", "pip._vendor.tomli")(text)["project"]["dependencies"]
    except (ValueError, KeyError, TypeError) as error:
        raise ServiceError("invalid", "It has no list of dependencies in [project].") from error
    return [line for line in dependencies if isinstance(line, str)] if isinstance(dependencies, list) else []
