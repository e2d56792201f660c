import assert from "node:assert/strict";
import { ReplacedItems, type ValueItem } from "../../../../src/ui/quick-input/replaced-items.ts";

const separator = -1;

describe("items that are replaced while a quick pick shows", () => {
  let pick: { items: readonly ValueItem<string>[] };
  let replaced: ReplacedItems<string>;
  let window: readonly ValueItem<string>[];
  let receive: (() => void) | undefined;

  const items = (...values: readonly string[]): ValueItem<string>[] => values.map((value) => ({ label: value, value }));

  /** The window gets the list that was sent last, and confirms it. */
  const receiveList = async (): Promise<void> => {
    window = pick.items;
    receive?.();
    await new Promise((resolve) => setImmediate(resolve));
  };

  /**
   * The result of a row that the user accepts: the editor reports its position, and returns the item that is there now.
   */
  const accepted = (label: string): string | undefined => {
    const selected = pick.items[window.findIndex((item) => item.label === label)];
    return selected === undefined ? undefined : replaced.valueOf(selected);
  };

  const shown = (): readonly string[] => window.filter(({ kind }) => kind !== separator).map(({ label }) => label);

  beforeEach(() => {
    pick = { items: [] };
    window = [];
    replaced = new ReplacedItems<string>(pick, () => {
      const received = Promise.withResolvers<void>();
      receive = received.resolve;
      return received.promise;
    });
  });

  it("returns the accepted row, regardless of which list the window has", async () => {
    const lists = [["a", "b", "c"], ["c", "d", "a"], ["b"], [], ["d", "c", "b", "a"], ["a", "d"], ["b", "a", "d"]];
    for (const list of lists) {
      replaced.replace(items(...list));
      // The previous list is still on the screen.
      for (const label of shown()) assert.equal(accepted(label), label);
      await receiveList();
      assert.deepEqual(shown(), list);
      for (const label of list) assert.equal(accepted(label), label);
    }
  });

  it("sends the newest list once the window has the previous one, and skips those in between", async () => {
    replaced.replace(items("a", "b"));
    await receiveList();
    replaced.replace(items("b", "c"));
    replaced.replace(items("c", "d"));
    replaced.replace(items("d", "e"));
    assert.equal(accepted("a"), "a");
    await receiveList();
    assert.deepEqual(shown(), ["b", "c"]);
    for (const label of ["b", "c"]) assert.equal(accepted(label), label);
    await receiveList();
    assert.deepEqual(shown(), ["d", "e"]);
    for (const label of ["d", "e"]) assert.equal(accepted(label), label);
  });

  it("keeps the positions of a list that grows", async () => {
    const first = items("a", "b");
    replaced.replace(first);
    await receiveList();
    replaced.replace([...first, ...items("c")]);
    assert.equal(accepted("b"), "b");
    await receiveList();
    assert.equal(pick.items.length, 3);
  });

  it("returns nothing for a row without a value", async () => {
    replaced.replace([{ label: "No results" }]);
    await receiveList();
    assert.equal(accepted("No results"), undefined);
  });
});
