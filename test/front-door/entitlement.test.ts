import assert from "node:assert/strict";
import { createLog } from "../../src/programs/front-door/observability/log.ts";
import { freePort } from "../harness/free-port.ts";
import { expectCall } from "../harness/front-door/calls.ts";
import { type Case, describeCases, goodCall } from "../harness/front-door/cases.ts";
import type { InternalFault } from "../harness/front-door/internal-service.ts";
import { type PersonOptions, type Rig, startRig } from "../harness/front-door/rig.ts";

const served = { status: 200, reached: { entitlement: 1, credential: 1, platform: 1 } } as const;
const denied = { status: 403, code: "not_entitled", reached: { entitlement: 1 } } as const;
/** A response that can't be parsed never grants access. */
const closed = { status: 503, code: "unavailable", reached: { entitlement: 1 } } as const;

/** A valid call while the entitlement's endpoint fails in this way. */
function failing(name: string, fault: (rig: Rig) => InternalFault, more: PersonOptions = {}): Omit<Case, "expected"> {
  return {
    name,
    person: more,
    send: (rig, person) => {
      rig.internal.fail("entitlement", fault(rig));
      return goodCall(rig, person);
    },
  };
}

const text = (name: string, body: string, contentType?: string): Omit<Case, "expected"> =>
  failing(name, () => ({ kind: "text", text: body, ...(contentType === undefined ? {} : { contentType }) }));

const cases: readonly Case[] = [
  // Proves 5.3: entitlement is checked after verification, with the shared secret
  { name: "entitled", send: goodCall, expected: served },
  // Proves 4.8: GET entitlements/check checks the configured
  // Proves 5.3: entitlement is checked after verification, with the shared secret
  { name: "not entitled", person: { entitled: false }, send: goodCall, expected: denied },
  { ...text("the answer true", "true"), expected: served },
  { ...text("the answer false", "false"), expected: denied },
  ...["entitled", "allowed", "ok", "result"].map((member) => ({
    ...text(`the answer {${member}: true}`, JSON.stringify({ [member]: true })),
    expected: served,
  })),
  { ...text("the answer {allowed: false}", '{"allowed":false}'), expected: denied },
  { ...text("the text true", '"true"'), expected: closed },
  { ...text("the number 1", "1"), expected: closed },
  { ...text("null", "null"), expected: closed },
  { ...text("a list", "[true]"), expected: closed },
  { ...text("an empty object", "{}"), expected: closed },
  { ...text("yes as a text", '{"entitled":"yes"}'), expected: closed },
  { ...text("true as a text in an object", '{"entitled":"true"}'), expected: closed },
  { ...text("two members that contradict each other", '{"entitled":false,"allowed":true}'), expected: denied },
  { ...text("a member of another name", '{"admin":true}'), expected: closed },
  { ...text("a page", "<html>true</html>", "text/html"), expected: closed },
  { ...text("no body", ""), expected: closed },
  { ...text("half a body", '{"entitled": tr'), expected: closed },
  { ...text("two values", "true true"), expected: closed },
  { ...text("two megabytes", `{"entitled":true,"more":"${"x".repeat(2_000_000)}"}`), expected: closed },
  ...[403, 404].map((status) => ({
    ...failing(`status ${status}`, () => ({ kind: "status" as const, status, body: "true" })),
    expected: denied,
  })),
  ...[400, 401, 429, 500, 502, 503].map((status) => ({
    ...failing(`status ${status} with the body true`, () => ({ kind: "status" as const, status, body: "true" })),
    expected: closed,
  })),
  ...[201, 202, 204, 206].map((status) => ({
    ...failing(`status ${status} with no verdict`, () => ({
      kind: "status" as const,
      status,
      body: status === 204 ? "" : "{}",
    })),
    expected: closed,
  })),
  ...[301, 302, 303, 307, 308].map((status) => ({
    ...failing(`a redirect ${status} to a stranger, who would say true`, (rig) => ({
      kind: "redirect" as const,
      status,
      location: `${rig.stranger.url}/true`,
    })),
    expected: closed,
  })),
  {
    ...failing("a redirect to itself", (rig) => ({ kind: "redirect", status: 302, location: `${rig.internal.url}/` })),
    expected: closed,
  },
  { ...failing("a connection that is cut", () => ({ kind: "cut" })), expected: closed },
  { ...failing("an answer that is cut half-way", () => ({ kind: "cut-half-way" })), expected: closed },
  { ...failing("no answer", () => ({ kind: "hang" })), expected: closed },
  { ...failing("a late answer within the limit", () => ({ kind: "late", milliseconds: 100 })), expected: served },
  { ...failing("a late answer beyond the limit", () => ({ kind: "late", milliseconds: 2_500 })), expected: closed },
];

describeCases("front door: entitlement", cases);

describe("front door: an unreachable internal service", () => {
  it("rejects calls after the first refused connection", async () => {
    const lines: string[] = [];
    const log = createLog("debug", { write: (line) => void lines.push(line) });
    const baseUrl = new URL(`http://127.0.0.1:${await freePort()}`);
    const rig = await startRig({
      configure: (usual) => ({ ...usual, internal: { ...usual.internal, baseUrl, timeLimitMilliseconds: 5000 } }),
      parts: { log },
    });
    try {
      await expectCall(rig, await rig.person(), { status: 503, reason: "unavailable" });
      assert.equal(lines.filter((line) => /check ECONNREFUSED/.test(line)).length, 1);
      assert.equal(rig.takeReached().platform, 0);
    } finally {
      await rig.stop();
    }
  });
});
