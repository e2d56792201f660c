import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { Uri } from "vscode";
import type { DeletedFolders } from "../../../../src/file-system/provider/undone-deletions.ts";
import { DeletedFolders as Folders } from "../../../../src/file-system/provider/undone-deletions.ts";
import { editor, nextMessage } from "../../../harness/editor-stand-in/vscode.ts";

describe("undoing the deletion of a folder", () => {
  let folders: DeletedFolders;
  let removed: string[];
  let uri: vscode.Uri;

  beforeEach(() => {
    removed = [];
    folders = new Folders({
      delete: async (folder, { recursive }) => {
        assert.equal(recursive, false);
        removed.push(folder.path);
      },
    });
    uri = Uri.from({ scheme: "platform-contents", authority: "sales.acme", path: "/data/reports" });
    folders.add(uri);
  });
  afterEach(() => folders.dispose());

  it("removes the empty folder again, and explains why", async () => {
    const shown = nextMessage();
    editor.created(uri, { isUndo: true });
    assert.match(
      (await shown).text,
      /^Can't undo the deletion of reports: its files were deleted from the server\. .*trash/,
    );
    assert.deepEqual(removed, ["/data/reports"]);
  });

  it("keeps a folder that a user creates again, even after Undo and Redo", () => {
    editor.created(uri, { isUndo: false });
    editor.created(uri, { isUndo: true });
    assert.deepEqual(removed, []);
  });

  it("doesn't affect other folders", () => {
    editor.created(uri.with({ path: "/data/others" }), { isUndo: true });
    assert.deepEqual(removed, []);
  });
});
