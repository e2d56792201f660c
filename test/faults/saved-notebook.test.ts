import assert from "node:assert/strict";
import { OpenDocuments } from "../../src/file-system/session/open-documents.ts";
import { EditorVersions } from "../../src/file-system/versions/editor-versions.ts";
import { StandInMemento } from "../harness/editor-stand-in/memory.ts";
import { editor, StandInDocument, Uri } from "../harness/editor-stand-in/vscode.ts";

const authority = "workspace.tenant";
const path = "book.ipynb";
const version = (size: number) => ({ lastModified: "2026-01-01T00:00:00Z", size });

describe("a notebook that was saved before the window reloads", () => {
  it("is not mistaken for an unsaved copy of the version before the save", () => {
    const memory = new StandInMemento();
    const versions = new EditorVersions();
    const documents = new OpenDocuments(memory, () => versions);
    const notebook = new StandInDocument(
      Uri.parse(`platform-contents://${authority}/${path}`),
      Buffer.from("{}"),
      true,
    );
    try {
      versions.read(path, version(1), false);
      editor.open(notebook);
      editor.setDirty(notebook, true);
      const unsaved = new OpenDocuments(memory, () => new EditorVersions());
      assert.deepEqual(unsaved.storedFor(authority), { [path]: version(1) });
      unsaved.dispose();
      versions.written(path, version(2));
      // The editor sends no event when a notebook no longer has unsaved changes.
      notebook.isDirty = false;
      editor.saved(notebook);
      const later = new OpenDocuments(memory, () => new EditorVersions());
      assert.deepEqual(later.storedFor(authority), {});
      later.dispose();
    } finally {
      editor.close(notebook);
      documents.dispose();
    }
  });
});
