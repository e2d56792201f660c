"""Scripts of jedi for documents of the editor. Used by one thread at a time."""

import collections
import contextlib
import gc
import os
import sys

from .. import workspace
from ..interruption import Stopped
from ..protocol import Cancelled, ServiceError
from . import unsaved
from .document import Document, InvalidDocument
from .turns import BACKGROUND, Turns

MAX_PATH_LENGTH = 4096
# Scripts that were used last, so that the details of a completion don't repeat its work.
_MAX_SCRIPTS = 4
# New objects until Python looks for garbage among them, and how often it does that before it looks at older ones.
_COLLECTION_THRESHOLDS = (50000, 50, 50)

turns = Turns()
_scripts = collections.OrderedDict()
_environment = None
_has_jedi = False


class Request:
    """What most requests have: a document, its path on the server, and jedi's script of it."""

    def __init__(self, parameters):
        document = parameters["document"]
        path = document["path"]
        if not isinstance(path, str) or len(path) > MAX_PATH_LENGTH or "\0" in path:
            raise ServiceError("invalid", "The document has no path.")
        self.is_library = document["kind"] == "library"
        self.path = path if self.is_library else os.path.join(workspace.root(), *path.split("/"))
        self.unsaved = {name: text for name, text in unsaved.texts_of(parameters).items() if name != self.path}
        try:
            self.document = Document(document["cells"], document["kind"] == "notebook")
            self.position = None
            if "position" in parameters:
                self.position = self.document.script_position(parameters["position"])
        except InvalidDocument as error:
            raise ServiceError("invalid", str(error)) from error

    def script(self):
        """Return jedi's script of the document's text."""
        return script_of(self.path, self.document.source, self.unsaved)

    def run(self, work, operation, rank, context):
        """Return what `work()` returns when it is this request's turn."""
        try:
            return turns.run(lambda: self._work(work), (operation, self.path), rank, context)
        except Stopped:
            raise Cancelled from None
        except RecursionError as error:
            raise ServiceError("failed", "The code is nested too deeply.") from error

    def _work(self, work):
        try:
            unsaved.use(self.unsaved)
            try:
                return work()
            except KeyError:
                # A script refers to a tree that parso has dropped: after ten minutes, or because of an unsaved text.
                self._drop()
                return work()
        except (Stopped, RecursionError):
            # It may have left its caches half-filled. Later, they would be those of the next request.
            self._drop()
            raise

    def _drop(self):
        while True:
            try:
                _drop(self.path)
                return
            except Stopped:
                # It is stopped again as long as others wait.
                continue

    def run_until_done(self, work, operation, context):
        """Do background work, again after each request that interrupted it. Files that were parsed stay cached."""
        while True:
            context.check()
            try:
                return self.run(work, operation, BACKGROUND, context)
            except Cancelled:
                context.check()


def script_of(path, source, texts=None):
    """Return jedi's script. There is one per path, because scripts of the same path share a tree.

    It is used again unless a file of the workspace that it has read was changed.
    """
    known = _scripts.pop(path, None)
    if known is None or known[:2] != (source, texts or {}) or not _are_unchanged(known[2]):
        known = (source, texts or {}, *_new_script(path, source))
    _scripts[path] = known
    while len(_scripts) > _MAX_SCRIPTS:
        _scripts.popitem(last=False)
    return known[3]


def _new_script(path, source):
    """Return the times of the workspace's files that the script reads, and the script."""
    script = _jedi().Script(source, path=path, project=_project(), environment=_environment_of_kernel())
    state, times = script._inference_state, {}
    parse_file = state.parse_and_get_code

    def parse(file_io=None, **named):
        name = "" if file_io is None else str(file_io.path)
        if is_in_workspace(name):
            times[name] = _time_of(name)
        return unsaved.parse(parse_file, file_io, named)

    state.parse_and_get_code = parse
    return times, script


def _are_unchanged(times):
    return all(_time_of(name) == time for name, time in times.items())


def _time_of(name):
    try:
        return os.stat(name).st_mtime_ns
    except OSError:
        return None


def _jedi():
    global _has_jedi
    try:
        import jedi
    except ImportError as error:
        raise ServiceError("missing", "The workspace's Python environment has no jedi.") from error
    if not _has_jedi:
        _has_jedi = True
        # The trees of a library are a million objects that stay. Python would look at all of them again and again while
        # they are loaded, which takes as long as the loading itself.
        gc.set_threshold(*_COLLECTION_THRESHOLDS)
    return jedi


def _project():
    return _jedi().Project(workspace.root())


def _environment_of_kernel():
    """Return this process's own environment: a search for others would start processes."""
    global _environment
    if _environment is None:
        from jedi.api.environment import InterpreterEnvironment

        _environment = InterpreterEnvironment()
    return _environment


def _drop(path):
    _scripts.clear()
    # The tree of the document is changed in place while it is parsed again. Trees of other files are not.
    with contextlib.suppress(Exception):
        from parso.cache import parser_cache

        for trees in parser_cache.values():
            for cached in [one for one in trees if str(one) == path]:
                trees.pop(cached, None)


def is_in_workspace(path):
    """Return whether a file is in the workspace's root, and not in an environment there."""
    root = os.path.join(os.path.realpath(workspace.root()), "")
    real = os.path.realpath(path)
    if not real.startswith(root):
        return False
    parts = real[len(root) :].split(os.sep)
    return "site-packages" not in parts and "dist-packages" not in parts


def content_path(path):
    """Return the path of a file from the workspace's root, as the contents API has it."""
    return os.path.relpath(os.path.realpath(path), os.path.realpath(workspace.root())).replace(os.sep, "/")


def library_folders():
    """Return the folders that library sources can be read from."""
    folders = [entry for entry in sys.path if entry and os.path.isabs(entry)]
    with contextlib.suppress(ImportError):
        import jedi

        folders.append(os.path.join(os.path.dirname(jedi.__file__), "third_party"))
    real = [os.path.realpath(folder) for folder in folders]
    return [folder for folder in real if os.path.isdir(folder) and folder != os.path.dirname(folder)]
