import assert from "node:assert/strict";
import { remoteSearchDeclarations as declared } from "../../../../src/features/remote-search/declarations.ts";
import { SearchResults } from "../../../../src/features/remote-search/search-results.ts";
import type { MenuEntry } from "../../../../src/ui/commands/declaration.ts";
import { applies, type Context } from "../../../harness/conditions.ts";
import { editor } from "../../../harness/editor-stand-in/vscode.ts";

const closePanel = ["workbench.action.closePanel"];

describe("the message above the search results", () => {
  it("states the number of matches, of files, and of skipped files", async () => {
    editor.treeViews.length = 0;
    const results = new SearchResults();
    await results.begin("needle", "Sales forecasting");
    const messageWith = (skipped: number): string | undefined => {
      results.end({ files: 9, skipped, isCancelled: false, max: 2000 });
      return editor.treeViews[0]?.message;
    };
    const found = '"needle" in Sales forecasting: 0 results in 9 files searched';
    assert.equal(messageWith(0), `${found}.`);
    assert.equal(messageWith(1), `${found} (1 binary or large file skipped).`);
    assert.equal(messageWith(2), `${found} (2 binary or large files skipped).`);
    results.dispose();
  });
});

describe("clearing the search results", () => {
  const closings = (): number => editor.executed.filter(([id]) => id === closePanel[0]).length;

  beforeEach(() => {
    editor.executed.length = 0;
    editor.treeViews.length = 0;
  });

  it("closes the panel only if it shows the results: one of two entries applies", () => {
    const both = {
      "platformWorkbench.clearSearch": declared["platformWorkbench.clearSearch"],
      "platformWorkbench.clearSearchInPanel": declared["platformWorkbench.clearSearchInPanel"],
    };
    const offered = (activePanel: string): readonly (readonly string[])[] => {
      const context: Context = {
        activePanel,
        view: "platformWorkbench.searchResults",
        "platformWorkbench.searched": true,
      };
      const inMenu = (menus: readonly MenuEntry[]): boolean => menus.some(({ when }) => applies(when, context));
      return [
        Object.entries(both).flatMap(([id, { inPalette }]) => (applies(inPalette, context) ? [id] : [])),
        Object.entries(both).flatMap(([id, { menus }]) => (inMenu(menus) ? [id] : [])),
      ];
    };
    const inPanel = ["platformWorkbench.clearSearchInPanel"];
    const elsewhere = ["platformWorkbench.clearSearch"];
    assert.deepEqual(offered("workbench.view.extension.platformWorkbenchSearch"), [inPanel, inPanel]);
    assert.deepEqual(offered("terminal"), [elsewhere, elsewhere]);
    assert.deepEqual(offered(""), [elsewhere, elsewhere]);
    assert.equal(new Set(Object.values(both).map(({ title }) => title)).size, 1);
  });

  it("clears the view, and closes the panel only on request and if the view is visible", async () => {
    const results = new SearchResults();
    const [view] = editor.treeViews;
    assert.ok(view !== undefined);
    await results.begin("needle", "Sales forecasting");
    assert.match(view.message ?? "", /needle/);
    await results.clear();
    assert.equal(view.message, "");
    assert.equal(closings(), 0);
    await results.clearAndClosePanel();
    assert.equal(closings(), 1);
    view.visible = false;
    await results.clearAndClosePanel();
    assert.equal(closings(), 1);
    assert.deepEqual(editor.executed.at(-1), ["setContext", "platformWorkbench.searched", false]);
    results.dispose();
  });
});
