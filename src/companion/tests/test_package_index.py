"""The package index, with a server on this computer."""

import base64
import gzip
import http.server
import json
import threading

import pytest

from companion.packages import index, index_search
from companion.protocol import Cancelled, Context, ServiceError

JSON = "application/vnd.pypi.simple.v1+json"


@pytest.fixture
def context():
    return Context(None, "1")


class Server:
    """Serves bytes by path, and keeps what it was asked."""

    def __init__(self):
        self.pages = {}
        self.requests = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outer.requests.append((self.path, dict(self.headers)))
                status, headers, content = outer.pages.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.host = "127.0.0.1:%d" % self.server.server_port

    def add(self, path, content, kind=JSON, **headers):
        data = content if isinstance(content, bytes) else content.encode()
        self.pages[path] = (200, {"Content-Type": kind, **headers}, data)

    def add_names(self, *names, path="/simple/"):
        listed = {"meta": {"api-version": "1.0"}, "projects": [{"name": name} for name in names]}
        self.add(path, json.dumps(listed))


@pytest.fixture
def server(monkeypatch):
    served = Server()
    monkeypatch.setattr(index_search, "_names", None)
    monkeypatch.setenv("NETRC", "/dev/null")
    use(monkeypatch, "http://%s/simple" % served.host)
    yield served
    served.server.shutdown()
    served.server.server_close()


def use(monkeypatch, address, **options):
    monkeypatch.setattr(index_search, "configured", lambda _context: index.Indexes({"index-url": address, **options}))


def names(text, context):
    return index_search.search({"text": text}, context)["names"]


def test_finds_names_that_contain_a_text(server, context):
    server.add_names("Scikit.Learn", "scikit_image", "auto-scikit-learn", "learn", "relearn2", "other")
    expected = ["scikit-learn", "auto-scikit-learn"]
    found = index_search.search({"text": "SCIKIT learn"}, context)
    assert found == {"names": expected, "total": 2, "indexes": ["http://%s/simple/" % server.host]}
    assert names("learn", context) == ["learn", "scikit-learn", "auto-scikit-learn", "relearn2"]
    assert names("nothing", context) == []
    assert len(server.requests) == 1, "the names stay in memory"
    with pytest.raises(ServiceError):
        names("…", context)


def test_reads_an_index_without_json_and_one_that_is_compressed(server, context, monkeypatch):
    links = (
        "<html><a href='/simple/pen/'>Pen</a>\n<A  href='x'> ink-pot </A><a href='pencil/'>pencil/</a><a>no name</a>"
    )
    server.add("/simple/", links, kind="text/html")
    assert names("pen", context) == ["pen", "pencil"]
    assert names("ink", context) == ["ink-pot"]
    many = json.dumps({"projects": [{"_last-serial": 1, "name": "package-%d" % number} for number in range(50000)]})
    server.add("/other/", gzip.compress(many.encode()), **{"Content-Encoding": "gzip"})
    use(monkeypatch, "http://%s/other/" % server.host)
    found = index_search.search({"text": "package"}, context)
    assert (found["total"], len(found["names"])) == (50000, 200)
    assert names("package-49999", context) == ["package-49999"]


def test_searches_additional_indexes_once_each(server, context, monkeypatch):
    server.add_names("pen", "ink")
    server.add_names("pen", "pencil", path="/more/")
    address = "http://%s/" % server.host
    use(monkeypatch, address + "simple", **{"extra-index-url": "%smore %smore/" % (address, address)})
    found = index_search.search({"text": "pen"}, context)
    assert (found["names"], found["total"]) == (["pen", "pencil"], 2)


@pytest.mark.parametrize("limit", ["MAX_INDEX_BYTES", "MAX_NAMES_BYTES"])
def test_refuses_an_index_that_is_too_large(server, context, monkeypatch, limit):
    monkeypatch.setattr(index_search, limit, 1000)
    server.add_names(*("package-%d" % number for number in range(1000)))
    with pytest.raises(ServiceError) as failure:
        names("package", context)
    assert failure.value.kind == "tooLarge"


def test_does_not_unpack_a_bomb_at_once(server, context, monkeypatch):
    monkeypatch.setattr(index_search, "MAX_INDEX_BYTES", 5_000_000)
    server.add("/simple/", gzip.compress(bytes(50_000_000)), **{"Content-Encoding": "gzip"})
    with pytest.raises(ServiceError) as failure:
        names("package", context)
    assert failure.value.kind == "tooLarge"


def test_stops_when_cancelled(server, context):
    server.add_names("pen")
    context.cancel()
    with pytest.raises(Cancelled):
        names("pen", context)


def test_says_why_an_index_has_no_answer(server, context, monkeypatch):
    with pytest.raises(ServiceError, match="/simple/ responded with 404"):
        names("pen", context)
    use(monkeypatch, "http://user:secret@127.0.0.1:9/simple")
    with pytest.raises(ServiceError, match="^http://127.0.0.1:9/simple/ can't be reached: ") as failure:
        names("pen", context)
    assert "secret" not in str(failure.value)
    for address in ("file:///srv/index", "ftp://127.0.0.1/simple"):
        use(monkeypatch, address)
        with pytest.raises(ServiceError, match="isn't on the web"):
            names("pen", context)
    with pytest.raises(ServiceError, match="no package index"):
        index.Indexes({"no-index": "1"})


def test_sends_the_credential_to_the_index_alone(server, context, monkeypatch):
    other = Server()
    other.add_names("pen", path="/elsewhere/")
    server.pages["/simple/"] = (302, {"Location": "http://%s/elsewhere/" % other.host}, b"")
    use(monkeypatch, "http://us%%40er:secret@%s/simple" % server.host)
    found = index_search.search({"text": "pen"}, context)
    assert (found["names"], found["indexes"]) == (["pen"], ["http://%s/simple/" % server.host])
    sent = [headers.get("Authorization") for _, headers in [*server.requests, *other.requests]]
    assert sent == ["Basic " + base64.b64encode(b"us@er:secret").decode(), None]
    other.server.shutdown()
    other.server.server_close()


def file(name, **more):
    return {"filename": name, "url": "../../files/" + name, "hashes": {}, **more}


def test_describes_what_can_be_installed(server, context):
    files = [
        file("pen-1.0.tar.gz"),
        file("pen-1.10-py3-none-any.whl", **{"core-metadata": True}),
        file("pen-1.9-py3-none-any.whl"),
        file("pen-2.0rc1-py3-none-any.whl"),
        file("pen-3.0-py3-none-any.whl", yanked="broken"),
        file("pen-4.0-py3-none-any.whl", **{"requires-python": ">=99"}),
        file("pen-5.0-cp27-none-plan9.whl"),
        file("ink-6.0-py3-none-any.whl"),
        file("not a file"),
        {"filename": 7},
        None,
    ]
    server.add("/simple/pen/", json.dumps({"name": "pen", "files": files}))
    server.add("/files/pen-1.10-py3-none-any.whl.metadata", "Metadata-Version: 2.1\nSummary: Writes\x1b lines\n\nmore")
    assert index_search.describe({"name": "Pen"}, context) == {
        "name": "pen",
        "versions": ["2.0rc1", "1.10", "1.9", "1.0"],
        "newest": "1.10",
        "summary": "Writes  lines",
    }


def test_describes_a_package_of_an_index_without_json(server, context):
    page = "<a href='/f/pen-1.0.tar.gz#sha256=0'>pen</a><a href='pen-2.0.tar.gz' data-yanked=''>x</a>"
    server.add("/simple/pen/", page, kind="text/html")
    described = index_search.describe({"name": "pen"}, context)
    assert (described["versions"], described["newest"], described["summary"]) == (["1.0"], "1.0", "")


def test_describes_no_package_that_is_not_there(server, context):
    for name, kind in (("pen", "notFound"), ("../etc", "invalid"), ("", "invalid")):
        with pytest.raises(ServiceError) as failure:
            index_search.describe({"name": name}, context)
        assert failure.value.kind == kind
    server.add("/simple/pen/", "[" * 100_000)
    with pytest.raises(ServiceError) as failure:
        index_search.describe({"name": "pen"}, context)
    assert failure.value.kind == "failed"


def test_reads_the_options_of_pip():
    listed = "\n".join(
        [
            "global.index-url='https://example.com/a'",
            "global.extra-index-url='\\nhttps://example.com/b\\nhttps://example.com/c'",
            "install.trusted-host='example.com'",
            ":env:.index-url='https://example.com/d'",
            "install.index-url='https://example.com/e'",
            "download.index-url='https://example.com/f'",
            "global.cert=__import__('os')",
            "no option",
        ]
    )
    assert index._options(listed) == {
        "index-url": "https://example.com/d",
        "extra-index-url": "\nhttps://example.com/b\nhttps://example.com/c",
        "trusted-host": "example.com",
    }
    addresses = index.Indexes(index._options(listed)).addresses
    assert addresses == ["https://example.com/d/", "https://example.com/b/", "https://example.com/c/"]


def test_asks_pip_itself(context, monkeypatch):
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/pip")
    monkeypatch.setenv("PIP_NO_INDEX", "0")
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/uv")
    assert index.configured(context).addresses[0] == "http://127.0.0.1:9/pip/"
    monkeypatch.setattr(index, "has_pip", lambda: False)
    assert index.configured(context).addresses[0] == "http://127.0.0.1:9/uv/"
