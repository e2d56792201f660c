import assert from "node:assert/strict";
import {
  askOnSave,
  askToSaveUnresolved,
  mergedDocument,
  saveMerged,
} from "../../../../src/file-system/merge/unresolved-conflicts.ts";
import { editor, nextMessage, Uri } from "../../../harness/editor-stand-in/vscode.ts";

describe("saving a merge with conflicts", () => {
  it("asks with the file's name and the number of conflicts, and continues if confirmed", async () => {
    const shown = nextMessage();
    const asked = askToSaveUnresolved(Uri.parse("x:/clean.py"), "clean.py", 2);
    const question = await shown;
    assert.equal(question.text, "2 conflicts in clean.py aren't resolved. Save it anyway?");
    question.choose("Save with Conflicts");
    await asked;
  });

  it("fails with instructions if declined", async () => {
    const shown = nextMessage();
    const asked = askToSaveUnresolved(Uri.parse("x:/clean.py"), "clean.py", 1);
    const question = await shown;
    assert.equal(question.text, "1 conflict in clean.py isn't resolved. Save it anyway?");
    question.choose();
    await assert.rejects(asked, /clean\.py still has conflicts\. Resolve them, then save\./);
  });

  describe("by the command", () => {
    const uri = Uri.parse("platform-contents://one/clean.py");
    const save = "workbench.action.files.save";
    let shownConflicts = 0;
    const showConflict = async (): Promise<void> => {
      shownConflicts += 1;
    };
    const saves = (): number => editor.executed.filter(([id]) => id === save).length;
    afterEach(() => editor.ownCommands.clear());

    it("saves nothing and reports no failure if declined", async () => {
      const end = askOnSave({ uri, name: "clean.py", conflicts: () => 1, showConflict });
      const document = mergedDocument([Uri.parse("x:/other"), uri]);
      assert.ok(document !== undefined);
      const before = saves();
      const shown = nextMessage();
      const saving = saveMerged(document);
      (await shown).choose();
      await saving;
      assert.equal(saves(), before);
      end();
      assert.equal(mergedDocument([uri]), undefined);
    });

    it("shows the next conflict and saves nothing with the default button", async () => {
      const [before, shownBefore] = [saves(), shownConflicts];
      const shown = nextMessage();
      const saving = saveMerged({ uri, name: "clean.py", conflicts: () => 1, showConflict });
      const { items, choose } = await shown;
      const [first = "", second] = items;
      assert.equal(second, "Save with Conflicts");
      choose(first);
      await saving;
      assert.deepEqual([saves(), shownConflicts], [before, shownBefore + 1]);
    });

    it("asks once for the conflicts that are then saved, and again for more", async () => {
      let found = 1;
      editor.ownCommands.set(save, () => askToSaveUnresolved(uri, "clean.py", found));
      const only = nextMessage();
      const agreed = saveMerged({ uri, name: "clean.py", conflicts: () => 1, showConflict });
      (await only).choose("Save with Conflicts");
      await agreed;

      found = 2;
      const first = nextMessage();
      const saving = saveMerged({ uri, name: "clean.py", conflicts: () => 1, showConflict });
      const question = await first;
      const second = nextMessage();
      question.choose("Save with Conflicts");
      const again = await second;
      assert.equal(again.text, "2 conflicts in clean.py aren't resolved. Save it anyway?");
      again.choose();
      await assert.rejects(saving, /still has conflicts/);
    });

    it("is confirmed for only one save", async () => {
      const shown = nextMessage();
      const saving = saveMerged({ uri, name: "clean.py", conflicts: () => 1, showConflict });
      (await shown).choose("Save with Conflicts");
      await saving;
      const later = nextMessage();
      const asked = askToSaveUnresolved(uri, "clean.py", 1);
      (await later).choose();
      await assert.rejects(asked, /still has conflicts/);
    });
  });
});
