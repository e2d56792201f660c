import assert from "node:assert/strict";
import { actOnPageCard, getPage } from "../../../../src/api/catalogue/operations/pages.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { askParameters, listedFor } from "../../../../src/features/api-explorer/operation-form.ts";
import { nextInput } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

describe("the possible values of an operation's parameter", () => {
  it("are the cards of the previously chosen page, by title", async () => {
    const { platform, requests } = fakePlatform(({ path }) =>
      path.endsWith("/collections")
        ? json(200, [{ id: 5, cardIds: [7, 8] }])
        : path.endsWith("/cards/7")
          ? json(200, { id: 7, title: "Sales by month" })
          : json(404, {}),
    );
    assert.deepEqual(await listedFor(actOnPageCard, "cardId", platform, { pageId: "1" }), [
      { id: "7", label: "Sales by month" },
      { id: "8", label: "8" },
    ]);
    const before = requests.length;
    assert.deepEqual(await listedFor(actOnPageCard, "cardId", platform, {}), [], "no page, no cards");
    assert.equal(requests.length, before);
  });
});

describe("the question for a parameter that the platform lists", () => {
  it("finds entries by their ids, too, and always offers to enter another one", async () => {
    const shown = nextInput();
    const asked = askParameters({
      operation: getPage,
      dialect: dialects.documented,
      given: {},
      last: () => undefined,
      listed: async () => [{ id: "1001", label: "Sales" }],
    });
    const list = await shown;
    assert.equal(list.placeholder, "ID");
    assert.deepEqual([list.step, list.totalSteps], [undefined, undefined], "one of one says nothing");
    assert.ok("matchOnDescription" in list && list.matchOnDescription === true);
    assert.deepEqual(
      list.items.map((item) => [item.label, item.description, "alwaysShow" in item && item.alwaysShow]),
      [
        ["Sales", "1001", false],
        ["Enter Another…", undefined, true],
      ],
    );
    const box = nextInput();
    list.choose("Enter Another…");
    (await box).submit("1002");
    assert.deepEqual(await asked, { id: "1002" });
  });
});
