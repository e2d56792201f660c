import assert from "node:assert/strict";
import { askText } from "../../../../src/ui/quick-input/questions.ts";
import { CancellationError, nextInput } from "../../../harness/editor-stand-in/vscode.ts";

describe("input boxes", () => {
  it("don't turn a name in a prompt or a reason into a link", async () => {
    const hostile = "[Sales](command:workbench.action.quit)";
    const plain = "[Sales] (command:workbench.action.quit)";
    const shown = nextInput();
    const asked = askText(
      { title: "", step: 1, totalSteps: 1, canGoBack: false },
      { prompt: `Id of ${hostile}`, placeholder: "", read: () => ({ valid: false, reason: `Not ${hostile}` }) },
    );
    const input = await shown;
    assert.equal(input.words, `Id of ${plain}`);
    input.type("bad");
    assert.equal(input.words, `Not ${plain}`);
    input.dispose();
    await assert.rejects(asked, CancellationError);
  });
});
