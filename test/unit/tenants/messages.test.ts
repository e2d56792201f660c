import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { window } from "vscode";
import { showError, showInformation, showWarning, withoutLinks } from "../../../src/tenants/messages.ts";
import { editor, nextMessage } from "../../harness/editor-stand-in/vscode.ts";

const hostile = "[Sales](command:workbench.action.quit)";

describe("messages", () => {
  it("never turn a name into a link, and return the chosen button", async () => {
    for (const [severity, show] of [
      ["information", showInformation],
      ["warning", showWarning],
      ["error", showError],
    ] as const) {
      const shown = nextMessage();
      const chosen = show(`Deleted ${hostile}.`, "Undo", "Show");
      const message = await shown;
      assert.deepEqual([message.severity, message.items], [severity, ["Undo", "Show"]]);
      assert.equal(message.text, "Deleted [Sales] (command:workbench.action.quit).");
      message.choose("Show");
      assert.equal(await chosen, "Show");
    }
    assert.ok(editor.messages.length >= 3);
  });

  it("show characters that change the text direction or control a terminal", () => {
    assert.equal(withoutLinks("Delete \u202efdp.exe\u001b[2J?"), "Delete \\u{202e}fdp.exe\\u{001b}[2J?");
    assert.ok(withoutLinks("a".repeat(1_000_000)).length < 11_000);
  });

  it("are the same in a dialog, whose detail has no links either", async () => {
    const shown: unknown[] = [];
    const original = window.showWarningMessage;
    Reflect.set(window, "showWarningMessage", async (...all: unknown[]) => void shown.push(all));
    try {
      await showWarning(`Delete ${hostile}?`, { modal: true, detail: `Below ${hostile}` }, "Delete");
      await showWarning("Stop?", { modal: true });
    } finally {
      Reflect.set(window, "showWarningMessage", original);
    }
    const plain = "[Sales] (command:workbench.action.quit)";
    assert.deepEqual(shown, [
      [`Delete ${plain}?`, { modal: true, detail: `Below ${plain}` }, "Delete"],
      ["Stop?", { modal: true }],
    ]);
  });

  it("all go through one module", async () => {
    const root = join(import.meta.dirname, "../../../src");
    const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith(".ts"));
    const others: string[] = [];
    for (const file of files.filter((one) => join(one) !== join("tenants/messages.ts"))) {
      if (/\bshow(?:Information|Warning|Error)Message\b/.test(await readFile(join(root, file), "utf8"))) {
        others.push(file);
      }
    }
    assert.ok(files.length > 300);
    assert.deepEqual(others, [], "use showInformation, showWarning, or showError of src/tenants/messages.ts");
  });
});
