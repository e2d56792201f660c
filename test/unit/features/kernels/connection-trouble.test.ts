import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ConnectionTrouble } from "../../../../src/features/kernels/connection-trouble.ts";
import type { KernelServices } from "../../../../src/features/kernels/kernel-services.ts";
import { editor, nextMessage } from "../../../harness/editor-stand-in/vscode.ts";

describe("a notebook token that the server rejects while cells run", () => {
  const command = "platformWorkbench.setNotebookToken";
  afterEach(() => editor.ownCommands.delete(command));

  it("is requested again after its command failed", async () => {
    const shown: unknown[] = [];
    const trouble = new ConnectionTrouble({
      connections: { nameOf: () => "Sales" },
      showError: async (error: unknown) => void shown.push(error),
    } as unknown as KernelServices);
    const address = { tenantId: "tenant", workspaceId: "workspace" };
    const refused = (): void => trouble.reportState(address, { type: "credentialRejected", since: 0, reason: "no" });
    const failure = new Error("no secrets");
    editor.ownCommands.set(command, async () => {
      throw failure;
    });
    for (let time = 1; time <= 2; time += 1) {
      const asked = nextMessage();
      refused();
      const { items, choose } = await asked;
      const before = editor.messages.length;
      // Asked only once while the question is open.
      refused();
      assert.equal(editor.messages.length, before);
      choose(items[0]);
      await nextTurn();
      assert.equal(shown.length, time);
    }
    assert.equal(shown[0], failure);
  });
});
