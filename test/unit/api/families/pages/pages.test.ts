import assert from "node:assert/strict";
import * as filterViews from "../../../../../src/api/catalogue/operations/filter-views.ts";
import * as operations from "../../../../../src/api/catalogue/operations/pages.ts";
import {
  allPageSummaries,
  movePagesTo,
  removeOwners,
  removeShare,
  setPageOrder,
  shareScopeOf,
} from "../../../../../src/api/families/pages/pages.ts";
import { dialects } from "../../../../../src/api/http/dialects.ts";
import type { DispatchRequest } from "../../../../../src/api/http/dispatch.ts";
import { bodyOf, empty, failureOf, fakePlatform, json } from "../../fake-platform.ts";

/** A platform with this many pages; `tell` returns what an answer says about its continuation. */
function summaries(total: number, tell: (skip: number, end: number) => object = () => ({})) {
  return fakePlatform((request) => {
    const { skip, limit } = queryOf(request);
    const end = Math.min(total, skip + limit);
    const pageAdminSummaries = Array.from({ length: Math.max(0, end - skip) }, (_, index) => ({
      pageId: skip + index,
    }));
    return json(200, { pageAdminSummaries, ...tell(skip, end) });
  }, dialects.domo);
}

function queryOf(request: DispatchRequest): { readonly skip: number; readonly limit: number } {
  const { searchParams } = new URL(request.path, "http://x");
  return { skip: Number(searchParams.get("skip")), limit: Number(searchParams.get("limit")) };
}

async function idsOf(fake: ReturnType<typeof fakePlatform>, filter = {}): Promise<readonly unknown[]> {
  const ids: unknown[] = [];
  for await (const page of allPageSummaries(fake.platform, filter)) {
    ids.push(...page.map(({ pageId }) => pageId));
  }
  return ids;
}

describe("admin summary", () => {
  const ways: readonly (readonly [string, (skip: number, end: number) => object])[] = [
    ["nothing but a page that is not full", () => ({})],
    ["the next offset", (_, end) => ({ nextOffset: end < 250 ? end : null })],
    ["the total", () => ({ totalPageCount: 250, nextOffset: null })],
  ];
  for (const [what, tell] of ways) {
    it(`continues by ${what}, 100 at a time`, async () => {
      const fake = summaries(250, tell);
      assert.deepEqual(
        await idsOf(fake),
        Array.from({ length: 250 }, (_, index) => index),
      );
      assert.deepEqual(
        fake.requests.map(queryOf),
        [0, 100, 200].map((skip) => ({ skip, limit: 100 })),
      );
    });
  }

  it("ends on a decreasing offset, and on a server that repeats the same page", async () => {
    const back = summaries(250, () => ({ nextOffset: 0 }));
    assert.equal((await idsOf(back)).length, 100);
    assert.equal(back.requests.length, 1);
    const same = fakePlatform(
      () => json(200, { pageAdminSummaries: [{ pageId: 1 }], totalPageCount: 9000 }),
      dialects.domo,
    );
    assert.deepEqual(await idsOf(same), [1]);
    assert.equal(same.requests.length, 2);
  });

  it("requests more than ten parents in groups of ten, and returns each page once", async () => {
    const fake = fakePlatform((request) => {
      const { parentPageIds } = bodyOf(request);
      return json(200, { pageAdminSummaries: [{ pageId: 7 }, { pageId: Number((parentPageIds as number[])[0]) }] });
    });
    const parentPageIds = Array.from({ length: 23 }, (_, index) => 100 + index);
    assert.deepEqual(await idsOf(fake, { parentPageIds }), [7, 100, 110, 120]);
    assert.deepEqual(
      fake.requests.map((request) => (bodyOf(request).parentPageIds as number[]).length),
      [10, 10, 3],
    );
    assert.equal(bodyOf(fake.requests[0] ?? assert.fail()).includeParentPageIdsClause, true);
    assert.deepEqual(await idsOf(fake, { parentPageIds: [] }), []);
  });

  it("is found in an unknown container, and is empty in a response without content", async () => {
    assert.deepEqual(await idsOf(fakePlatform(() => json(200, { pages: [{ pageId: 1 }] }))), [1]);
    assert.deepEqual(await idsOf(fakePlatform(() => json(200, [{ pageId: 1 }, { pageId: 2 }]))), [1, 2]);
    assert.deepEqual(await idsOf(fakePlatform(() => json(200, { totalPageCount: 0, nextOffset: null }))), []);
  });

  it("includes pages without an ID", async () => {
    const pages = [{ pageTitle: "One" }, { pageTitle: "Two" }];
    assert.equal((await idsOf(fakePlatform(() => json(200, { pageAdminSummaries: pages })))).length, 2);
  });

  it("is an error if the response contains no list of objects", async () => {
    for (const response of [{ totalPageCount: 3 }, { pages: ["a"] }, { message: "later" }]) {
      const failure = await failureOf(idsOf(fakePlatform(() => json(200, response))));
      assert.deepEqual([failure.kind, failure.failureCause.type], ["route", "unexpectedResponse"]);
    }
    assert.deepEqual(await idsOf(fakePlatform(() => json(200, { pageAdminSummaries: null }))), []);
  });

  it("keeps unknown fields, and requests only consumed pages", async () => {
    const fake = fakePlatform(() =>
      json(200, { pageAdminSummaries: [{ pageId: "1", novelty: { a: [1] } }], totalPageCount: 500 }),
    );
    for await (const [page] of allPageSummaries(fake.platform)) {
      assert.deepEqual(page?.novelty, { a: [1] });
      break;
    }
    assert.equal(fake.requests.length, 1);
  });

  it("accepts any described page size, and is requested once if paging isn't described", async () => {
    const large = summaries(1);
    await large.platform.call(operations.searchPageSummaries, { limit: 200 });
    assert.deepEqual(queryOf(large.requests[0] ?? assert.fail()), { skip: 0, limit: 200 });
    const described = fakePlatform(() => json(200, { pageAdminSummaries: [{ pageId: "a" }, { pageId: 2 }] }));
    assert.deepEqual(await idsOf(described), ["a", 2]);
    assert.deepEqual(
      described.requests.map(({ path }) => path),
      ["/api/content/v1/pages/adminsummary"],
    );
  });
});

describe("changes of pages", () => {
  it("send what the platform accepts", async () => {
    const fake = fakePlatform(() => empty(200), dialects.domo);
    await movePagesTo(fake.platform, { pageIds: ["3", 4, 4], parentPageId: "-100000" });
    await movePagesTo(fake.platform, { pageIds: [3] });
    await setPageOrder(fake.platform, [
      { parentPageId: 0, pageIds: [2, "1"] },
      { parentPageId: "9", pageIds: [8] },
    ]);
    await removeOwners(fake.platform, { pageIds: [1], owners: [{ id: "31", type: "GROUP" }] });
    await removeShare(fake.platform, { type: "domain", id: "a/b?c", pageIds: [1, "2", 1] });
    assert.deepEqual(
      fake.requests.map(({ method, path }) => `${method} ${path}`),
      [
        "PUT /api/content/v1/pages/bulk/move",
        "PUT /api/content/v1/pages/bulk/move",
        "PUT /api/content/v1/pages/pageorder",
        "POST /api/content/v1/pages/bulk/owners/remove",
        "DELETE /api/content/v1/share/bulk/page/domain/a%2Fb%3Fc?resourceIds=1%2C2",
      ],
    );
    assert.deepEqual(fake.requests.slice(0, 4).map(bodyOf), [
      { pageIds: [3, 4], parentPageId: -100000, pagePermission: "ORIGINAL" },
      { pageIds: [3], pagePermission: "ORIGINAL" },
      { pageOrderMap: { 0: "2, 1", 9: "8" } },
      { owners: [{ id: 31, type: "GROUP" }], pageIds: [1] },
    ]);
    assert.equal(fake.requests[4]?.body, undefined);
  });

  // Proves 4.4: Page IDs and card IDs are strings of any form
  it("send IDs that aren't numbers as strings", async () => {
    const fake = fakePlatform(() => empty(200), dialects.domo);
    await movePagesTo(fake.platform, { pageIds: ["a1", "007", "9007199254740993", 5], parentPageId: "top" });
    await setPageOrder(fake.platform, [{ parentPageId: "p-1", pageIds: ["x", 2] }]);
    assert.deepEqual(fake.requests.map(bodyOf), [
      { pageIds: ["a1", "007", "9007199254740993", 5], parentPageId: "top", pagePermission: "ORIGINAL" },
      { pageOrderMap: { "p-1": "x, 2" } },
    ]);
  });

  // Proves 4.4: The user is informed that the request may affect
  it("include the pages of a removed share only if the platform is known to accept them", async () => {
    const described = fakePlatform(() => empty(200));
    assert.equal(shareScopeOf(described.platform, ["user"]), "undescribed");
    await removeShare(described.platform, { type: "user", id: 7, pageIds: [1, 2] });
    assert.equal(described.requests[0]?.path, "/api/content/v1/share/bulk/page/user/7");
    const domo = fakePlatform(() => empty(200), dialects.domo);
    assert.equal(shareScopeOf(domo.platform, ["user", "group"]), "namedPages");
    assert.equal(shareScopeOf(domo.platform, ["user"]), "eachPage");
    await removeShare(domo.platform, { type: "user", id: 7, pageIds: [1, 2] });
    assert.deepEqual(
      domo.requests.map(({ path }) => path),
      ["/api/content/v1/share/page/1/user/7", "/api/content/v1/share/page/2/user/7"],
    );
  });

  it("are rejected before a request, and name the invalid field", async () => {
    const fake = fakePlatform(() => empty(200));
    const { platform } = fake;
    const owner = { id: 1, type: "USER" } as const;
    const cases = [
      ["pageIds", movePagesTo(platform, { pageIds: [] })],
      ["pageIds", movePagesTo(platform, { pageIds: [" "] })],
      ["pageIds", setPageOrder(platform, [{ parentPageId: 0, pageIds: ["1,2"] }])],
      ["parentPageId", movePagesTo(platform, { pageIds: [1], parentPageId: 1.5 })],
      ["pageIds", setPageOrder(platform, [{ parentPageId: 0, pageIds: [] }])],
      ["parentPageId", setPageOrder(platform, [{ parentPageId: "", pageIds: [1] }])],
      ["pageIds", removeOwners(platform, { pageIds: [], owners: [owner] })],
      ["owners", removeOwners(platform, { pageIds: [1], owners: [] })],
      ["owners.id", removeOwners(platform, { pageIds: [1], owners: [{ ...owner, id: "" }] })],
      ["owners.type", removeOwners(platform, { pageIds: [1], owners: [{ id: 1, type: "ROLE" as "USER" }] })],
      ["pageIds", removeShare(platform, { type: "user", id: 1, pageIds: [] })],
      ["type", removeShare(platform, { type: "role" as "user", id: 1, pageIds: [1] })],
    ] as const;
    for (const [field, work] of cases) {
      const failure = await failureOf(work);
      assert.deepEqual([failure.kind, failure.failureCause], ["request", { type: "input", field }]);
      assert.match(failure.message, new RegExp(`: ${field}: `));
    }
    assert.equal(fake.requests.length, 0);
  });

  // Proves 4.4: A body is any object or array, and an empty object by default
  it("without a body send an empty object, and a list unchanged", async () => {
    const fake = fakePlatform(() => empty(200));
    await fake.platform.call(operations.duplicatePage, { pageId: "1" });
    await fake.platform.call(filterViews.updateAnalyzer, { pageId: "1", body: [{ a: 1 }, 2] });
    assert.deepEqual(
      fake.requests.map(({ body }) => body),
      ["{}", '[{"a":1},2]'],
    );
  });

  // Proves 7: Any page endpoint: route error that names method and path
  it("name the method and path of the request in the dialect, and a missing parameter", async () => {
    const ids = { pageId: "7", pageCollectionId: "51" };
    for (const [dialect, path] of [
      [dialects.documented, "/api/v1/pages/7/collections/51"],
      [dialects.domo, "/v1/pages/7/collections/51"],
    ] as const) {
      const fake = fakePlatform(() => json(403, { message: "Forbidden" }), dialect);
      const failure = await failureOf(fake.platform.call(operations.removePageCollection, ids));
      assert.deepEqual([failure.kind, failure.entity], ["route", "page 7, collection 51"]);
      assert.equal(failure.message, `Can't remove membership 51 of page 7 (DELETE ${path}): Forbidden (403).`);
    }
    const missing = await failureOf(
      fakePlatform(() => empty(200)).platform.call(operations.duplicatePage, { pageId: "" }),
    );
    assert.match(missing.message, /^Can't duplicate page \{pageId\} \(PUT .*: pageId: it can't be empty/);
  });
});
