// The log has one line for each request, and names people only by hashes.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { createLog } from "../../src/programs/front-door/observability/log.ts";
import { bearer, callWith, prefix } from "../harness/front-door/cases.ts";
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
    for (const named of [email, `auth|${email}`, "anna%40example.com"]) {
      const line = await callAs({ email, sub: named, jti: `id of ${named}` });
      assert.match(`${String(line.subject)} ${String(line.tokenId)}`, /^[0-9a-f]{16} [0-9a-f]{16}$/);
      assert.equal(line.person, plain.person);
      assert.equal(line.subject === line.person, named === email);
    }
    assert.ok(!written.some((line) => /anna(?:@|%40)/.test(line)));
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

  it("are written once if the body of a request is malformed, and not for a connection without a request", async () => {
    const head =
      "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
    const token = `Authorization: Bearer ${prefix}${rig.issuer.sign({ email: "carla@example.com" })}\r\n`;
    const line = await lineOf(() => sendBytes(rig.frontDoor.url, `${head}${token}\r\nnot a chunk\r\n`));
    assert.equal(line.audit, "/mcp");
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
