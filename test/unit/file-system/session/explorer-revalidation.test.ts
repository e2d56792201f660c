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
    assert.equal(revalidation.consumeKnownListing("folder"), false);
  });

  it("is expected for all folders for three seconds after something was created or deleted", () => {
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

  it("is expected only for the parent folders of an opened file, for three seconds", () => {
    revalidation.fileOpened("folder/below/a.txt");
    assert.deepEqual(
      ["", "folder", "folder/below", "folder/be", "other"].map((path) => revalidation.isExpected(path)),
      [true, true, true, false, false],
    );
    now += 3_000;
    assert.equal(revalidation.isExpected("folder"), false);
  });

  it("is expected for one second for the parents of a file after its stat, unless one was just opened", () => {
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

  it("uses a cached listing once after a file was opened or changed", () => {
    revalidation.fileOpened("folder/a.txt");
    assert.equal(revalidation.consumeKnownListing("folder"), true);
    assert.equal(revalidation.consumeKnownListing("folder"), false);
    assert.equal(revalidation.consumeKnownListing(""), true);
    revalidation.fileOpened("folder/b.txt");
    assert.equal(revalidation.consumeKnownListing("folder"), true);
    revalidation.filesChanged([{ type: "deleted", path: "folder/b.txt" }]);
    assert.equal(revalidation.consumeKnownListing("folder"), true);
    assert.equal(revalidation.consumeKnownListing("folder"), false);
  });

  it("uses a polled listing for all requests for two seconds", () => {
    revalidation.directoryPolled("folder");
    now += 2_000;
    assert.equal(revalidation.consumeKnownListing("folder"), true);
    assert.equal(revalidation.consumeKnownListing("folder"), true);
    assert.equal(revalidation.consumeKnownListing("other"), false);
    now += 1;
    assert.equal(revalidation.consumeKnownListing("folder"), false);
  });
});
