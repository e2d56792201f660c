import assert from "node:assert/strict";
import { cardsOnTarget } from "../../../../src/features/sandbox/promotion-options.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

describe("the cards that a promotion can overwrite", () => {
  it("are those of the overwritten pages on the target, each once", async () => {
    const { platform, requests } = fakePlatform(({ path }) =>
      path.includes("/collections")
        ? json(200, [{ id: 1, cardIds: path.includes("/pages/11/") ? [7, 8] : [8] }])
        : path.endsWith("/cards/7")
          ? json(200, { id: 7, title: "Orders by month", type: "kpi" })
          : json(404, {}),
    );
    const page = (id: string, target: string) => ({
      contentType: "PAGE",
      repositoryObjectId: id,
      target: { type: "replaces", id: target, name: undefined } as const,
    });
    const made = { contentType: "PAGE", repositoryObjectId: "3", target: { type: "new" } } as const;
    const card = {
      contentType: "CARD",
      repositoryObjectId: "9",
      target: { type: "replaces", id: "5", name: "" },
    } as const;
    assert.deepEqual(await cardsOnTarget([page("1", "11"), page("2", "12"), made, card], platform), [
      { id: "7", title: "Orders by month", type: "kpi" },
      { id: "8", title: undefined, type: undefined },
    ]);
    const before = requests.length;
    assert.deepEqual(await cardsOnTarget([made, card], platform), []);
    assert.deepEqual(await cardsOnTarget([page("1", "11")], undefined), []);
    assert.equal(requests.length, before);
  });
});
