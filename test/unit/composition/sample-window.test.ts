import assert from "node:assert/strict";
import { sampleWindowLocation } from "../../../src/composition/sample-window.ts";
import * as vscode from "../../harness/editor-stand-in/vscode.ts";

type Place = Awaited<ReturnType<typeof sampleWindowLocation>>;

const sample = { tenantId: "sample", workspaceId: "w-1" };

describe("the sample tenant's workspace", () => {
  const { messages } = vscode.editor;
  const ask = (folders: readonly { readonly uri: string; readonly name: string }[]): Promise<Place> => {
    messages.length = 0;
    const workspaceFolders = folders.map(({ uri, name }) => ({ uri: vscode.Uri.parse(uri), name }));
    Object.assign(vscode.workspace, { workspaceFolders });
    return sampleWindowLocation(sample, "Sales forecasting");
  };
  after(() => {
    vscode.editor.messages.length = 0;
    Object.assign(vscode.workspace, { workspaceFolders: undefined });
  });

  it("opens in a window without folders, and in its own, without a question", async () => {
    assert.equal(await ask([]), "here");
    assert.equal(await ask([{ uri: "platform-contents://w-1.sample/", name: "Sales forecasting" }]), "here");
    assert.equal(messages.length, 0);
  });

  it("asks before it replaces another folder", async () => {
    for (const [response, place] of [
      ["Open in This Window", "here"],
      ["Open in New Window", "newWindow"],
      [undefined, undefined],
    ] as const) {
      const asking = ask([{ uri: "file:///home/ada/thesis", name: "thesis" }]);
      const [asked, ...others] = messages;
      assert.ok(asked !== undefined && others.length === 0);
      assert.equal(asked.text, "Open the sample workspace Sales forecasting?");
      assert.deepEqual(asked.items, ["Open in This Window", "Open in New Window"]);
      asked.choose(response);
      assert.equal(await asking, place);
    }
  });
});
