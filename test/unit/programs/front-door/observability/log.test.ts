import assert from "node:assert/strict";
import { createLog } from "../../../../../src/programs/front-door/observability/log.ts";

function lineOf(members: object): Record<string, unknown> {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  log.info(members, "a line");
  const { time: _, ...rest } = JSON.parse(lines.join(""));
  return rest;
}

const common = { level: "info", msg: "a line" };

describe("front door: log lines", () => {
  it("members with secret names are never shown, at any depth and in any case", () => {
    const given = {
      Authorization: "Bearer s3cret",
      "x-webui-secret": "s3cret",
      part: "gate",
      request: { headers: { cookie: "s3cret", host: "tools.example.com" }, list: [{ privateKey: "s3cret" }, 1] },
    };
    const hidden = "[redacted]";
    assert.deepEqual(lineOf(given), {
      ...common,
      Authorization: hidden,
      "x-webui-secret": hidden,
      part: "gate",
      request: { headers: { cookie: hidden, host: "tools.example.com" }, list: [{ privateKey: hidden }, 1] },
    });
    assert.equal(given.request.headers.cookie, "s3cret");
  });

  it("values below the maximum depth are not shown", () => {
    assert.deepEqual(lineOf({ a: { b: { c: { d: { token: "s3cret" } } } } }), {
      ...common,
      a: { b: { c: { d: "[redacted]" } } },
    });
  });

  it("a line is the same value without characters that a terminal obeys, or that change the text direction", () => {
    const lines: string[] = [];
    const log = createLog("info", { write: (line) => void lines.push(line) });
    const name = "a\u009b31m\u202eb\u2066\u007f";
    log.info({ name }, name);
    const [line = ""] = lines;
    assert.match(line, /^\P{C}+\n$/u);
    const { name: logged, msg } = JSON.parse(line);
    assert.deepEqual([logged, msg], [name, name]);
  });

  it("a line without secrets is shown unchanged", () => {
    const given = { audit: "/mcp", status: 200, err: { type: "TypeError", stack: ["at a", "at b"] } };
    assert.deepEqual(lineOf(given), { ...common, ...given });
  });
});
