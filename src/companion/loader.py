"""Loads the companion's modules from their sources in memory. Its own source runs first, in the kernel's namespace."""

import binascii
import json
import sys

PACKAGE = "platform_workbench_companion"
MINIMUM_PYTHON = (3, 8)
# The control channel of earlier ones doesn't wait for handlers, so that no request would get a reply.
MINIMUM_IPYKERNEL = (6,)


def install(sources, digest):
    """Install the companion unless it is there with the same digest. A companion with another digest is replaced.

    `sources`: source text by module name in the package, in which `__init__` is the package itself and `a.__init__` a
    package in it. Returns the state as JSON in hexadecimal digits, which no display of a value changes.
    """
    status = {"python": "%d.%d.%d" % sys.version_info[:3]}
    try:
        status["ipykernel"] = _version_of_ipykernel()
        status["state"] = _install(sources, digest)
    except Exception as error:
        status.update(state="failed", reason=("%s: %s" % (type(error).__name__, error))[:500])
    return binascii.hexlify(json.dumps(status).encode()).decode()


def _version_of_ipykernel():
    return str(getattr(sys.modules.get("ipykernel"), "__version__", ""))[:40]


def _install(sources, digest):
    if sys.version_info < MINIMUM_PYTHON:
        return "oldPython"
    try:
        kernel = get_ipython().kernel  # noqa: F821 - a builtin of IPython
        handlers = kernel.control_handlers
    except (NameError, AttributeError):
        return "otherKernel"
    if getattr(sys.modules.get("ipykernel"), "version_info", MINIMUM_IPYKERNEL) < MINIMUM_IPYKERNEL:
        return "oldKernel"
    known = sys.modules.get(PACKAGE)
    if known is not None and getattr(known, "DIGEST", None) == digest:
        return "present"
    if known is not None:
        sys.modules[PACKAGE + ".protocol"].stop(handlers)
        for name in [name for name in sys.modules if name == PACKAGE or name.startswith(PACKAGE + ".")]:
            del sys.modules[name]
    add_package(PACKAGE, sources)
    import importlib

    package = importlib.import_module(PACKAGE)
    package.DIGEST = digest
    protocol = importlib.import_module(PACKAGE + ".protocol")
    for name in package.SERVICES:
        importlib.import_module("%s.%s" % (PACKAGE, name))
    protocol.start(kernel)
    return "installed"


def add_package(package, sources):
    """Make a package importable. `sources`: like those of `install`. Another one with this name is replaced."""
    import importlib.abc
    import importlib.util

    class SourceFinder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
        companion_package = package

        def find_spec(self, fullname, path=None, target=None):
            if fullname != package and not fullname.startswith(package + "."):
                return None
            if self.name_of(fullname) not in sources:
                return None
            return importlib.util.spec_from_loader(fullname, self, is_package=self.is_package(fullname))

        def get_source(self, fullname):
            return sources[self.name_of(fullname)]

        def is_package(self, fullname):
            return self.name_of(fullname).endswith("__init__")

        def name_of(self, fullname):
            name = fullname[len(package) + 1 :]
            initial = (name + ".__init__").lstrip(".")
            return initial if initial in sources else name

    sys.meta_path[:] = [one for one in sys.meta_path if getattr(one, "companion_package", None) != package]
    sys.meta_path.insert(0, SourceFinder())
