import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { editor, nextMessage, StandInDocument, Uri } from "../harness/editor-stand-in/vscode.ts";
import { startTwoClients, type TwoClients } from "./two-clients.ts";

const options = { create: false, overwrite: true };
const notebook = (isWhole: boolean): string => {
  const attachments = isWhole ? { attachments: { "a b.png": { "image/png": "AAAA" } } } : {};
  const cell = { cell_type: "markdown", id: "a", metadata: {}, source: ["![](attachment:a%20b.png)"], ...attachments };
  return JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 });
};

describe("a notebook whose editor drops an attachment that a cell shows", () => {
  let rig: TwoClients;

  before(async () => {
    rig = await startTwoClients();
  });
  after(() => rig.stop());

  /** The saved notebook in an editor, and a save of what the editor makes of it. */
  async function opened(isNotebook: boolean): Promise<{
    readonly save: () => Promise<void>;
    readonly saved: () => Promise<boolean>;
    readonly close: () => void;
  }> {
    const { one, place } = rig;
    const path = `${randomUUID()}.ipynb`;
    await writeFile(join(place.root, path), notebook(true));
    const uri = one.uri(path);
    const document = new StandInDocument(Uri.parse(uri.toString()), await one.files.readFile(uri), isNotebook);
    editor.open(document);
    editor.edit(document, Buffer.from(notebook(false)));
    return {
      save: () => one.files.writeFile(uri, document.bytes, options),
      saved: async () => !(await readFile(join(place.root, path), "utf8")).includes("attachments"),
      close: () => editor.close(document),
    };
  }

  it("is not saved unless the user agrees", async () => {
    const { save, saved, close } = await opened(true);
    const question = nextMessage();
    const declined = save();
    const { text, choose } = await question;
    assert.match(text, /without an attachment that a cell still shows\?$/);
    choose();
    await assert.rejects(declined, /the editor would remove attachments: a b\.png/);
    assert.equal(await saved(), false);

    const again = nextMessage();
    const agreed = save();
    (await again).choose("Save Anyway");
    await agreed;
    assert.equal(await saved(), true);
    close();
  });

  it("is saved without a question from a text editor, where the user has removed it", async () => {
    const { save, saved, close } = await opened(false);
    await save();
    assert.equal(await saved(), true);
    close();
  });
});
