import assert from "node:assert/strict";
import fc from "fast-check";
import { Selection } from "../../../../src/ui/quick-input/selection.ts";

/** What the editor's window does with a list: it hears of changes late, and reports its own late. */
class ListInWindow {
  readonly selection: Selection;
  rows: readonly string[] = [];
  selected: ReadonlySet<string> = new Set();
  readonly #sent: { readonly rows?: readonly string[]; readonly selected: ReadonlySet<string> }[] = [];
  readonly #reports: ReadonlySet<string>[] = [];

  constructor(always: readonly string[]) {
    this.selection = new Selection(always);
  }

  show(...rows: readonly string[]): void {
    this.#sent.push({ rows, selected: this.selection.sendWithRows() });
  }

  /** The window takes the oldest change. */
  take(): void {
    const change = this.#sent.shift();
    if (change === undefined) return;
    if (change.rows !== undefined) {
      this.rows = change.rows;
      this.#select([]);
    }
    this.#select(this.rows.filter((row) => change.selected.has(row)));
  }

  click(row: string): void {
    this.#select(this.rows.filter((other) => this.selected.has(other) !== (other === row)));
  }

  /** The extension hears of the window's oldest report. */
  hear(): void {
    const report = this.#reports.shift();
    if (report !== undefined && !this.selection.report(report)) {
      this.#sent.push({ selected: this.selection.send() });
    }
  }

  settle(): void {
    while (this.#sent.length > 0 || this.#reports.length > 0) {
      this.take();
      this.hear();
    }
  }

  #select(rows: readonly string[]): void {
    const selected = new Set(rows);
    if (selected.symmetricDifference(this.selected).size === 0) return;
    this.selected = selected;
    this.#reports.push(selected);
  }
}

describe("the selection of a list whose rows arrive while it is open", () => {
  it("follows the user's clicks", () => {
    const list = new ListInWindow([]);
    list.show("a", "b", "c");
    list.settle();
    for (const row of ["a", "b", "a", "c"]) {
      list.click(row);
      list.settle();
    }
    assert.deepEqual([...list.selection.chosen], ["b", "c"]);
    for (const row of ["b", "c"]) {
      list.click(row);
      list.settle();
    }
    assert.deepEqual([...list.selection.chosen], []);
  });

  it("selects a row again that always is", () => {
    const list = new ListInWindow(["a"]);
    list.show("a", "b");
    list.settle();
    list.click("a");
    list.click("b");
    list.settle();
    assert.deepEqual([...list.selected], ["a", "b"]);
    assert.deepEqual([...list.selection.chosen], ["b"]);
  });

  it("keeps a click on a row that has just appeared", () => {
    const list = new ListInWindow(["a"]);
    list.show("a");
    list.settle();
    list.show("a", "b");
    list.take();
    // The window has reported nothing of it yet.
    list.click("b");
    for (let step = 0; step < 4; step += 1) {
      list.hear();
      list.take();
      assert.ok(list.selected.has("b"), "the user sees it selected all the time");
    }
    assert.deepEqual([...list.selection.chosen], ["b"]);
  });

  it("keeps a click on the rows before, which new rows overwrite", () => {
    const list = new ListInWindow(["a"]);
    list.show("a", "b");
    list.settle();
    list.show("a", "b", "c");
    list.click("b");
    list.settle();
    assert.deepEqual([...list.selected], ["a", "b"]);
    assert.deepEqual([...list.selection.chosen], ["b"]);
    list.show("a", "b", "c", "d");
    list.click("b");
    list.settle();
    assert.deepEqual([...list.selected], ["a"]);
    assert.deepEqual([...list.selection.chosen], []);
  });

  it("agrees with the window in the end, whichever side was late, and keeps the click of each row", () => {
    const steps = fc.array(fc.constantFrom("show", "take", "hear", "click b", "click c", "click d"), { maxLength: 12 });
    fc.assert(
      fc.property(steps, (taken) => {
        const list = new ListInWindow(["a"]);
        const rows = ["a", "b"];
        list.show(...rows);
        list.settle();
        const clicked = new Map<string, boolean>();
        for (const step of taken) {
          if (step === "show") {
            rows.push(String.fromCharCode("a".charCodeAt(0) + rows.length));
            list.show(...rows);
          } else if (step === "take" || step === "hear") {
            list[step]();
          } else {
            const row = step.slice(-1);
            // A second click on a row, before the extension has heard of the first, may be undone.
            if (list.rows.includes(row) && !clicked.has(row)) {
              clicked.set(row, !list.selected.has(row));
              list.click(row);
            }
          }
        }
        list.settle();
        assert.deepEqual([...list.selected].toSorted(), ["a", ...list.selection.chosen].toSorted());
        for (const [row, isSelected] of clicked) assert.equal(list.selected.has(row), isSelected, row);
      }),
      { numRuns: 5000 },
    );
  });
});
