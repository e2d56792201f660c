import assert from "node:assert/strict";
import { waitFor, withPatience } from "../../harness/workbench/waiting.ts";

describe("waiting for a window", () => {
  it("fails with what it waited for, what it found, and the last problem", async () => {
    const look = async (): Promise<undefined> => {
      throw new Error("the list is hidden\nand more");
    };
    await assert.rejects(
      withPatience(0.2, () => waitFor("a row missing.txt", look, { describe: async () => "[]" })),
      { message: "waited 0.2 s for a row missing.txt. There is: [] Last problem: the list is hidden" },
    );
  });

  it("ends with what the check returns", async () => {
    let looks = 0;
    const look = async (): Promise<string | undefined> => {
      looks += 1;
      return looks < 3 ? undefined : "a row";
    };
    assert.equal(await waitFor("a row", look), "a row");
  });
});
