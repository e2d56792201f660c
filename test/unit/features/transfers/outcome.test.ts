import assert from "node:assert/strict";
import { showOutcome } from "../../../../src/features/transfers/transfer.ts";
import { nextMessage } from "../../../harness/editor-stand-in/vscode.ts";

describe("the outcome of a transfer", () => {
  const shownMs = async (
    ...reasons: readonly string[]
  ): Promise<{ readonly text: string; readonly logged: string[] }> => {
    const logged: string[] = [];
    const log = { warn: (line: string) => logged.push(line), show: () => assert.fail("not asked for") };
    const skipped = reasons.map((reason, index) => ({ name: `${index}.txt`, reason }));
    const shown = nextMessage();
    const outcome = showOutcome("Uploaded 0 files.", { skipped, renamed: [] }, false, log);
    const message = await shown;
    message.choose();
    await outcome;
    return { text: message.text, logged };
  };

  it("ends with one period, whether the reason is a sentence or not", async () => {
    const sentence = await shownMs("The server doesn't accept the name.");
    assert.equal(sentence.text, "Uploaded 0 files. 0.txt was skipped: The server doesn't accept the name.");
    const words = await shownMs("it already exists", "it isn't a file");
    assert.equal(words.text, "Uploaded 0 files. 2 files were skipped. The first is 0.txt: it already exists.");
    assert.deepEqual(words.logged, ["skipped 0.txt: it already exists", "skipped 1.txt: it isn't a file"]);
  });
});
