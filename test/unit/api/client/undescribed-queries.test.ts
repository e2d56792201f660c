import assert from "node:assert/strict";
import type { AnyOperation } from "../../../../src/api/catalogue/operation.ts";
import { catalogue } from "../../../../src/api/catalogue/operations/catalogue.ts";
import { getContent } from "../../../../src/api/catalogue/operations/contents.ts";
import { listDesigns } from "../../../../src/api/catalogue/operations/designs.ts";
import { listUsers } from "../../../../src/api/catalogue/operations/users.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { describedQueries } from "../../../../src/programs/sample-tenant/described/mode.ts";
import { failureOf, fakePlatform, json } from "../fake-platform.ts";

describe("queries that the API description does not have", () => {
  const operations = catalogue.filter(
    (operation: AnyOperation) => operation.credential === "platform" && operation.section !== "beyond",
  );

  // Proves 4.7: Lists of people are requested without a query
  it("are all marked, and no others", () => {
    for (const operation of operations as readonly AnyOperation[]) {
      const known = (describedQueries as Readonly<Record<string, readonly string[]>>)[operation.id] ?? [];
      const others = Object.keys(operation.queryParameters).filter((name) => !known.includes(name));
      assert.deepEqual([...(operation.undescribedQuery ?? [])].toSorted(), others.toSorted(), operation.id);
    }
  });

  it("are rejected before a request to a platform that isn't known to accept them, and sent to one that does", async () => {
    const documented = fakePlatform(() => json(200, []));
    const failure = await failureOf(documented.platform.call(listUsers, { limit: 5 }));
    assert.deepEqual(failure.failureCause, { type: "input", field: "limit" });
    assert.match(failure.message, /the API description has no such query parameter/);
    assert.equal(documented.requests.length, 0);
    assert.equal(documented.platform.accepts(listUsers, "limit"), false);
    await documented.platform.call(listUsers, {});
    await documented.platform.call(listDesigns, { limit: 5 });
    const domo = fakePlatform(() => json(200, []), dialects.domo);
    await domo.platform.call(listUsers, { limit: 5 });
    assert.equal(domo.requests[0]?.path, "/api/content/v2/users?limit=5");
    assert.equal(domo.platform.accepts(listUsers, "limit"), true);
    assert.equal(domo.platform.accepts(listUsers, "size"), false);
  });

  it("are sent to content servers, which are known to accept them", async () => {
    const fake = fakePlatform(() => json(200, { name: "a", path: "a", type: "file" }));
    await fake.content.call(getContent, { path: "a", content: 0, hash: 1, type: "file" });
    assert.match(fake.requests[0]?.path ?? "", /hash=1/);
  });
});
