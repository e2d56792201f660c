import types

import pytest

from companion.frames import requests as frames


class Wanted:
    """A request that nobody cancels."""

    def check(self):
        pass


class Explorer:
    """Calls the services as the editor does, with variables of its own."""

    def __init__(self, names):
        self.names = names
        self.context = Wanted()
        # Of each open frame, the view that was opened or prepared last.
        self.views = {}

    def open(self, expression="df", filters=(), sorting=(), search="", **source):
        view = {"filters": list(filters), "sorting": list(sorting), "search": search}
        source = source or {"expression": expression}
        opened = frames.open_frame(dict(source, view=view), self.context)
        self.views[opened["id"]] = view
        return opened

    def view(self, opened, filters=(), sorting=(), search=""):
        view = {"filters": list(filters), "sorting": list(sorting), "search": search}
        shown = frames.prepare_view({"id": opened["id"], "view": view}, self.context)["shown"]
        self.views[opened["id"]] = view
        return shown

    def parameters(self, opened, **others):
        """Parameters of a request for what is shown of a frame."""
        return dict(others, id=opened["id"], view=self.views[opened["id"]])

    def page(self, opened, start=0, stop=100, columns=(0, 100)):
        first, last = columns
        parameters = self.parameters(opened, start=start, stop=stop, firstColumn=first, lastColumn=last)
        return frames.read_page(parameters, self.context)

    def column(self, opened, index, **range_):
        return self.page(opened, columns=(index, index + 1), **range_)["cells"][0]

    def labels(self, opened):
        return self.page(opened)["labels"]

    def summary(self, opened, column):
        return frames.summarize(self.parameters(opened, column=column), self.context)

    def code(self, opened):
        return frames.code_of_view(self.parameters(opened), self.context)["code"]

    def result(self, opened):
        """The value of the last line of the view's code."""
        *lines, last = self.code(opened).strip().split("\n")
        scope = dict(self.names)
        exec("\n".join(lines), scope)
        return eval(last, scope)


@pytest.fixture
def explorer(monkeypatch):
    """A function that makes an explorer of these variables."""

    def make(**names):
        shell = types.SimpleNamespace(user_ns=names, user_ns_hidden={})
        monkeypatch.setattr(frames, "_shell", lambda: shell)
        return Explorer(names)

    return make
