import assert from "node:assert/strict";
import {
  otherWithTarget,
  promotionOf,
  usualOptions,
  withTarget,
} from "../../../../src/features/sandbox/promotion-mapping.ts";

const repository = { id: "r-1", repositoryContent: { pageIds: [1001, "1002"], cardIds: ["90210"] } };
const page = { contentType: "PAGE", repositoryObjectId: "1001" };

describe("the options of a promotion", () => {
  it("create a new item for everything by default, without a seeded repository and an approval", () => {
    assert.deepEqual(promotionOf("c-1", usualOptions(repository)), {
      commitId: "c-1",
      mapping: [
        { contentType: "PAGE", repositoryObjectId: "1001", deployObjectId: null },
        { contentType: "PAGE", repositoryObjectId: "1002", deployObjectId: null },
        { contentType: "CARD", repositoryObjectId: "90210", deployObjectId: null },
      ],
    });
  });

  it("send the choices: the overwritten item, the seeded repository, and the approval's id", () => {
    const usual = usualOptions(repository);
    const mapping = withTarget(usual.mapping, page, { type: "replaces", id: "77", name: "Sales" });
    const sent = promotionOf("c-1", { mapping, seededName: "Copy", approvalId: "a-9" });
    assert.deepEqual(sent.mapping[0], { ...page, deployObjectId: "77" });
    assert.deepEqual([sent.mapping[1]?.deployObjectId, sent.mapping[2]?.deployObjectId], [null, null]);
    assert.deepEqual([sent.seedingRepositoryName, sent.approvalId], ["Copy", "a-9"]);
    const undone = withTarget(mapping, page, { type: "new" });
    assert.deepEqual(undone, usual.mapping);
  });

  it("know which item of the same kind already overwrites a target", () => {
    const { mapping } = usualOptions(repository);
    const after = withTarget(mapping, page, { type: "replaces", id: "77", name: undefined });
    const other = { contentType: "PAGE", repositoryObjectId: "1002" };
    assert.equal(otherWithTarget(after, other, "77")?.repositoryObjectId, "1001");
    assert.equal(otherWithTarget(after, page, "77"), undefined);
    assert.equal(otherWithTarget(after, { contentType: "CARD", repositoryObjectId: "90210" }, "77"), undefined);
  });
});
