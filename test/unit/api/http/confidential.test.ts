import assert from "node:assert/strict";
import * as z from "zod/mini";
import { listAccounts } from "../../../../src/api/catalogue/operations/data.ts";
import { masked } from "../../../../src/api/http/confidential.ts";
import { failureOf, fakePlatform, json } from "../fake-platform.ts";

describe("confidential members of a response", () => {
  it("are masked at any depth, except for names, structure, and null", () => {
    const value = [{ id: 1, configurations: { user: "a", deep: [{ key: "k", none: null }] } }];
    assert.deepEqual(masked(value, ["configurations"]), [
      { id: 1, configurations: { user: "[redacted]", deep: [{ key: "[redacted]", none: null }] } },
    ]);
  });

  it("can be a member within another one", () => {
    const value = {
      value: "seen",
      configuration: [
        { name: "key", value: "k" },
        { name: "list", value: ["a", 1] },
      ],
    };
    assert.deepEqual(masked(value, ["configuration.value"]), {
      value: "seen",
      configuration: [
        { name: "key", value: "[redacted]" },
        { name: "list", value: ["[redacted]", "[redacted]"] },
      ],
    });
  });

  it("within another one are masked only below it, in that order, at any depth", () => {
    const value = { inner: "seen", outer: { deep: [{ inner: { key: 1, none: null }, other: true }] } };
    const expected = { inner: "seen", outer: { deep: [{ inner: { key: "[redacted]", none: null }, other: true }] } };
    assert.deepEqual(masked(value, ["outer.inner"]), expected);
    assert.deepEqual(masked({ inner: { outer: "seen" } }, ["outer.inner"]), { inner: { outer: "seen" } });
    assert.deepEqual(masked({ same: { same: 1, other: 2 } }, ["same.same"]), {
      same: { same: "[redacted]", other: 2 },
    });
    assert.deepEqual(masked([{ a: 1, b: 2, c: 3 }], ["a", "c"]), [{ a: "[redacted]", b: 2, c: "[redacted]" }]);
    assert.equal(masked(value, []), value);
  });

  it("are neither in the log nor in an error about the response, but in the response itself", async () => {
    const account = { id: 1, configurations: { key: "hidden-0123456789" } };
    const fake = fakePlatform(() => json(200, [account]));
    const [read] = await fake.platform.call(listAccounts, {});
    assert.deepEqual(read?.configurations, account.configurations);
    const wrong = fakePlatform(() => json(200, account));
    const failure = await failureOf(wrong.platform.call(listAccounts, {}));
    assert.equal(failure.failureCause.type, "unexpectedResponse");
    const shown = [...fake.lines, ...wrong.lines, JSON.stringify(failure), failure.message].join("\n");
    assert.equal(shown.includes("hidden-0123456789"), false);
    assert.match(shown, /\[redacted\]/);
  });

  it("are declared for responses with known secrets", () => {
    assert.deepEqual(listAccounts.confidential, ["configurations"]);
    assert.equal(z.safeParse(listAccounts.response, []).success, true);
  });
});
