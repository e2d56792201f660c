import assert from "node:assert/strict";
import { cardsOfPage } from "../../../../../src/api/families/pages/page-cards.ts";
import { fakePlatform, json } from "../../fake-platform.ts";

describe("the cards of a page", () => {
  it("are those of the page and its collections, each once, with title and type", async () => {
    const { platform, requests } = fakePlatform(({ path }) => {
      if (path.endsWith("/pages/1")) return json(200, { pageId: 1, cards: [{ id: 7 }], cardIds: ["8"] });
      if (path.endsWith("/collections")) return json(200, [{ id: 5, cardIds: [8, 9] }, { id: 6 }]);
      if (path.endsWith("/cards/7")) return json(200, { id: 7, title: " Sales by month ", type: "kpi" });
      return path.endsWith("/cards/8") ? json(405, {}) : json(200, { id: 9, title: "", type: "" });
    });
    assert.deepEqual(await cardsOfPage(platform, "1"), [
      { id: "7", title: "Sales by month", type: "kpi" },
      { id: "8", title: undefined, type: undefined },
      { id: "9", title: undefined, type: undefined },
    ]);
    assert.equal(requests.length, 5);
  });

  it("are looked up with at most 25 requests, and none if the platform returns none", async () => {
    const many = fakePlatform(({ path }) =>
      path.endsWith("/pages/1")
        ? json(200, { cardIds: Array.from({ length: 60 }, (_, index) => index) })
        : path.endsWith("/collections")
          ? json(500, {})
          : json(404, {}),
    );
    assert.equal((await cardsOfPage(many.platform, "1")).length, 60);
    assert.equal(many.requests.filter(({ path }) => path.includes("/cards/")).length, 25);
    const none = fakePlatform(() => json(403, {}));
    assert.deepEqual(await cardsOfPage(none.platform, "1"), []);
  });
});
