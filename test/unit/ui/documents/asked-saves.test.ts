import assert from "node:assert/strict";
import { CancellationError } from "vscode";
import { AskedSaves, DeclinedSave } from "../../../../src/ui/documents/asked-saves.ts";
import { editor, StandInDocument, TextDocumentSaveReason, Uri } from "../../../harness/editor-stand-in/vscode.ts";

describe("documents that ask before they are sent", () => {
  const uri = Uri.parse("platform-documents://one.tenant/configuration/one.json");
  let document: StandInDocument;
  let done: string[];
  const agreed = {
    send: async () => void done.push("sent"),
    onSaved: () => void done.push("told"),
  };

  beforeEach(() => {
    done = [];
    document = new StandInDocument(uri, Buffer.from('{ "cpu": 2 }'), false);
    document.save = async () => {
      done.push("saved");
      return true;
    };
    editor.open(document);
    editor.setDirty(document, true);
  });
  afterEach(() => editor.close(document));

  it("are neither sent nor saved if declined, which no command reports", async () => {
    const sending = new AskedSaves().send(uri, () => Promise.reject(new DeclinedSave("It was not sent.")));
    await assert.rejects(
      sending,
      (error) => error instanceof CancellationError && error.message === "It was not sent.",
    );
    assert.deepEqual(done, []);
    assert.equal(document.isDirty, true);
  });

  it("are sent, then saved without asking again, even if saving formats them", async () => {
    const saves = new AskedSaves();
    const ask = async (text: string): Promise<typeof agreed> => {
      done.push(`asked about ${text}`);
      return agreed;
    };
    document.save = async () => {
      await saves.write(uri, "one.json", '{"cpu":2}\n', ask);
      done.push("saved");
      return true;
    };
    await saves.send(uri, async () => agreed);
    assert.deepEqual(done, ["sent", "saved", "told"]);
    await saves.write(uri, "one.json", '{ "cpu": 2 }', ask);
    assert.deepEqual(done.slice(3), ['asked about { "cpu": 2 }', "sent", "told"], "the next save asks");
  });

  it("ask again if they changed after they were sent", async () => {
    const saves = new AskedSaves();
    document.save = async () => {
      await assert.rejects(
        saves.write(uri, "one.json", '{"cpu":4}', () => Promise.reject(new Error("asked"))),
        /asked/,
      );
      return true;
    };
    await saves.send(uri, async () => agreed);
    assert.deepEqual(done, ["sent", "told"]);
  });

  it("are not sent by an automatic save, without a question", async () => {
    const saves = new AskedSaves();
    const write = (): Promise<void> =>
      saves.write(uri, "one.json", '{"cpu":4}', async () => {
        done.push("asked");
        return agreed;
      });
    editor.announceSave(document, TextDocumentSaveReason.AfterDelay);
    await assert.rejects(write(), /one\.json isn't sent automatically/);
    assert.deepEqual(done, []);
    editor.announceSave(document, TextDocumentSaveReason.Manual);
    await write();
    assert.deepEqual(done, ["asked", "sent", "told"]);
  });

  it("stay unsaved if sending fails, and the failure is reported", async () => {
    const saves = new AskedSaves();
    const failing = { ...agreed, send: () => Promise.reject(new Error("503")) };
    await assert.rejects(
      saves.send(uri, async () => failing),
      /503/,
    );
    assert.deepEqual(done, []);
  });

  it("ask nothing without changes", async () => {
    editor.setDirty(document, false);
    await new AskedSaves().send(uri, () => Promise.reject(new Error("asked")));
    assert.deepEqual(done, []);
  });
});
