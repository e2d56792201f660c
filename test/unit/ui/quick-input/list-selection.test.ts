import assert from "node:assert/strict";
import fc from "fast-check";
import { ListSelection } from "../../../../src/ui/quick-input/list-selection.ts";

type Keys = ReadonlySet<string>;

/** What the editor's window does with a list: it hears of changes late, and reports its own late. */
class ListInWindow {
  readonly selection: ListSelection;
  /** The rows that the window shows, and those that the extension has. */
  shown: readonly string[] = [];
  rows: readonly string[] = [];
  selected: Keys = new Set();
  /** Changes that the editor merges until the next turn of the event loop, and then sends. */
  #merged: { rows?: readonly string[]; selected?: Keys } = {};
  #sent: readonly { readonly rows?: readonly string[]; readonly selected?: Keys }[] = [];
  /** Reports, and answers to round trips. */
  #arriving: readonly (() => void)[] = [];

  constructor(...locked: readonly string[]) {
    this.selection = new ListSelection({
      locked,
      showRows: () => {
        this.#merged.rows = this.rows;
      },
      select: (keys) => {
        this.#merged.selected = keys;
      },
      receivedByWindow: () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#sent = [...this.#sent, this.#merged];
        this.#merged = {};
        this.#result = resolve;
        return promise;
      },
    });
  }

  #result = (): void => {};

  show(...rows: readonly string[]): void {
    this.rows = rows;
    this.selection.replaceRows();
  }

  /** The window takes the oldest change. */
  take(): void {
    const [change, ...later] = this.#sent;
    if (change === undefined) return;
    this.#sent = later;
    if (change.rows !== undefined) {
      this.shown = change.rows;
      this.#select([]);
    }
    const { selected } = change;
    if (selected !== undefined) this.#select(this.shown.filter((row) => selected.has(row)));
    this.#arriving = [...this.#arriving, this.#result];
  }

  click(row: string): void {
    this.#select(this.shown.filter((other) => this.selected.has(other) !== (other === row)));
  }

  /** The window reports an empty selection again when the user presses Enter. */
  enter(): Promise<Keys> {
    if (this.selected.size === 0) this.#report(this.selected);
    const { promise, resolve } = Promise.withResolvers<Keys>();
    this.#arriving = [...this.#arriving, () => void this.selection.chosen().then(resolve)];
    return promise;
  }

  /** The extension hears of the oldest message from the window. */
  async hear(): Promise<void> {
    const [message, ...later] = this.#arriving;
    this.#arriving = later;
    message?.();
    await new Promise((resolve) => setImmediate(resolve));
  }

  async settle(): Promise<void> {
    for (let left = 100; this.#sent.length > 0 || this.#arriving.length > 0; left -= 1) {
      assert.ok(left > 0, "updates don't end");
      this.take();
      await this.hear();
    }
  }

  #select(rows: readonly string[]): void {
    const selected = new Set(rows);
    if (selected.symmetricDifference(this.selected).size > 0) this.#report(selected);
  }

  #report(selected: Keys): void {
    this.selected = selected;
    this.#arriving = [...this.#arriving, () => this.selection.report(selected)];
  }
}

const sorted = (keys: Keys): readonly string[] => [...keys].toSorted();

describe("the selection of a list whose rows arrive while it is open", () => {
  it("follows the user's clicks", async () => {
    const list = new ListInWindow();
    list.show("a", "b", "c");
    await list.settle();
    for (const row of ["a", "b", "a", "c"]) {
      list.click(row);
      await list.settle();
    }
    assert.deepEqual(sorted(await list.selection.chosen()), ["b", "c"]);
    list.click("b");
    list.click("c");
    await list.settle();
    assert.deepEqual(sorted(await list.selection.chosen()), []);
  });

  it("selects nothing before the user does, and clears a row again that can't be selected", async () => {
    const list = new ListInWindow("a");
    list.show("a", "b");
    await list.settle();
    assert.deepEqual(sorted(list.selected), []);
    list.click("a");
    list.click("b");
    await list.settle();
    assert.deepEqual(sorted(list.selected), ["b"]);
    assert.deepEqual(sorted(await list.selection.chosen()), ["b"]);
  });

  it("keeps a click on a row that has just appeared", async () => {
    const list = new ListInWindow("a");
    list.show("a");
    await list.settle();
    list.show("a", "b");
    list.take();
    // The window has reported nothing of it yet.
    list.click("b");
    for (let step = 0; step < 4; step += 1) {
      await list.hear();
      list.take();
      assert.ok(list.selected.has("b"), "the user sees it selected all the time");
    }
    assert.deepEqual(sorted(await list.selection.chosen()), ["b"]);
  });

  for (const locked of [[], ["a"]]) {
    it(`keeps a click on the rows before, which new rows overwrite, beside ${locked.length} others`, async () => {
      const list = new ListInWindow(...locked);
      list.show("a", "b");
      await list.settle();
      list.show("a", "b", "c");
      list.click("b");
      await list.settle();
      assert.deepEqual(sorted(list.selected), ["b"]);
      assert.deepEqual(sorted(await list.selection.chosen()), ["b"]);
    });
  }

  it("doesn't choose what the user has cleared before Enter", async () => {
    const list = new ListInWindow();
    list.show("a", "b");
    await list.settle();
    list.click("b");
    await list.settle();
    list.show("a", "b", "c");
    list.click("b");
    const accepted = list.enter();
    await list.settle();
    assert.deepEqual(sorted(await accepted), []);
  });

  it("shows the newest rows once the window has the previous ones", async () => {
    const list = new ListInWindow("a");
    list.show("a");
    list.show("a", "b");
    list.show("a", "b", "c");
    await list.settle();
    assert.deepEqual(list.shown, ["a", "b", "c"]);
    assert.deepEqual(sorted(list.selected), []);
  });

  it("doesn't repeat what the window doesn't apply", async () => {
    const sent: string[] = [];
    const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const selection = new ListSelection({
      locked: [],
      showRows: () => sent.push("rows"),
      select: (keys) => sent.push(sorted(keys).join()),
      receivedByWindow: nextTurn,
    });
    selection.report(new Set(["a"]));
    selection.replaceRows();
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    assert.deepEqual(sent, ["rows", "a"]);
    selection.replaceRows();
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    assert.deepEqual(sent, ["rows", "a", "rows", "a"]);
  });

  it("sends nothing after it was closed", async () => {
    const list = new ListInWindow();
    list.show("a");
    list.selection.close();
    list.show("a", "b");
    await list.settle();
    assert.deepEqual(list.shown, ["a"]);
  });

  it("agrees with the window in the end, whichever side was late, and keeps the clicks", async () => {
    const step = fc.constantFrom("show", "take", "hear", "settle", "click a", "click b", "click c", "click d");
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 14 }), async (hasAccess, steps) => {
        const locked = hasAccess ? ["a"] : [];
        const list = new ListInWindow(...locked);
        list.show("a", "b");
        await list.settle();
        const clicked = new Map<string, boolean>();
        const check = async (): Promise<void> => {
          await list.settle();
          assert.deepEqual(sorted(list.selected), sorted(await list.selection.chosen()));
          for (const [row, isSelected] of clicked) assert.equal(list.selected.has(row), isSelected, row);
          clicked.clear();
        };
        for (const taken of steps) {
          const row = taken.slice(-1);
          if (taken === "show") list.show(...list.rows, String.fromCharCode("a".charCodeAt(0) + list.rows.length));
          else if (taken === "take") list.take();
          else if (taken === "hear") await list.hear();
          else if (taken === "settle") await check();
          // A second click before everything has arrived may be undone. So may one that clears the selection, because
          // the window does that, too, when it gets rows.
          else if (list.shown.includes(row) && !clicked.has(row) && !list.selected.has(row)) {
            clicked.set(row, !locked.includes(row));
            list.click(row);
          }
        }
        await check();
      }),
      { numRuns: 1000 },
    );
  });
});
