import assert from "node:assert/strict";
import "../../harness/editor-stand-in/register.ts";

describe("the text of a file system error", () => {
  it("names the URI, unless the text has the path or the editor shows it", async () => {
    const { Uri } = await import("vscode");
    const { fileSystemError } = await import("../../../src/file-system/editor-errors.ts");
    const at = (path: string) => Uri.parse(`platform-contents://w-1.sample/${path}`);
    const told = (text: string, path: string, address?: "shownByEditor"): string =>
      fileSystemError(new Error(text), at(path), address).message;
    for (const [text, path] of [
      ["Names can't begin with a dot: .a.py.", "a.py"],
      ["data/my plan.csv has no times.", "data/my plan.csv"],
      ["a", "a"],
    ] as const) {
      assert.equal(told(text, path), text);
    }
    for (const [text, path] of [
      ["The server did not answer.", "a"],
      ["b.pyc was changed.", "b.py"],
      ["The server did not answer.", ""],
    ] as const) {
      assert.equal(told(text, path), `${text} (platform-contents://w-1.sample/${path})`);
      assert.equal(told(text, path, "shownByEditor"), text);
    }
  });
});
