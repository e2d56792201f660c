import assert from "node:assert/strict";
import { checkFirstBytes } from "../../../../../src/api/companion/tunnel/first-request.ts";

const request = (first: string, headers: Readonly<Record<string, string>>): Buffer =>
  Buffer.from([first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", "body"].join("\r\n"));
const local = { Host: "127.0.0.1:8501" };
const crossSite = { "Sec-Fetch-Site": "cross-site" };

describe("The first request to a forwarded port", () => {
  const verdict = (bytes: Buffer, hosts: readonly string[] = []): string => checkFirstBytes(bytes, hosts).type;

  it("is passed on unchanged if its address names this computer", () => {
    for (const host of ["127.0.0.1:8501", "localhost", "LOCALHOST:1", "app.localhost:8501", "[::1]:8501"]) {
      const bytes = request("GET / HTTP/1.1", { Host: host });
      assert.deepEqual(checkFirstBytes(bytes, []), { type: "passed", bytes, isHttp: true });
    }
  });

  it("is refused if a name of somebody else leads here, whatever its method", () => {
    const hosts = ["evil.example", "evil.example:8501", "127.0.0.1.evil.example", "localhost.evil.example", "evil"];
    for (const host of hosts) {
      for (const method of ["GET", "x-y", "OPTIONS"]) {
        assert.equal(verdict(request(`${method} / HTTP/1.1`, { Host: host })), "refused", `${method} ${host}`);
      }
    }
    const both = Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n");
    assert.equal(verdict(both), "refused");
  });

  it("is passed on under the host of a browser's editor", () => {
    const bytes = request("GET / HTTP/1.1", { Host: "8501.editor.example", Origin: "https://8501.editor.example" });
    assert.equal(verdict(bytes), "refused");
    assert.equal(verdict(bytes, ["8501.editor.example"]), "passed");
  });

  it("is refused if a page of another site sends more than a link", () => {
    const origin = { Origin: "https://evil.example" };
    assert.equal(verdict(request("POST / HTTP/1.1", { ...local, ...origin })), "refused");
    assert.equal(verdict(request("POST / HTTP/1.1", { ...local, Origin: "null" })), "refused");
    assert.equal(verdict(request("GET /ws HTTP/1.1", { ...local, ...origin, Upgrade: "websocket" })), "refused");
    const image = { ...local, ...crossSite, "Sec-Fetch-Mode": "no-cors" };
    assert.equal(verdict(request("GET /delete HTTP/1.1", image)), "refused");
    const form = { ...local, ...crossSite, "Sec-Fetch-Mode": "navigate" };
    assert.equal(verdict(request("POST /delete HTTP/1.1", form)), "refused");
    assert.equal(verdict(request("POST / HTTP/1.1", { ...local, Origin: "http://localhost:3000" })), "passed");
  });

  it("of a link of another site ends its connection", () => {
    const link = { ...local, Connection: "keep-alive", ...crossSite, "Sec-Fetch-Mode": "navigate" };
    const checked = checkFirstBytes(request("GET / HTTP/1.1", link), []);
    assert.equal(checked.type, "passed");
    const text = checked.type === "passed" ? checked.bytes.toString() : "";
    assert.match(text, /^GET \/ HTTP\/1\.1\r\nConnection: close\r\nHost: 127\.0\.0\.1:8501\r\n/);
    assert.doesNotMatch(text, /keep-alive/);
    assert.match(text, /\r\n\r\nbody$/);
  });

  it("may arrive in parts, and is not too large", () => {
    const bytes = request("GET / HTTP/1.1", { Host: "evil.example" });
    const end = bytes.indexOf("\r\n\r\n") + 4;
    for (let length = 1; length < end; length += 1) {
      assert.equal(verdict(bytes.subarray(0, length)), "incomplete", String(length));
    }
    assert.equal(verdict(Buffer.from(`GET /${"x".repeat(70_000)}`)), "refused");
    assert.equal(verdict(Buffer.from(`GET / HTTP/1.1\r\nX: ${"x".repeat(70_000)}`)), "refused");
  });

  it("of another protocol is passed on", () => {
    for (const text of ["\u0016\u0003\u0001", "SSH-2.0-OpenSSH_9.6\r\n", "EHLO host\r\n", "PING\r\n", "\0\0\0\u0008"]) {
      const bytes = Buffer.from(text, "latin1");
      assert.deepEqual(checkFirstBytes(bytes, []), { type: "passed", bytes, isHttp: false });
    }
  });
});
