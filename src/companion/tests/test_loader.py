"""The loader: what it does in which kernel."""

import binascii
import builtins
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion import loader, protocol

PROGRAM = Path(loader.__file__).parent
SOURCES = {
    ".".join(path.relative_to(PROGRAM).with_suffix("").parts): path.read_text()
    for path in PROGRAM.rglob("*.py")
    if path.stem != "loader" and path.relative_to(PROGRAM).parts[0] != "tests"
}


@pytest.fixture
def kernel(monkeypatch):
    fake = SimpleNamespace(control_handlers={}, session=None)
    monkeypatch.setattr(builtins, "get_ipython", lambda: SimpleNamespace(kernel=fake), raising=False)
    finders = list(sys.meta_path)
    yield fake
    sys.meta_path[:] = finders
    for name in [name for name in sys.modules if name.startswith(loader.PACKAGE)]:
        del sys.modules[name]


def install(digest, sources=SOURCES):
    return json.loads(binascii.unhexlify(loader.install(sources, digest)))


def test_installs_in_a_directory_that_no_longer_exists(kernel, tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert install("one")["state"] == "installed"


def test_installs_once_and_replaces_another_version(kernel):
    assert install("one")["state"] == "installed"
    first = kernel.control_handlers[protocol.REQUEST]
    assert install("one")["state"] == "present"
    assert kernel.control_handlers[protocol.REQUEST] is first
    assert install("two")["state"] == "installed"
    assert kernel.control_handlers[protocol.REQUEST] is not first
    assert sum(1 for one in sys.meta_path if getattr(one, "companion_package", None)) == 1


def test_reports_a_program_that_fails(kernel):
    status = install("one", {**SOURCES, "__init__": "raise OSError('no memory')"})
    assert status["state"] == "failed"
    assert status["reason"] == "OSError: no memory"
    assert kernel.control_handlers == {}


def test_refuses_an_old_python(kernel, monkeypatch):
    monkeypatch.setattr(loader, "MINIMUM_PYTHON", (99, 0))
    status = install("one")
    assert status["state"] == "oldPython"
    assert status["python"].startswith("3.")
    assert kernel.control_handlers == {}


def test_refuses_a_kernel_whose_control_channel_waits_for_nothing(kernel, monkeypatch):
    old = SimpleNamespace(version_info=(5, 5, 6), __version__="5.5.6")
    monkeypatch.setitem(sys.modules, "ipykernel", old)
    status = install("one")
    assert (status["state"], status["ipykernel"]) == ("oldKernel", "5.5.6")
    assert kernel.control_handlers == {}


def test_refuses_a_kernel_that_is_not_that_of_ipython(monkeypatch):
    monkeypatch.setattr(builtins, "get_ipython", lambda: SimpleNamespace(), raising=False)
    assert install("one")["state"] == "otherKernel"
