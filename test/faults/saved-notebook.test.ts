import assert from "node:assert/strict";
import { OpenDocuments } from "../../src/file-system/session/open-documents.ts";
import { EditorVersions } from "../../src/file-system/versions/editor-versions.ts";
import { StandInMemento } from "../harness/editor-stand-in/memory.ts";
import { editor, StandInDocument, Uri } from "../harness/editor-stand-in/vscode.ts";

const authority = "workspace.tenant";
const path = "book.ipynb";
const version = (size: number) => ({ lastModified: "2026-01-01T00:00:00Z", size });

const newBook = (): StandInDocument =>
  new StandInDocument(Uri.parse(`platform-contents://${authority}/${path}`), Buffer.from("{}"), true);

describe("a notebook that was saved before the window reloads", () => {
  it("is not mistaken for an unsaved copy of the version before the save", () => {
    const memory = new StandInMemento();
    const versions = new EditorVersions();
    const documents = new OpenDocuments(memory, () => versions);
    const notebook = newBook();
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

  /** A window whose browser stored the unsaved copy, but closed before it stored that the copy was saved. */
  const reopened = (): { versions: EditorVersions; notebook: StandInDocument; close: () => void } => {
    const versions = new EditorVersions();
    versions.restore({ [path]: version(1) });
    const documents = new OpenDocuments(new StandInMemento(), () => versions);
    const notebook = newBook();
    const close = (): void => {
      editor.close(notebook);
      documents.dispose();
    };
    return { versions, notebook, close };
  };

  for (const isReported of [true, false]) {
    it(`has the saved version if it changes as soon as it opens, ${isReported ? "" : "not yet "}reported as unsaved`, () => {
      const { versions, notebook, close } = reopened();
      try {
        versions.read(path, version(2), false);
        editor.open(notebook);
        editor.setDirty(notebook, isReported);
        assert.equal(versions.verdict(path, version(2)), "same");
      } finally {
        close();
      }
    });
  }

  it("has the version before it if the editor restored an unsaved copy, even if something else reads the file", () => {
    const { versions, notebook, close } = reopened();
    try {
      editor.open(notebook);
      versions.read(path, version(2), true);
      editor.setDirty(notebook, true);
      assert.equal(versions.verdict(path, version(2)), "conflict");
    } finally {
      close();
    }
  });
});
