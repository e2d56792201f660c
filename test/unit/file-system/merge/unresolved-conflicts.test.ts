import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";
import { nextMessage } from "../../../harness/editor-stand-in/vscode.ts";

describe("saving a merge with conflicts", () => {
  // The editor's API is a stand-in here, which only what is imported afterwards gets.
  const load = () => import("../../../../src/file-system/merge/unresolved-conflicts.ts");

  it("asks, naming the file and how many there are, and goes on after a yes", async () => {
    const { askToSaveUnresolved } = await load();
    const shown = nextMessage();
    const asked = askToSaveUnresolved("clean.py", 2);
    const question = await shown;
    assert.equal(question.text, "2 conflicts in clean.py aren't resolved. Save it anyway?");
    question.choose("Save with Conflicts");
    await asked;
  });

  it("fails with what to do when the person does not want that", async () => {
    const { askToSaveUnresolved } = await load();
    const shown = nextMessage();
    const asked = askToSaveUnresolved("clean.py", 1);
    const question = await shown;
    assert.equal(question.text, "1 conflict in clean.py isn't resolved. Save it anyway?");
    question.choose();
    await assert.rejects(asked, /clean\.py still has conflicts\. Resolve them, then save\./);
  });
});
