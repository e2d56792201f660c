import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OpenDocuments } from "../../src/file-system/session/open-documents.ts";
import { WindowSession } from "../../src/file-system/session/window-session.ts";
import { EditorVersions } from "../../src/file-system/versions/editor-versions.ts";
import { editor, StandInDocument, Uri } from "../harness/editor-stand-in/vscode.ts";

const authority = "workspace.tenant";
const path = "book.ipynb";
const version = (size: number) => ({ lastModified: "2026-01-01T00:00:00Z", size });

const newBook = (): StandInDocument =>
  new StandInDocument(Uri.parse(`platform-contents://${authority}/${path}`), Buffer.from("{}"), true);

describe("a notebook that was saved before the window reloads", () => {
  let storage: string;

  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), "platform-workbench-stored-"));
  });
  afterEach(() => rm(storage, { recursive: true, force: true }));

  /** A window, with the versions that it knows of the workspace. */
  const open = (): { documents: OpenDocuments; versions: EditorVersions; end: () => void } => {
    const session = new WindowSession();
    const versions = new EditorVersions();
    const documents = new OpenDocuments(() => versions, session, { storage: Uri.file(storage) });
    documents.restore(authority, versions);
    const end = (): void => {
      documents.dispose();
      session.end();
    };
    return { documents, versions, end };
  };

  const storedBase = (): unknown => {
    const { versions, end } = open();
    end();
    return versions.base(path, "notebook");
  };

  it("is not mistaken for an unsaved copy of the version before the save", async () => {
    const { documents, versions, end } = open();
    const notebook = newBook();
    try {
      versions.read(path, version(1), false);
      editor.open(notebook);
      editor.setDirty(notebook, true);
      await documents.stored();
      assert.deepEqual(storedBase(), version(1));
      versions.written(path, version(2));
      // The editor sends no event when a notebook no longer has unsaved changes.
      notebook.isDirty = false;
      editor.saved(notebook);
      await documents.stored();
      assert.equal(storedBase(), undefined);
    } finally {
      editor.close(notebook);
      end();
    }
  });

  /** A window whose browser stored the unsaved copy, but closed before it stored that the copy was saved. */
  const reopened = (): { versions: EditorVersions; notebook: StandInDocument; close: () => void } => {
    const { versions, end } = open();
    versions.restore(path, [{ version: version(1) }], "notebook");
    const notebook = newBook();
    const close = (): void => {
      editor.close(notebook);
      end();
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
