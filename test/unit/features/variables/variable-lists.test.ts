import assert from "node:assert/strict";
import type { VariablePath, VariableRow } from "../../../../src/api/companion/operations/variables.ts";
import { type ListElement, VariableLists } from "../../../../src/features/variables/variable-lists.ts";
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
const labels = (elements: readonly ListElement[]) =>
  elements.map(({ row }) => (row.type === "variable" ? row.row.label : row.type));
function variable(elements: readonly ListElement[], label: string): ListElement {
  const found = elements.find(({ row }) => row.type === "variable" && row.row.label === label);
  assert.ok(found !== undefined);
  return found;
}
const keyOf = ({ row }: ListElement): string | undefined => (row.type === "variable" ? row.key : undefined);

describe("lists of variables", () => {
  let kernel: Kernel;
  let lists: VariableLists;

  beforeEach(() => {
    kernel = new Kernel();
    lists = new VariableLists("file:///a.ipynb", kernel.read);
  });

  it("read the first page once, and the next one on request", async () => {
    kernel.values.set("", many(10_000));
    const first = await lists.elements();
    assert.equal(first.length, 201);
    assert.deepEqual(first.at(-1)?.row, { type: "more", list: "", shown: 200, total: 10_000, pageSize: 200 });
    assert.deepEqual(await lists.elements(), first);
    assert.deepEqual(kernel.takeRequests(), [["", 0, 200]]);
    await lists.loadMore("");
    assert.equal((await lists.elements()).length, 401);
    assert.deepEqual(kernel.takeRequests(), [["", 0, 400]]);
  });

  it("read many pages in requests of at most 500 rows", async () => {
    kernel.values.set("", many(700));
    await lists.elements();
    for (let nth = 0; nth < 3; nth += 1) await lists.loadMore("");
    assert.equal((await lists.elements()).length, 700);
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
    await shrinking.elements();
    await shrinking.loadMore("");
    assert.equal((await shrinking.elements()).length, 300);
  });

  it("say what a refresh has changed, and read only what is shown", async () => {
    kernel.values.set("", [rowOf("a"), rowOf("b")]);
    kernel.values.set("a", [rowOf("x")]);
    kernel.values.set("b", [rowOf("y")]);
    const top = await lists.elements();
    await lists.elements(variable(top, "a"));
    await lists.elements(variable(top, "b"));
    kernel.takeRequests();
    const isShown = (key: string): boolean => key === keyOf(variable(top, "a"));
    // The editor forgets the rows of the list that isn't shown anymore.
    assert.deepEqual(await lists.refresh(isShown), [variable(top, "b")]);
    assert.deepEqual(
      kernel.takeRequests().map(([path]) => path),
      ["", "a"],
    );
    assert.deepEqual(await lists.refresh(isShown), []);
    const [x] = await lists.elements(variable(top, "a"));
    kernel.values.set("a", [rowOf("x", "new")]);
    const changed = await lists.refresh(isShown);
    assert.deepEqual([changed?.length, changed?.[0] === x], [1, true]);
    kernel.takeRequests();
    // It is read when it is shown again.
    await lists.elements(variable(top, "b"));
    assert.deepEqual(kernel.takeRequests(), [["b", 0, 200]]);
  });

  it("keep the objects of rows, and draw as little as possible again", async () => {
    kernel.values.set("", [rowOf("a"), rowOf("b")]);
    kernel.values.set("a", [rowOf("x"), rowOf("y")]);
    const top = await lists.elements();
    const [a, b] = top;
    await lists.elements(a);
    const refresh = () => lists.refresh(() => true);
    kernel.values.set("", [rowOf("a"), rowOf("b", "new")]);
    assert.deepEqual(await refresh(), [b]);
    assert.ok(b?.row.type === "variable" && b.row.row.value === "new");
    // A row below another one was removed.
    kernel.values.set("a", [rowOf("y")]);
    assert.deepEqual(await refresh(), [a]);
    // A variable was added.
    kernel.values.set("", [rowOf("a"), rowOf("added"), rowOf("b", "new")]);
    assert.equal(await refresh(), undefined);
    const now = await lists.elements();
    assert.deepEqual([now.length, now[0] === a, now[2] === b], [3, true, true]);
    assert.deepEqual(await refresh(), []);
  });

  it("show why a list below a value can't be read, until it can", async () => {
    kernel.values.set("", [rowOf("a")]);
    const node = variable(await lists.elements(), "a");
    assert.deepEqual(labels(await lists.elements(node)), ["failed"]);
    kernel.values.set("a", [rowOf("x")]);
    assert.deepEqual(await lists.refresh(() => true), [node]);
    assert.deepEqual(labels(await lists.elements(node)), ["x"]);
  });

  it("reject if the variables themselves can't be read", async () => {
    await assert.rejects(lists.elements(), /gone/);
    kernel.values.set("", [rowOf("a")]);
    assert.deepEqual(labels(await lists.elements()), ["a"]);
  });

  it("drop a reply that comes after that of a later reading", async () => {
    const requests: ((label: string) => void)[] = [];
    const slow = new VariableLists("file:///a.ipynb", () => {
      const replied = Promise.withResolvers<{ readonly rows: readonly VariableRow[]; readonly total: number }>();
      requests.push((label) => replied.resolve({ rows: [rowOf(label)], total: 1 }));
      return replied.promise;
    });
    const reply = (nth: number, label: string): void => requests[nth]?.(label);
    const first = slow.elements();
    reply(0, "a");
    const node = variable(await first, "a");
    const more = slow.loadMore("");
    const refreshed = slow.refresh(() => true);
    reply(2, "later");
    await refreshed;
    reply(1, "earlier");
    await more;
    assert.deepEqual(labels(await slow.elements()), ["later"]);
    // A list that is read for the first time is read again with the others.
    const below = slow.elements(node);
    const again = slow.refresh(() => false);
    reply(4, "top");
    await until("the reading of the list below", () => requests.length === 6);
    reply(5, "later below");
    assert.equal(await again, undefined);
    reply(3, "earlier below");
    assert.deepEqual([labels(await below), labels(await slow.elements(node))], [["later below"], ["later below"]]);
  });
});
