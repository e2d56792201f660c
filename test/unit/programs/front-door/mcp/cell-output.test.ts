import assert from "node:assert/strict";
import type { ExecutionEvent } from "../../../../../src/api/kernels/executions/executions.ts";
import { CellOutputCollector } from "../../../../../src/programs/front-door/mcp/cell-output.ts";

const plain = (text: string) => ({ data: { "text/plain": text }, metadata: {} });
const stdout = (text: string): ExecutionEvent => ({ type: "stream", name: "stdout", text });
const display = (text: string, displayId?: string): ExecutionEvent => ({
  type: "display",
  bundle: plain(text),
  displayId,
});

function responseFor(events: readonly ExecutionEvent[], redacted = (text: string): string => text) {
  const outputs = new CellOutputCollector(() => assert.fail("nothing asks for input"));
  for (const event of events) outputs.onEvents([event]);
  return outputs.value(redacted);
}

describe("front door: the output of a cell", () => {
  it("joins the parts of a stream, and separates the streams", () => {
    const { outputs } = responseFor([
      stdout("a"),
      stdout("b"),
      { type: "stream", name: "stderr", text: "c" },
      stdout("d"),
    ]);
    assert.deepEqual(outputs, [
      { type: "stdout", text: "ab" },
      { type: "stderr", text: "c" },
      { type: "stdout", text: "d" },
    ]);
  });

  it("has pictures up to a limit, which updates and cleared output replace", () => {
    const png = (bytes: number): string =>
      Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(bytes, 7)]).toString("base64");
    const shown = (data: string, displayId?: string): ExecutionEvent => ({
      type: "display",
      displayId,
      bundle: { data: { "text/plain": "a figure", "image/png": data }, metadata: {} },
    });
    const picturesOf = (events: readonly ExecutionEvent[]): readonly string[] => {
      const outputs = new CellOutputCollector(() => assert.fail("nothing asks for input"));
      outputs.onEvents(events);
      return outputs.pictures.map(({ data }) => data);
    };
    const [first, second, large] = [png(90), png(300), png(60_000)];
    assert.deepEqual(picturesOf([shown(`${first}\n`, "a"), stdout("x"), shown(large), shown(second)]), [first, second]);
    const update: ExecutionEvent = {
      type: "updateDisplay",
      displayId: "a",
      bundle: { data: { "image/png": second }, metadata: {} },
    };
    assert.deepEqual(picturesOf([shown(first, "a"), shown(first), update]), [second, first]);
    assert.deepEqual(picturesOf([shown(first), { type: "clearOutput", wait: false }]), []);
    assert.deepEqual(picturesOf([shown("bm90IGEgcGljdHVyZQ==")]), []);
    assert.deepEqual(responseFor([shown(first)]).outputs, [
      { type: "display", text: "a figure", mimeTypes: ["image/png"] },
    ]);
  });

  it("reads an update once, however many outputs it changes", () => {
    const outputs = new CellOutputCollector(() => assert.fail("nothing asks for input"));
    outputs.onEvents(Array.from({ length: 100 }, (_, nth) => display(String(nth), "a")));
    let reads = 0;
    const data = { "text/plain": "new" };
    const bundle = {
      metadata: {},
      get data() {
        reads += 1;
        return data;
      },
    };
    outputs.onEvents([{ type: "updateDisplay", displayId: "a", bundle }]);
    assert.deepEqual(new Set(outputs.value((text) => text).outputs.map((output) => JSON.stringify(output))).size, 1);
    assert.ok(reads < 5, `${reads} reads`);
  });

  it("applies updates and cleared output like a notebook", () => {
    const bar = [display("0 %", "bar"), display("other"), stdout("x")];
    const update: ExecutionEvent = { type: "updateDisplay", bundle: plain("100 %"), displayId: "bar" };
    assert.deepEqual(
      responseFor([...bar, update]).outputs.map((output) => "text" in output && output.text),
      ["100 %", "other", "x"],
    );
    const later: ExecutionEvent = { type: "clearOutput", wait: true };
    assert.equal(responseFor([...bar, later]).outputs.length, 3);
    assert.deepEqual(responseFor([...bar, later, stdout("y")]).outputs, [{ type: "stdout", text: "y" }]);
    assert.deepEqual(responseFor([...bar, { type: "clearOutput", wait: false }]).outputs, []);
  });

  it("keeps output within its limits, and reports how much is omitted", () => {
    const flood = Array.from({ length: 1000 }, () => stdout("x".repeat(1000)));
    const { outputs, charactersLeftOut } = responseFor(flood);
    assert.equal(outputs.length, 1);
    assert.equal(charactersLeftOut, 1_000_000 - 20_000);
    const many = responseFor(Array.from({ length: 300 }, () => display("12345")));
    assert.deepEqual([many.outputs.length, many.charactersLeftOut], [100, 1000]);
    const updates = Array.from({ length: 1000 }, () => ({
      type: "updateDisplay" as const,
      bundle: plain("y".repeat(500)),
      displayId: "bar",
    }));
    const updated = responseFor([display("", "bar"), ...updates]);
    assert.deepEqual(updated, { outputs: [{ type: "display", text: "y".repeat(500), mimeTypes: [] }] });
  });

  it("removes colors, and removes credentials before it truncates", () => {
    const secret = "s3cret-s3cret";
    const redacted = (text: string): string => text.replaceAll(secret, "(hidden)");
    const { outputs } = responseFor([stdout("x".repeat(19_990)), stdout(secret)], redacted);
    assert.ok(!JSON.stringify(outputs).includes("s3"));
    const traceback = ["\u001b[31mValueError\u001b[0m", secret];
    const error = responseFor([{ type: "error", name: "ValueError", value: secret, traceback }], redacted);
    assert.deepEqual(error.outputs, [
      { type: "error", name: "ValueError", value: "(hidden)", traceback: "ValueError\n(hidden)" },
    ]);
  });

  it("reports that output may be missing", () => {
    assert.equal(responseFor([{ type: "gap", reason: { type: "rateLimit" } }]).outputMayBeMissing, true);
    assert.equal("outputMayBeMissing" in responseFor([stdout("a")]), false);
  });
});
