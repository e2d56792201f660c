"""The packages of environments that the tests fill with descriptions of packages, and of a real one."""

import sys
import threading

import pytest

from companion.packages import environment, programs, requests, requirements, updates
from companion.protocol import Cancelled, Context, ServiceError

# What reads requirements, before the tests replace the path: it stays imported.
environment.first_of("Requirement", "packaging.requirements", "pip._vendor.packaging.requirements")
if sys.version_info >= (3, 11):
    environment.first_of("loads", "tomllib")


class Listener:
    """What a context sends its pushes to."""

    def __init__(self):
        self.pushed = threading.Event()

    def push(self, _request_id, _value, _buffers):
        self.pushed.set()


@pytest.fixture
def context():
    return Context(Listener(), "1")


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A function that describes an installed package, in an environment that has no others."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder)])

    def install(name, version, metadata="", **files):
        described = folder / ("%s-%s.dist-info" % (name.replace("-", "_"), version))
        described.mkdir()
        text = "Metadata-Version: 2.1\nName: %s\nVersion: %s\n%s" % (name, version, metadata)
        (described / "METADATA").write_text(text, encoding="utf-8")
        for file, content in files.items():
            (described / file).write_text(content, encoding="utf-8")
        return described

    return install


def test_lists_packages_by_name(site, context):
    site("zeta", "1.0")
    site("Alpha_Beta", "2.1", "Summary: Counts things\n", INSTALLER="pip\n")
    listed = requests.list_packages({}, context)
    assert [(row["name"], row["version"]) for row in listed["packages"]] == [("Alpha_Beta", "2.1"), ("zeta", "1.0")]
    first = listed["packages"][0]
    assert (first["summary"], first["installer"], first["isDirect"]) == ("Counts things", "pip", False)
    assert listed["environment"]["executable"] == sys.executable


def test_bounds_what_is_hostile(site, context, monkeypatch):
    site("a", "1\u202e2", "Summary: %s\n" % ("x" * 10_000))
    broken = site("b", "1")
    (broken / "METADATA").write_bytes(b"\xff\xfe\x00")
    site("c", "1").joinpath("METADATA").unlink()
    row = requests.list_packages({}, context)["packages"][0]
    assert row["version"] == "1 2"
    assert len(row["summary"]) == environment.MAX_TEXT_LENGTH
    monkeypatch.setattr(environment, "MAX_PACKAGES", 1)
    assert len(requests.list_packages({}, context)["packages"]) == 1


def test_uses_the_first_of_two_versions(site, context, tmp_path, monkeypatch):
    site("demo", "2.0")
    other = tmp_path / "dist-packages"
    (other / "demo-1.0.dist-info").mkdir(parents=True)
    (other / "demo-1.0.dist-info" / "METADATA").write_text("Name: demo\nVersion: 1.0\n", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(other)])
    assert [row["version"] for row in requests.list_packages({}, context)["packages"]] == ["2.0"]


def test_reports_changes_once(site, context):
    listener = context._companion
    requests.watch({}, context)
    described = site("demo", "1.0")
    assert listener.pushed.wait(30)
    listener.pushed.clear()
    (described / "METADATA").unlink()
    described.rmdir()
    assert listener.pushed.wait(30)
    context.cancel()


def test_tells_imported_packages(site, context):
    site("imported", "1", **{"top_level.txt": "json\n"})
    site("recorded", "1", RECORD="json/__init__.py,,\nrecorded-1.dist-info/METADATA,,\n")
    site("other", "1", RECORD="never_imported.py,,\n")
    loaded = requests.list_loaded({"names": ["Imported", "recorded", "other", "missing"]}, context)
    assert loaded == {"names": ["imported", "recorded"]}


def test_describes_a_real_environment():
    described = environment.description()
    assert described["prefix"] == sys.prefix
    assert described["hasPip"] is True
    assert described["python"] == "%d.%d.%d" % sys.version_info[:3]


def test_knows_an_environment_of_uv_or_conda(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert environment.description()["isMadeByUv"] is False
    (tmp_path / "pyvenv.cfg").write_text("home = /usr/bin\nuv = 0.9.1\n", encoding="utf-8")
    (tmp_path / "conda-meta").mkdir()
    monkeypatch.setattr(environment.shutil, "which", lambda name: "/bin/conda" if name == "conda" else None)
    described = environment.description()
    assert (described["isMadeByUv"], described["conda"], described["hasUv"]) == (True, "conda", False)


def answer(monkeypatch, code):
    """Replace pip by a program."""
    monkeypatch.setattr(updates, "has_pip", lambda: False)
    monkeypatch.setattr(updates.shutil, "which", lambda _name: "uv")
    start = programs.subprocess.Popen
    monkeypatch.setattr(
        programs.subprocess, "Popen", lambda _command, **options: start([sys.executable, "-c", code], **options)
    )


def test_reads_newer_versions(context, monkeypatch):
    answer(monkeypatch, 'print(\'[{"name": "demo", "version": "1", "latest_version": "2"}]\')')
    assert updates.list_updates({}, context) == {"updates": [{"name": "demo", "latest": "2"}]}


@pytest.mark.parametrize(
    ("code", "kind", "message"),
    [
        ("import sys; sys.exit('WARNING: a\\nERROR: No index\\nhint')", "failed", "ERROR: No index"),
        ("import sys; sys.exit(3)", "failed", "It ended with exit code 3."),
        ("print('{}')", "invalid", "can't be read"),
        ("print('[1]')", "invalid", "can't be read"),
        ("print('not JSON')", "invalid", "can't be read"),
    ],
)
def test_says_why_there_are_no_newer_versions(context, monkeypatch, code, kind, message):
    answer(monkeypatch, code)
    with pytest.raises(ServiceError, match=message) as failure:
        updates.list_updates({}, context)
    assert failure.value.kind == kind


def test_ends_the_program_when_cancelled(context, monkeypatch):
    answer(monkeypatch, "import time; time.sleep(600)")
    threading.Timer(0.2, context.cancel).start()
    with pytest.raises(Cancelled):
        updates.list_updates({}, context)


def test_says_that_nothing_can_ask_the_index(context, monkeypatch):
    monkeypatch.setattr(updates, "has_pip", lambda: False)
    monkeypatch.setattr(updates.shutil, "which", lambda _name: None)
    with pytest.raises(ServiceError, match="neither pip nor uv"):
        updates.list_updates({}, context)


def states(text, context, kind="requirements"):
    compared = requirements.compare({"text": text, "kind": kind}, context)
    rows = [(row["text"], row["installed"], row["state"]) for row in compared["requirements"]]
    return rows, compared["skipped"]


TEXT = """# what we need
Demo[fast, more] >= 1.0 , < 3   # inline
demo==1.0 \\
  --hash=sha256:abc
new_one
demo; python_version < "3"
-r other.txt
--index-url https://example.com
local @ file:///tmp/local
"""


def test_compares_requirements(site, context):
    site("demo", "2.0")
    assert states(TEXT, context) == (
        [
            ("Demo[fast,more]<3,>=1.0", "2.0", "installed"),
            ("demo==1.0", "2.0", "other"),
            ("new_one", None, "missing"),
        ],
        ["-r other.txt", "--index-url https://example.com", "local @ file:///tmp/local"],
    )


@pytest.mark.skipif(sys.version_info < (3, 11), reason="older versions need a package that reads TOML")
def test_compares_a_project(site, context):
    site("demo", "2.0")
    text = '[project]\nname = "a"\ndependencies = ["demo>=3", "b"]\n[project.optional-dependencies]\nc = ["d"]\n'
    assert states(text, context, "pyproject") == ([("demo>=3", "2.0", "other"), ("b", None, "missing")], [])
    for invalid in ("[project", "[project]\nname = 'a'\n", "project = 3"):
        with pytest.raises(ServiceError, match="no list of dependencies"):
            states(invalid, context, "pyproject")
