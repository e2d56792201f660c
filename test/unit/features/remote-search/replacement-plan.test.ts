import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { matchesIn, patternOf } from "../../../../src/features/remote-search/matches.ts";
import { planReplacements } from "../../../../src/features/remote-search/replacement-plan.ts";
import { type Replaced, saveReplaced } from "../../../../src/features/remote-search/replacement-run.ts";
import type { SearchedFile } from "../../../../src/features/remote-search/search-results.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";
import { EndOfLine, FilePermission, type Range, workspace } from "../../../harness/editor-stand-in/vscode.ts";

const pattern = patternOf({ text: "o(l)d", isCaseSensitive: true, isRegularExpression: true, isWholeWord: false });

/** A text document, as far as a replacement uses it. */
class Text {
  readonly uri: vscode.Uri;
  readonly eol: number;
  text: string;
  isDirty = false;
  saves = 0;
  canSave = true;

  constructor(uri: vscode.Uri, text: string) {
    this.uri = uri;
    this.text = text;
    this.eol = text.includes("\r\n") ? EndOfLine.CRLF : EndOfLine.LF;
  }
  get #lines(): readonly string[] {
    return this.text.split(/(?<=\n)/);
  }
  get lineCount(): number {
    return this.#lines.length;
  }
  offsetAt({ line, character }: Range["start"]): number {
    return this.#lines.slice(0, line).join("").length + character;
  }
  getText(range?: Range): string {
    return range === undefined ? this.text : this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end));
  }
  async save(): Promise<boolean> {
    this.saves += 1;
    return this.canSave;
  }
}

/** A notebook, with a text for each cell. */
class Notebook {
  readonly cells: readonly Text[];
  isDirty = false;
  constructor(uri: vscode.Uri, texts: readonly string[]) {
    this.cells = texts.map((text, index) => new Text(uri.with({ fragment: String(index) }), text));
  }
  get cellCount(): number {
    return this.cells.length;
  }
  cellAt(index: number): { readonly document: Text | undefined } {
    return { document: this.cells[index] };
  }
  getCells(): readonly { readonly document: Text }[] {
    return this.cells.map((document) => ({ document }));
  }
  async save(): Promise<boolean> {
    return true;
  }
}

describe("replacing matches", () => {
  const { openTextDocument, openNotebookDocument } = workspace;
  const documents = new Map<string, Text | Notebook>();
  let readOnly: string | undefined;

  before(() => {
    const open = async ({ path }: vscode.Uri): Promise<unknown> => {
      const document = documents.get(path);
      if (document === undefined) throw new Error("It is gone.");
      return document;
    };
    const stat = async ({ path }: vscode.Uri): Promise<object> =>
      path.endsWith(readOnly ?? "none") ? { permissions: FilePermission.Readonly } : {};
    Object.assign(workspace, { openTextDocument: open, openNotebookDocument: open, fs: { stat } });
  });
  after(() => {
    Object.assign(workspace, { openTextDocument, openNotebookDocument, fs: undefined });
  });
  beforeEach(() => {
    documents.clear();
    readOnly = undefined;
  });

  /** A file with the matches in these texts, and its document in the editor. */
  function file(path: string, texts: readonly string[], shown: Text | Notebook | undefined): SearchedFile {
    const uri = uriOf("tenant", "workspace", path);
    if (shown !== undefined) documents.set(uri.path, shown);
    const searched = { texts, areCells: path.endsWith(".ipynb") };
    return { uri, path, matches: matchesIn(searched, pattern, 100, { withGroups: true }).matches };
  }
  function textFile(path: string, text: string, now = text): { readonly found: SearchedFile; readonly shown: Text } {
    const shown = new Text(uriOf("tenant", "workspace", path), now);
    return { found: file(path, [text], shown), shown };
  }
  const plan = (found: readonly SearchedFile[], text = "new") =>
    planReplacements(found, {
      replacement: () => text,
      signal: new AbortController().signal,
      onOpened: () => {},
    });

  it("plans changes only where the document has the matched text, and says what is left", async () => {
    const same = textFile("same.py", "old old\nx old");
    const stale = textFile("stale.py", "old\nold\n", "# a new line\nold\n");
    const locked = textFile("locked.py", "old");
    readOnly = "locked.py";
    const gone = file("gone.py", ["old"], undefined);
    const broken = { ...textFile("broken.py", "old").found, path: "broken.ipynb" };
    const long = textFile("long.py", "old").found;
    const tooLong = { ...long, matches: long.matches.map(({ groups: _, ...match }) => match) };
    const { files, left, count } = await plan([same.found, stale.found, locked.found, gone, broken, tooLong]);
    assert.equal(count, 4);
    assert.deepEqual(
      files.map(({ path, documents }) => [path, documents.flatMap(({ edits }) => edits.map(({ start }) => start))]),
      [
        ["same.py", [0, 4, 10]],
        ["stale.py", [13]],
      ],
    );
    assert.deepEqual(Object.fromEntries(left.map(({ path, reason }) => [path, reason])), {
      "stale.py": "1 match has changed since the search.",
      "locked.py": "It is read-only.",
      "gone.py": "It is gone.",
      "broken.ipynb": "It can't be read as a notebook.",
      "long.py": "1 match is too long.",
    });
  });

  it("changes cells, keeps the line ends of a document, and leaves out what is the same already", async () => {
    const notebook = new Notebook(uriOf("tenant", "workspace", "n.ipynb"), ["x", "old + old"]);
    const found = file("n.ipynb", ["x", "old + old"], notebook);
    const windows = textFile("windows.py", "old\r\nx");
    const { files } = await plan([found, windows.found], "a\nb");
    assert.deepEqual(
      files.map(({ path, isNotebook, documents }) => [path, isNotebook, documents.map(({ uri }) => uri.fragment)]),
      [
        ["n.ipynb", true, ["1"]],
        ["windows.py", false, [""]],
      ],
    );
    assert.equal(files[1]?.documents[0]?.edits[0]?.text, "a\r\nb");
    assert.deepEqual((await plan([found, windows.found], "old")).files, []);
  });

  const replaceIn = async (
    { found, shown }: ReturnType<typeof textFile>,
    change: (text: string) => string,
  ): Promise<Replaced> => {
    const { files } = await plan([found]);
    shown.text = change(shown.text);
    shown.isDirty = shown.isDirty || change !== kept;
    return saveReplaced(files);
  };
  const kept = (text: string): string => text;
  const all = (text: string): string => text.replaceAll("old", "new");

  it("saves what was changed, and counts what the user had selected", async () => {
    const both = textFile("a.py", "old old");
    assert.equal((await replaceIn(both, all)).matches, 2);
    assert.equal(both.shown.saves, 1);
    const one = textFile("b.py", "old old");
    const { matches, files, unsaved } = await replaceIn(one, (text) => text.replace("old", "new"));
    assert.deepEqual([matches, files.length, unsaved], [1, 1, []]);
    const none = textFile("c.py", "old old");
    assert.deepEqual(await replaceIn(none, kept), { matches: 0, files: [], unsaved: [] });
    assert.equal(none.shown.saves, 0);
  });

  it("doesn't save a document that had unsaved changes, or that something else has changed, and says why", async () => {
    const dirty = textFile("dirty.py", "old");
    dirty.shown.isDirty = true;
    const { matches, unsaved } = await replaceIn(dirty, all);
    assert.deepEqual(
      [matches, unsaved.map(({ reason }) => reason)],
      [1, ["It had unsaved changes before, so it was not saved."]],
    );
    const other = textFile("other.py", "old");
    const changed = await replaceIn(other, () => "text of somebody else, new");
    assert.match(changed.unsaved[0]?.reason ?? "", /^It has changed since the search\. Check it/);
    assert.deepEqual([dirty.shown.saves, other.shown.saves], [0, 0]);
    const failing = textFile("failing.py", "old");
    failing.shown.canSave = false;
    assert.deepEqual((await replaceIn(failing, all)).unsaved, [
      { path: "failing.py", reason: "It could not be saved." },
    ]);
  });
});
