// The log has one line for each request, and names people only by hashes.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { createLog } from "../../src/programs/front-door/observability/log.ts";
import { bearer, callWith, goodCall, prefix } from "../harness/front-door/cases.ts";
import { sendBytes, sendRaw } from "../harness/front-door/raw-http.ts";
import { type Rig, startRig } from "../harness/front-door/rig.ts";
import { until } from "../harness/until.ts";

type Line = Readonly<Record<string, unknown>>;

describe("front door: audit lines", () => {
  let rig: Rig;
  const written: string[] = [];

  before(async () => {
    const log = createLog("info", { write: (line: string) => void written.push(line) });
    rig = await startRig({ parts: { log } });
  });
  after(() => rig.stop());

  /** The audit lines of some work, as soon as there are as many. They come after the responses. */
  async function linesOf(count: number, work: () => Promise<unknown>): Promise<readonly Line[]> {
    const start = written.length;
    await work();
    const lines = (): readonly Line[] =>
      written
        .slice(start)
        .map((line) => JSON.parse(line))
        .filter(({ audit }) => audit !== undefined);
    await until("the audit lines", () => lines().length >= count);
    assert.equal(lines().length, count, written.slice(start).join(""));
    return lines();
  }

  async function lineOf(work: () => Promise<unknown>): Promise<Line> {
    const [line = assert.fail()] = await linesOf(1, work);
    return line;
  }

  const send = (request: Parameters<typeof sendRaw>[1]) => sendRaw(rig.frontDoor.url, request);
  const callAs = async (claims: Readonly<Record<string, unknown>>): Promise<Line> =>
    lineOf(() => send(callWith(bearer(`${prefix}${rig.issuer.sign(claims)}`))));
  const revoke = async (body: object): Promise<Line> =>
    lineOf(async () => {
      const response = await fetch(`${rig.frontDoor.internalUrl}/internal/revoke`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-webui-secret": rig.internal.secret },
        body: JSON.stringify(body),
      });
      assert.equal(await response.text(), "true");
    });

  it("of calls have a hash for a subject or a token ID that contains an address", async () => {
    const email = "anna@example.com";
    const plain = await callAs({ email, sub: "u-1", jti: "t-1" });
    assert.deepEqual([plain.subject, plain.tokenId], ["u-1", "t-1"]);
    const spelled = ["%40", "%2540", "＠", "﹫", "&#64;", "&#x40;"].map((sign) => `anna${sign}example.com`);
    for (const named of [email, `auth|${email}`, ...spelled]) {
      const line = await callAs({ email, sub: named, jti: `id of ${named}` });
      assert.match(`${String(line.subject)} ${String(line.tokenId)}`, /^[0-9a-f]{16} [0-9a-f]{16}$/);
      assert.equal(line.person, plain.person);
      assert.equal(line.subject === line.person, named === email);
    }
    assert.ok(!written.some((line) => /anna.{1,6}example/.test(line)));
  });

  it("of revocations say whose tokens were revoked, as the lines of the calls do", async () => {
    const email = "ben@example.com";
    const call = await callAs({ email, sub: `auth|${email}`, jti: "t-2" });
    const byEmail = await revoke({ email });
    assert.deepEqual([byEmail.revoked, byEmail.person], ["email", call.person]);
    const bySubject = await revoke({ subject: `auth|${email}` });
    assert.deepEqual([bySubject.revoked, bySubject.subject], ["subject", call.subject]);
    const byTokenId = await revoke({ tokenId: "t-2" });
    assert.deepEqual([byTokenId.revoked, byTokenId.tokenId], ["tokenId", "t-2"]);
    assert.ok(!written.some((line) => line.includes("ben@")));
  });

  it("of the internal service's requests have the same form of its address as those of calls", async () => {
    const proxies = [{ address: "127.0.0.1", prefixLength: 32, family: "ipv4" }] as const;
    const lines: string[] = [];
    const log = createLog("info", { write: (line: string) => void lines.push(line) });
    const proxied = await startRig({ parts: { log }, configure: (usual) => ({ ...usual, trustedProxies: proxies }) });
    try {
      for (const target of ["/internal/validate", "/internal/revoke", "/nothing", "/mcp"]) {
        await sendRaw(proxied.frontDoor.url, { target, headers: [["X-Forwarded-For", "::ffff:192.0.2.1"]] });
      }
      const audited = (): readonly Line[] => lines.map((line) => JSON.parse(line)).filter((line: Line) => line.audit);
      await until("the audit lines", () => audited().length >= 4);
      assert.deepEqual([...new Set(audited().map(({ client }) => client))], ["192.0.2.1"]);
    } finally {
      await proxied.stop();
    }
  });

  it("are written for requests to other addresses and with other methods, without their addresses", async () => {
    const secret = "a-token-in-the-address-0123456789";
    const expected = [
      [
        { target: `/${secret}`, method: "GET" },
        { audit: "other", status: 404, httpMethod: "GET", outcome: "not_found" },
      ],
      [
        { target: "/healthz", method: "POST" },
        { audit: "other", status: 405, outcome: "method_not_allowed" },
      ],
      [
        { target: "/mcp", method: "GET" },
        { audit: "/mcp", status: 405, outcome: "method_not_allowed" },
      ],
      [
        { target: "/internal/revoke", method: "GET" },
        { audit: "/internal/revoke", status: 405, httpMethod: "GET" },
      ],
      [{ withoutHost: true }, { audit: "other", status: 400, outcome: "invalid_request", reason: "it has no Host" }],
    ] as const;
    for (const [request, members] of expected) {
      const line = await lineOf(() => send(request));
      assert.deepEqual({ ...line, ...members }, line);
      assert.equal(line.client, "127.0.0.1");
    }
    assert.ok(!written.some((line) => line.includes(secret)));
  });

  it("are written for messages that are not HTTP, which get the usual responses", async () => {
    const host = "Host: 127.0.0.1\r\n";
    const expected = [
      ["nonsense\r\n\r\n", 400, /^HPE_/],
      [`GET /healthz HTTP/1.1\r\n${host}Two Words: 1\r\n\r\n`, 400, /^HPE_INVALID_HEADER_TOKEN$/],
      [`GET /healthz HTTP/1.1\r\n${host}Large: ${"x".repeat(40_000)}\r\n\r\n`, 431, /^HPE_HEADER_OVERFLOW$/],
      [`CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`, 405, /^CONNECT$/],
      [`GET /healthz HTTP/1.1\r\n${host}Expect: more\r\n\r\n`, 417, /^EXPECT$/],
    ] as const;
    for (const [bytes, status, reason] of expected) {
      const line = await lineOf(async () => {
        assert.equal((await sendBytes(rig.frontDoor.url, bytes)).status, status, bytes.slice(0, 40));
      });
      assert.deepEqual([line.audit, line.status, line.client], ["malformed", status, "127.0.0.1"]);
      assert.match(String(line.reason), reason);
    }
  });

  it("are written for a message behind a request, whose status the client does not take for that of the request", async () => {
    const anna = await rig.person();
    const { headers = [], body = "" } = goodCall(rig, anna);
    const lines = [...headers, ["Host", "127.0.0.1"], ["Content-Length", String(Buffer.byteLength(body))]];
    const call = `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n${body}`;
    const behind = [
      ["nonsense\r\n\r\n", /^HPE_/],
      ["CONNECT example.com:443 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", /^CONNECT$/],
      ["GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: more\r\n\r\n", /^EXPECT$/],
    ] as const;
    for (const [bytes, reason] of behind) {
      const written = await linesOf(2, async () => {
        assert.equal((await sendBytes(rig.frontDoor.url, call + bytes)).text, "");
      });
      assert.deepEqual(
        written.map(({ audit, status }) => [audit, status]),
        [
          ["malformed", undefined],
          ["/mcp", undefined],
        ],
      );
      assert.match(String(written[0]?.reason), reason);
    }
  });

  it("are written once if the body of a request is malformed, and not for a connection without a request", async () => {
    const head =
      "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
    const token = `Authorization: Bearer ${prefix}${rig.issuer.sign({ email: "carla@example.com" })}\r\n`;
    const line = await lineOf(() => sendBytes(rig.frontDoor.url, `${head}${token}\r\nnot a chunk\r\n`));
    assert.deepEqual([line.audit, line.status, line.outcome], ["/mcp", 400, "malformed_request"]);
    assert.equal(line.reason, "HPE_INVALID_CHUNK_SIZE");
    const lines = await linesOf(1, async () => {
      const { hostname, port } = new URL(rig.frontDoor.url);
      const socket = connect({ host: hostname, port: Number(port) });
      await new Promise((resolve) => socket.once("connect", resolve));
      socket.resetAndDestroy();
      await send({ target: "/nothing", method: "GET" });
    });
    assert.equal(lines[0]?.status, 404);
  });
});
