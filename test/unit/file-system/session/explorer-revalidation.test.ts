import assert from "node:assert/strict";
import { ExplorerRevalidation } from "../../../../src/file-system/session/explorer-revalidation.ts";

describe("the Explorer's revalidation", () => {
  let now: number;
  let revalidation: ExplorerRevalidation;

  beforeEach(() => {
    now = 1_000_000;
    revalidation = new ExplorerRevalidation(() => now);
  });

  it("is not expected when nothing was opened or changed", () => {
    assert.equal(revalidation.isExpected(""), false);
    assert.equal(revalidation.takeKnownListing("folder"), false);
  });

  it("is expected of every folder for three seconds after something was created or deleted", () => {
    revalidation.filesChanged([{ type: "created", path: "folder/a.txt" }]);
    now += 2_999;
    assert.equal(revalidation.isExpected("other"), true);
    now += 1;
    assert.equal(revalidation.isExpected("other"), false);
  });

  it("is not expected after a file's content changed", () => {
    revalidation.filesChanged([{ type: "changed", path: "folder/a.txt" }]);
    assert.equal(revalidation.isExpected("folder"), false);
  });

  it("is expected of the folders above an opened file alone, for three seconds", () => {
    revalidation.fileOpened("folder/below/a.txt");
    assert.deepEqual(
      ["", "folder", "folder/below", "folder/be", "other"].map((path) => revalidation.isExpected(path)),
      [true, true, true, false, false],
    );
    now += 3_000;
    assert.equal(revalidation.isExpected("folder"), false);
  });

  it("is expected for one second above a file that was looked for, unless one was opened just before", () => {
    revalidation.fileFound("folder/a.txt");
    now += 999;
    assert.equal(revalidation.isExpected("folder"), true);
    now += 1;
    assert.equal(revalidation.isExpected("folder"), false);
    revalidation.fileOpened("folder/a.txt");
    revalidation.fileFound("other/b.txt");
    assert.equal(revalidation.isExpected("folder"), true);
    assert.equal(revalidation.isExpected("other"), false);
  });

  it("lets a known listing answer once for each opening or change", () => {
    revalidation.fileOpened("folder/a.txt");
    assert.equal(revalidation.takeKnownListing("folder"), true);
    assert.equal(revalidation.takeKnownListing("folder"), false);
    assert.equal(revalidation.takeKnownListing(""), true);
    revalidation.fileOpened("folder/b.txt");
    assert.equal(revalidation.takeKnownListing("folder"), true);
    revalidation.filesChanged([{ type: "deleted", path: "folder/b.txt" }]);
    assert.equal(revalidation.takeKnownListing("folder"), true);
    assert.equal(revalidation.takeKnownListing("folder"), false);
  });

  it("lets the listing of a folder that was polled answer everybody for two seconds", () => {
    revalidation.directoryPolled("folder");
    now += 1_999;
    assert.equal(revalidation.takeKnownListing("folder"), true);
    assert.equal(revalidation.takeKnownListing("folder"), true);
    assert.equal(revalidation.takeKnownListing("other"), false);
    now += 1;
    assert.equal(revalidation.takeKnownListing("folder"), false);
  });
});
