"""Takes the place of IPython's shell: the variables, and the events of cells."""

from companion.variables import requests as variables
from companion.variables.members import list_members


class Events:
    def __init__(self):
        self.callbacks = {"pre_run_cell": [], "post_run_cell": []}

    def register(self, event, callback):
        self.callbacks[event].append(callback)

    def unregister(self, event, callback):
        self.callbacks[event].remove(callback)


class Info:
    pass


class Result:
    def __init__(self, info):
        self.info = info


class Kernel:
    def __init__(self):
        self.parent = {}

    def get_parent(self):
        return self.parent


class Shell:
    def __init__(self):
        self.user_ns = {"In": [""], "_": 1}
        self.user_ns_hidden = dict(self.user_ns)
        self.events = Events()
        self.kernel = Kernel()
        self.execution_count = 1

    def start(self, cell=None):
        """Begin a cell. Return what its end needs."""
        metadata = {} if cell is None else {"cellId": cell}
        self.kernel.parent = {"metadata": metadata, "header": {"msg_id": "message %d" % self.execution_count}}
        return self.begin()

    def begin(self):
        info = Info()
        for callback in self.events.callbacks["pre_run_cell"]:
            callback(info)
        return info

    def end(self, info):
        for callback in self.events.callbacks["post_run_cell"]:
            callback(Result(info))

    def run(self, code, cell=None):
        info = self.start(cell)
        exec(code, self.user_ns)
        self.user_ns_hidden["__builtins__"] = self.user_ns["__builtins__"]
        self.end(info)
        self.execution_count += 1


class Context:
    """A request that nobody cancels."""

    def check(self):
        return


def listed(offset=0, count=200, **options):
    parameters = {"filter": "", "sort": "name", "includesAll": False, "offset": offset, "count": count, **options}
    return variables.list_variables(parameters, Context())


def names(**options):
    return [row["label"] for row in listed(**options)["rows"]]


def row(name):
    (found,) = (one for one in listed(count=500)["rows"] if one["label"] == name)
    return found


def children(*steps, offset=0, count=100):
    path = [{"kind": kind, "at": at} for kind, at in steps]
    return variables.list_children({"path": path, "offset": offset, "count": count}, Context())


def text(*steps):
    path = [{"kind": kind, "at": at} for kind, at in steps]
    return variables.read_value({"path": path}, Context())


def members(expression, kind="attribute"):
    found = list_members({"expression": expression, "kind": kind}, Context())["members"]
    return {one["name"]: one["type"] for one in found}
