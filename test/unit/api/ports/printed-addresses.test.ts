import assert from "node:assert/strict";
import { AddressScanner, localUrlsIn } from "../../../../src/api/ports/printed-addresses.ts";

describe("URLs of the workspace itself in a text", () => {
  const found = (text: string): readonly string[] =>
    localUrlsIn(text).map(({ start, length, port }) => `${port} ${text.slice(start, start + length)}`);

  it("are found as web frameworks print them", () => {
    assert.deepEqual(found("  Local URL: http://localhost:8501"), ["8501 http://localhost:8501"]);
    assert.deepEqual(found("Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ..."), [
      "8000 http://0.0.0.0:8000/",
    ]);
    assert.deepEqual(found("INFO: Uvicorn running on https://[::1]:8443 (Press CTRL+C to quit)"), [
      "8443 https://[::1]:8443",
    ]);
    assert.deepEqual(found("See http://127.0.0.1:8888/lab?token=ab%20c&x=1#top. Or 'http://LOCALHOST:80/a'."), [
      "8888 http://127.0.0.1:8888/lab?token=ab%20c&x=1#top",
      "80 http://LOCALHOST:80/a",
    ]);
  });

  it("are not those of other machines, or without a port", () => {
    for (const text of [
      "http://10.0.0.5:8501",
      "http://localhost.example.com:80",
      "http://localhost",
      "http://localhost:0",
      "http://localhost:65536",
      "http://localhost:123456",
      "http://evil.example@localhost:80",
      "xhttp://localhost:80",
      "tcp://127.0.0.1:8786",
    ]) {
      assert.deepEqual(found(text), [], text);
    }
  });

  it("are few, even in a hostile text", () => {
    assert.equal(localUrlsIn("http://localhost:1 ".repeat(100_000)).length, 20);
    assert.equal(localUrlsIn(`http://localhost:1/${"?".repeat(1_000_000)}`).length, 1);
    assert.equal(localUrlsIn(`http://localhost:1${"/.,;:!".repeat(200_000)}`).length, 1);
    assert.equal(localUrlsIn("http://".repeat(100_000)).length, 0);
  });
});

describe("the output of a kernel or terminal", () => {
  const taken = (scanner: AddressScanner, text: string, isWhole = false): readonly string[] =>
    scanner.take(text, { isWhole }).map(({ port, url, isAnnounced }) => {
      return `${isAnnounced ? "" : "maybe "}${port} ${url?.href}`;
    });

  it("announces apps in the words of their frameworks", () => {
    for (const line of [
      "  Local URL: http://localhost:8501",
      " * Running on http://127.0.0.1:8501",
      "Dash is running on http://127.0.0.1:8501/",
      "* Running on local URL:  http://127.0.0.1:8501",
      "Bokeh app running at: http://localhost:8501/app",
      "TensorBoard 2.18.0 at http://localhost:8501/ (Press CTRL+C to quit)",
      "[2026-01-01 10:00:00 +0000] [7] [INFO] Listening at: http://127.0.0.1:8501 (7)",
      "INFO:     Uvicorn running on http://0.0.0.0:8501 (Press CTRL+C to quit)",
      "Starting development server at http://127.0.0.1:8501/",
      "  ➜  Local:   http://localhost:8501/",
      "  - Local:        http://localhost:8501",
      "Check out the dashboard at http://127.0.0.1:8501",
      "Serving HTTP on 0.0.0.0 port 8501 (http://0.0.0.0:8501/) ...",
      "http://localhost:8501/",
      "'http://127.0.0.1:8501/status'",
      "Open http://localhost:8501 in a browser",
    ]) {
      assert.match(taken(new AddressScanner(), `${line}\n`).join(), /^8501 http:/, line);
    }
  });

  it("doesn't announce addresses of something else", () => {
    for (const line of [
      "Looking in indexes: http://127.0.0.1:8501/simple",
      "Looking in indexes: https://example.com/simple, http://127.0.0.1:8501/root/pypi/+simple/",
      "Looking in links: http://localhost:8501/wheels",
      "http://127.0.0.1:8501/simple/",
      "  - http://localhost:8501/channel/noarch",
      "  Downloading http://127.0.0.1:8501/packages/aa_demo-1.0-py3-none-any.whl (1 kB)",
      "$ pip install --index-url http://127.0.0.1:8501/pypi aa-demo",
      "user@host:~$ curl http://localhost:8501/api",
      "PIP_INDEX_URL=http://127.0.0.1:8501/",
      "  'HTTP_PROXY': 'http://127.0.0.1:8501'",
      "clickhouse+http://localhost:8501/sales",
      "jdbc:clickhouse:http://localhost:8501/sales",
      "postgresql://localhost:8501/sales",
      'HTTP Request: GET http://127.0.0.1:8501/api/tags "HTTP/1.1 200 OK"',
      "Connecting to http://localhost:8501 ...",
      "ConnectError: [Errno 111] Connection refused: http://localhost:8501/",
      "Could not connect to server at http://localhost:8501",
      "WARNING: Retrying after connection broken, http://127.0.0.1:8501/",
      "http://localhost:8501/?token=abc :: /srv/work",
      "[I 2026-01-01 10:00:00.000 ServerApp] http://localhost:8501/lab?token=abc",
      "    or http://127.0.0.1:8501/tree?token=abc",
    ]) {
      const scanner = new AddressScanner();
      assert.deepEqual(taken(scanner, `${line}\n`), [], line);
      assert.deepEqual(taken(scanner, "Running on http://localhost:8501\n"), ["8501 http://localhost:8501/"], line);
    }
  });

  it("may only mention a URL, and announce it later", () => {
    const scanner = new AddressScanner();
    assert.deepEqual(taken(scanner, "{'url': 'http://localhost:8501/'}", true), ["maybe 8501 http://localhost:8501/"]);
    assert.deepEqual(taken(scanner, "{'url': 'http://localhost:8501/'}", true), []);
    assert.deepEqual(taken(scanner, "Local URL: http://localhost:8501/app\n"), ["8501 http://localhost:8501/app"]);
  });

  it("has no addresses in tracebacks, also if they arrive in chunks", () => {
    const scanner = new AddressScanner();
    assert.deepEqual(taken(scanner, 'Traceback (most recent call last):\n  File "app.py", line 1, in <module>\n'), []);
    assert.deepEqual(taken(scanner, '    requests.get("http://localhost:8501/")\n\n  http://localhost:8501\n'), []);
    assert.deepEqual(taken(scanner, "app.Unavailable: http://localhost:8501\nhttp://localhost:8501\n"), [
      "8501 http://localhost:8501/",
    ]);
  });

  it("is read in a time that its length allows, also if it is hostile", () => {
    for (const part of ["at ", ":", "- ", "--a-", "A_", "local ", " "]) {
      const line = part.repeat(60_000 / part.length);
      assert.equal(taken(new AddressScanner(), `${line}http://localhost:1${line}\n`).length <= 1, true);
    }
  });

  it("reports each port once", () => {
    const scanner = new AddressScanner();
    assert.deepEqual(taken(scanner, "http://localhost:8501/a\nhttp://127.0.0.1:8501/b\n"), [
      "8501 http://localhost:8501/a",
    ]);
    assert.deepEqual(taken(scanner, "http://localhost:8501\nhttp://localhost:8502\n"), ["8502 http://localhost:8502/"]);
  });

  it("is put together from chunks, without colors", () => {
    const scanner = new AddressScanner();
    assert.deepEqual(taken(scanner, "  Local: \u001b[36mhttp://local"), []);
    assert.deepEqual(taken(scanner, "host:\u001b[1m51"), []);
    assert.deepEqual(taken(scanner, "73\u001b[22m/\u001b[39m\r\n"), ["5173 http://localhost:5173/"]);
    assert.deepEqual(taken(scanner, "'http://127.0.0.1:8787/status'", true), ["8787 http://127.0.0.1:8787/status"]);
  });

  it("may name a port in a sentence, and its URL later", () => {
    const scanner = new AddressScanner();
    assert.deepEqual(taken(scanner, "Running on port 3000\nport 4000\non port 99999\n"), ["3000 undefined"]);
    assert.deepEqual(taken(scanner, "Listening at port: 3000\n"), []);
    assert.deepEqual(taken(scanner, "http://localhost:3000\n"), ["3000 http://localhost:3000/"]);
  });

  it("has a limit of ports and of characters", () => {
    const scanner = new AddressScanner();
    const lines = Array.from({ length: 1000 }, (_, nth) => `http://localhost:${1000 + nth}\n`);
    assert.equal(lines.flatMap((line) => taken(scanner, line)).length, 10);
    assert.deepEqual(taken(new AddressScanner(), `${"x".repeat(70_000)}\nhttp://localhost:1\n`), []);
  });
});
