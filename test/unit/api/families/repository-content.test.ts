import assert from "node:assert/strict";
import { repository } from "../../../../src/api/catalogue/models/sandbox.ts";
import { repositoryContentItems } from "../../../../src/api/families/repository-content.ts";

describe("the content of a repository", () => {
  // Proves 2.10: a repository has lists of page, card, dataflow, and view IDs
  it("has the content types of a promotion", () => {
    const items = repositoryContentItems({
      id: "r-1",
      repositoryContent: {
        pageIds: [1],
        cardIds: [2, "3"],
        dataflowIds: [4],
        viewIds: ["v"],
        dataAppIds: [5],
        streamIds: [6],
      },
    });
    assert.deepEqual(
      items.map(({ contentType, repositoryObjectId }) => `${contentType} ${repositoryObjectId}`),
      ["PAGE 1", "CARD 2", "CARD 3", "DATAFLOW 4", "VIEW v", "DATA_APP 5", "STREAM 6"],
    );
  });

  it("has a content type for every kind in the model", () => {
    const { repositoryContent } = repository.def.shape;
    const fields = Object.keys(repositoryContent.def.innerType.def.innerType.def.shape);
    assert.equal(fields.length, 6);
    for (const field of fields) {
      const [item] = repositoryContentItems({ id: "r-1", repositoryContent: { [field]: [1] } });
      assert.match(item?.contentType ?? "", /^[A-Z]+(?:_[A-Z]+)*$/);
    }
  });

  it("names an unknown kind like the known ones, and omits members that aren't lists", () => {
    const repositoryContent = { beastModeIds: [7], constructor: [8], total: 2, viewIds: null };
    assert.deepEqual(repositoryContentItems({ id: "r-1", repositoryContent }), [
      { contentType: "BEAST_MODE", repositoryObjectId: "7" },
      { contentType: "CONSTRUCTOR", repositoryObjectId: "8" },
    ]);
  });

  it("can be missing", () => {
    assert.deepEqual(repositoryContentItems({ id: "r-1" }), []);
    assert.deepEqual(repositoryContentItems({ id: "r-1", repositoryContent: null }), []);
  });
});
