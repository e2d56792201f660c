import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { transfersOf } from "../../../../src/file-system/transfer/transfer-progress.ts";
import { nextMessage, type ShownMessage, Uri, workspace } from "../../../harness/editor-stand-in/vscode.ts";

describe("a save that was interrupted while its content was put in place", () => {
  const root: vscode.Uri = Uri.parse("platform-contents://sales.acme/");
  let calls: string[];
  let failure: Error | undefined;

  beforeEach(() => {
    calls = [];
    failure = undefined;
    const record = async (call: string): Promise<void> => {
      calls.push(call);
      if (failure !== undefined) throw failure;
    };
    Object.assign(workspace, {
      fs: {
        rename: (from: vscode.Uri, to: vscode.Uri, { overwrite }: { overwrite: boolean }) =>
          record(`rename ${from.path} ${to.path} ${overwrite}`),
        delete: (uri: vscode.Uri) => record(`delete ${uri.path}`),
      },
    });
  });
  afterEach(() => Object.assign(workspace, { fs: undefined }));

  async function report(): Promise<ShownMessage> {
    const shown = nextMessage();
    transfersOf(root, async () => assert.fail("nothing is downloaded")).reportInterrupted(
      "reports/big.csv",
      "reports/big.csv.saving-12345678",
    );
    return shown;
  }
  async function next(message: ShownMessage, item: string): Promise<ShownMessage> {
    const shown = nextMessage();
    message.choose(item);
    return shown;
  }

  it("is reported with the file, where its content is, and what to do", async () => {
    const { severity, text, items } = await report();
    assert.equal(severity, "warning");
    assert.equal(
      text,
      "Saving reports/big.csv was interrupted when its window closed. reports/big.csv has the content from before, and the complete new content is in big.csv.saving-12345678 beside it. Use the new content, or delete it.",
    );
    assert.deepEqual(items, ["Use New Content…", "Delete New Content…"]);
    assert.deepEqual(calls, []);
  });

  it("is finished after a confirmation that names both", async () => {
    const question = await next(await report(), "Use New Content…");
    assert.equal(question.text, "Replace big.csv with the content of big.csv.saving-12345678?");
    assert.deepEqual(calls, []);
    assert.equal((await next(question, "Replace")).text, "big.csv has the new content.");
    assert.deepEqual(calls, ["rename /reports/big.csv.saving-12345678 /reports/big.csv true"]);
  });

  it("says why it can't be finished or deleted", async () => {
    failure = new Error("The workspace isn't running.");
    const question = await next(await report(), "Delete New Content…");
    assert.equal(question.text, "Delete big.csv.saving-12345678?");
    assert.equal((await next(question, "Delete")).text, "The workspace isn't running.");
    assert.deepEqual(calls, ["delete /reports/big.csv.saving-12345678"]);
  });
});
