import assert from "node:assert/strict";
import type { VariablePath, VariableRow } from "../../../../src/api/companion/operations/variables.ts";
import { type ListNode, VariableLists, type VariableNode } from "../../../../src/features/variables/variable-lists.ts";
import { until } from "../../../harness/until.ts";

function rowOf(label: string, value = ""): VariableRow {
  return {
    ...{ label, step: { kind: "name", at: label }, type: "list", shape: null, size: null, value },
    ...{ isCut: false, problem: null, hasChildren: true, isFrame: false, expression: label, setter: null },
  };
}

/** A kernel with values below each path, and the requests that it has received. */
class Kernel {
  readonly values = new Map<string, readonly VariableRow[]>();
  readonly requests: (readonly [path: string, offset: number, count: number])[] = [];

  readonly read = async (path: VariablePath | undefined, offset: number, count: number) => {
    const key = (path ?? []).map(({ at }) => at).join(".");
    this.requests.push([key, offset, count]);
    const rows = this.values.get(key);
    if (rows === undefined) throw new Error("gone");
    return { rows: rows.slice(offset, offset + count), total: rows.length };
  };

  takeRequests() {
    return this.requests.splice(0);
  }
}

const many = (count: number): readonly VariableRow[] => Array.from({ length: count }, (_, nth) => rowOf(`n${nth}`));
const labels = (nodes: readonly ListNode[]) =>
  nodes.map((node) => (node.type === "variable" ? node.row.label : node.type));
function variable(nodes: readonly ListNode[], label: string): VariableNode {
  const found = nodes.find((node) => node.type === "variable" && node.row.label === label);
  assert.ok(found?.type === "variable");
  return found;
}

describe("lists of variables", () => {
  let kernel: Kernel;
  let lists: VariableLists;

  beforeEach(() => {
    kernel = new Kernel();
    lists = new VariableLists("file:///a.ipynb", kernel.read);
  });

  it("read the first page once, and the next one on request", async () => {
    kernel.values.set("", many(10_000));
    const first = await lists.nodes();
    assert.equal(first.length, 201);
    assert.deepEqual(first.at(-1), { type: "more", list: "", shown: 200, total: 10_000, pageSize: 200 });
    assert.equal(await lists.nodes(), first);
    assert.deepEqual(kernel.takeRequests(), [["", 0, 200]]);
    await lists.loadMore("");
    assert.equal((await lists.nodes()).length, 401);
    assert.deepEqual(kernel.takeRequests(), [["", 0, 400]]);
  });

  it("read many pages in requests of at most 500 rows", async () => {
    kernel.values.set("", many(700));
    await lists.nodes();
    for (let nth = 0; nth < 3; nth += 1) await lists.loadMore("");
    assert.equal((await lists.nodes()).length, 700);
    assert.deepEqual(kernel.takeRequests().slice(-2), [
      ["", 0, 500],
      ["", 500, 300],
    ]);
  });

  it("end with what the kernel has if variables are deleted meanwhile", async () => {
    kernel.values.set("", many(300));
    const read = async (path: VariablePath | undefined, offset: number, count: number) => ({
      ...(await kernel.read(path, offset, count)),
      total: 10_000,
    });
    const shrinking = new VariableLists("file:///a.ipynb", read);
    await shrinking.nodes();
    await shrinking.loadMore("");
    assert.equal((await shrinking.nodes()).length, 300);
  });

  it("say whether a refresh has changed anything, and read only what is shown", async () => {
    kernel.values.set("", [rowOf("a"), rowOf("b")]);
    kernel.values.set("a", [rowOf("x")]);
    kernel.values.set("b", [rowOf("y")]);
    const top = await lists.nodes();
    await lists.nodes(variable(top, "a"));
    await lists.nodes(variable(top, "b"));
    kernel.takeRequests();
    const isShown = (key: string): boolean => key === variable(top, "a").key;
    assert.equal(await lists.refresh(isShown), false);
    assert.deepEqual(
      kernel.takeRequests().map(([path]) => path),
      ["", "a"],
    );
    kernel.values.set("a", [rowOf("x", "new")]);
    assert.equal(await lists.refresh(isShown), true);
    kernel.takeRequests();
    // It is read when it is shown again.
    await lists.nodes(variable(top, "b"));
    assert.deepEqual(kernel.takeRequests(), [["b", 0, 200]]);
  });

  it("show why a list below a value can't be read, until it can", async () => {
    kernel.values.set("", [rowOf("a")]);
    const node = variable(await lists.nodes(), "a");
    assert.deepEqual(labels(await lists.nodes(node)), ["failed"]);
    kernel.values.set("a", [rowOf("x")]);
    assert.equal(await lists.refresh(() => true), true);
    assert.deepEqual(labels(await lists.nodes(node)), ["x"]);
  });

  it("reject if the variables themselves can't be read", async () => {
    await assert.rejects(lists.nodes(), /gone/);
    kernel.values.set("", [rowOf("a")]);
    assert.deepEqual(labels(await lists.nodes()), ["a"]);
  });

  it("drop a reply that comes after that of a later reading", async () => {
    const requests: ((label: string) => void)[] = [];
    const slow = new VariableLists("file:///a.ipynb", () => {
      const replied = Promise.withResolvers<{ readonly rows: readonly VariableRow[]; readonly total: number }>();
      requests.push((label) => replied.resolve({ rows: [rowOf(label)], total: 1 }));
      return replied.promise;
    });
    const reply = (nth: number, label: string): void => requests[nth]?.(label);
    const first = slow.nodes();
    reply(0, "a");
    const node = variable(await first, "a");
    const more = slow.loadMore("");
    const refreshed = slow.refresh(() => true);
    reply(2, "later");
    await refreshed;
    reply(1, "earlier");
    await more;
    assert.deepEqual(labels(await slow.nodes()), ["later"]);
    // A list that is read for the first time is read again with the others.
    const below = slow.nodes(node);
    const again = slow.refresh(() => false);
    reply(4, "top");
    await until("the reading of the list below", () => requests.length === 6);
    reply(5, "later below");
    assert.equal(await again, true);
    reply(3, "earlier below");
    assert.deepEqual([labels(await below), labels(await slow.nodes(node))], [["later below"], ["later below"]]);
  });
});
