import assert from "node:assert/strict";
import { AttachmentQuestions } from "../../../../src/file-system/provider/attachment-questions.ts";
import { nextMessage, Uri } from "../../../harness/editor-stand-in/vscode.ts";

const notebook = (names: readonly string[], isKept: boolean): Buffer => {
  const attachments = Object.fromEntries(names.map((name) => [name, { "image/png": "AAAA" }]));
  const source = names.map((name) => `![](attachment:${encodeURIComponent(name)})`);
  const cell = { cell_type: "markdown", id: "a", metadata: {}, source, ...(isKept ? { attachments } : {}) };
  return Buffer.from(JSON.stringify({ cells: [cell] }));
};

describe("saving a notebook without attachments that it shows", () => {
  const uri = Uri.parse("platform-contents://4f7c21aa.one/folder/book.ipynb");

  it("asks once for each set of names, and then saves", async () => {
    const questions = new AttachmentQuestions();
    const save = (...names: readonly string[]): Promise<void> =>
      questions.ask(uri, notebook(names, true), notebook(names, false));
    const shown = nextMessage();
    const first = save("a b.png");
    const question = await shown;
    assert.equal(question.text, "Save book.ipynb without an attachment that a cell still shows?");
    assert.match(question.detail ?? "", /^a b\.png\n\nThe editor keeps .*: <attachment:a b\.png>\./);
    question.choose("Save Anyway");
    await first;
    await save("a b.png");

    const more = nextMessage();
    const second = save("a b.png", "c d.png", "e f.png");
    const next = await more;
    assert.equal(next.text, "Save book.ipynb without 2 attachments that cells still show?");
    next.choose("Save Anyway");
    await second;
    await save("c d.png");
  });

  it("fails with the names if declined, and asks again", async () => {
    const questions = new AttachmentQuestions();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const shown = nextMessage();
      const saving = questions.ask(uri, notebook(["a b.png"], true), notebook(["a b.png"], false));
      (await shown).choose();
      await assert.rejects(saving, /book\.ipynb wasn't saved, because the editor would remove attachments: a b\.png\./);
    }
  });

  it("asks nothing if all of them are saved", async () => {
    await new AttachmentQuestions().ask(uri, notebook(["a b.png"], true), notebook(["a b.png"], true));
  });
});
