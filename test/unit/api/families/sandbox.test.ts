import assert from "node:assert/strict";
import * as operations from "../../../../src/api/catalogue/operations/sandbox.ts";
import {
  addDomainsWithAccess,
  allCommitRequests,
  allPromotions,
  allRepositories,
  authorizedInstances,
  commitCreateBody,
  commitRepository,
  commitRequestsOf,
  commitsOf,
  domainsWithAccess,
  permissionUpdateFor,
  promoteAndSeed,
  promoteAndSeedBody,
  toggleSameInstancePromotion,
} from "../../../../src/api/families/sandbox.ts";
import { dialects, dialectWith } from "../../../../src/api/http/dialects.ts";
import { bodyOf, empty, type FakePlatform, failureOf, fakePlatform, json } from "../fake-platform.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function everything<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) {
    items.push(...page);
  }
  return items;
}

function responding(body: unknown): FakePlatform {
  return fakePlatform(() => json(200, body));
}

function lastOf(fake: FakePlatform) {
  return fake.requests.at(-1) ?? assert.fail("nothing was sent");
}

describe("sandbox lists", () => {
  const [first, second] = [{ id: "1" }, { id: "2" }];
  const tried: readonly (readonly [string, unknown])[] = [
    ["commitRequests", { commitRequests: [first], commits: [second], results: [second], items: [second] }],
    ["commits", { commits: [first], results: [second], items: [second] }],
    ["commits, the one before being no list", { commitRequests: { not: "a list" }, commits: [first] }],
    ["results", { results: [first], items: [second] }],
    ["items", { items: [first] }],
    ["a bare list", [first]],
  ];
  for (const [where, body] of tried) {
    // Proves 4.5: Its list is looked up under four keys in order, then as a bare list
    it(`of commit requests are found under ${where}`, async () => {
      assert.deepEqual(await everything(allCommitRequests(responding(body).platform)), [first]);
      assert.deepEqual((await commitRequestsOf(responding(body).platform, "r")).items, [first]);
    });
  }

  // Proves 4.5: Its list is looked up under three keys in order, then as a bare list
  it("of promotions are found under promotions, results, items or as a bare list, in this order", async () => {
    for (const body of [
      { promotions: [first], results: [second], items: [second] },
      { results: [first], items: [second], commits: [second] },
      { items: [first] },
      [first],
    ]) {
      assert.deepEqual(await everything(allPromotions(responding(body).platform)), [first]);
    }
  });

  it("can be null, which means an empty list", async () => {
    assert.deepEqual(await everything(allPromotions(responding({ promotions: null }).platform)), []);
    assert.deepEqual((await commitsOf(responding({ commits: null, pageContext: null }).platform, "r")).items, []);
  });

  describe("of authorized instances", () => {
    /** A platform with 700 instances that returns at most `most` of them. */
    const withInstances = (max: number, tellsTotal: boolean): FakePlatform =>
      fakePlatform(({ path }) => {
        const limit = Math.min(Number(/limit=(\d+)/.exec(path)?.[1]), max);
        const authorizations = Array.from({ length: Math.min(limit, 700) }, (_, index) => ({ domain: `d${index}` }));
        return json(200, { authorizations, ...(tellsTotal ? { pageContext: { totalCount: 700 } } : {}) });
      });

    for (const tellsTotal of [true, false]) {
      it(`are read beyond the default limit, ${tellsTotal ? "with" : "without"} a total`, async () => {
        const fake = withInstances(5000, tellsTotal);
        const { items } = await authorizedInstances(fake.platform);
        assert.deepEqual([items.length, fake.requests.length], [700, 2]);
      });
    }

    it("contain at most what the platform returns, with its total", async () => {
      const fake = withInstances(250, true);
      const { items, total } = await authorizedInstances(fake.platform);
      assert.deepEqual([items.length, total, fake.requests.length], [250, 700, 2]);
    });

    it("contain the requested number", async () => {
      const fake = withInstances(5000, true);
      assert.equal((await authorizedInstances(fake.platform, { limit: 20 })).items.length, 20);
      assert.equal(fake.requests.length, 1);
    });
  });

  it("are found in an unknown container, and are empty in a response without content", async () => {
    assert.deepEqual(await everything(allCommitRequests(responding({ entries: [first] }).platform)), [first]);
    assert.deepEqual(await everything(allPromotions(responding({ data: { runs: [first] } }).platform)), [first]);
    assert.deepEqual(await everything(allRepositories(responding({}).platform)), []);
    assert.deepEqual((await commitsOf(responding({ total: 0 }).platform, "r")).items, []);
    assert.deepEqual((await authorizedInstances(responding([]).platform)).items, []);
  });

  it("that are missing from a response with other content are an error, not an empty list", async () => {
    for (const work of [
      everything(allCommitRequests(responding({ entries: ["a"] }).platform)),
      everything(allPromotions(responding({ total: 3 }).platform)),
      everything(allRepositories(responding({ message: "later" }).platform)),
      commitsOf(responding({ commits: "none" }).platform, "r"),
      authorizedInstances(responding({ authorizations: 5 }).platform),
    ]) {
      const failure = await failureOf(work);
      assert.deepEqual([failure.kind, failure.failureCause.type], ["sandboxGet", "unexpectedResponse"]);
      assert.match(failure.message, /contains no list of objects/);
    }
  });

  it("keep unknown and wrong fields, and report them once", async () => {
    const item = { id: "1", status: 7, novel: true };
    const fake = responding({ commitRequests: [item, { ...item, id: "2" }] });
    assert.deepEqual(await everything(allCommitRequests(fake.platform)), [item, { ...item, id: "2" }]);
    const warnings = fake.lines.filter((line) => line.startsWith("warn"));
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /the field commitRequests\.0\.status/);
  });

  it("are requested with the paging in the body", async () => {
    const fake = fakePlatform((request) => {
      const { offset } = bodyOf(request);
      return json(200, { promotions: [{ id: `p-${offset}` }], pageContext: { totalCount: 2, offSet: offset } });
    });
    const query = { filters: { status: ["FAILED"] }, sort: "started", order: "asc" } as const;
    assert.deepEqual(await everything(allPromotions(fake.platform, query)), [{ id: "p-0" }, { id: "p-1" }]);
    assert.deepEqual(fake.requests.map(bodyOf), [
      { limit: 100, offset: 0, ...query, dateFilters: {} },
      { limit: 100, offset: 1, ...query, dateFilters: {} },
    ]);
  });

  // Proves 2.10: a search has filters and date filters, and is sorted by completion, newest first
  it("have only the described members, and those of the public platform in its dialect", async () => {
    const described = { filters: {}, sort: "completed", order: "desc", dateFilters: {} };
    const paging = { limit: 100, offset: 0 };
    for (const operation of [operations.searchCommitRequests, operations.searchPromotions]) {
      const documented = responding([]);
      await documented.platform.call(operation, {});
      assert.deepEqual(bodyOf(lastOf(documented)), { ...paging, ...described });
      const domo = fakePlatform(() => json(200, []), dialects.domo);
      await domo.platform.call(operation, {});
      assert.deepEqual(bodyOf(lastOf(domo)), { ...paging, ...described, fieldSearchMap: {}, searchDistinct: false });
    }
  });

  it("have other names if the tenant's overrides have them", async () => {
    const members = {
      "sandbox.aliases.update": { aliasedDomain: "domain" },
      "sandbox.repositories.permissions.update": { permission: "level" },
    };
    const fake = fakePlatform(() => empty(204), dialectWith("documented", { members }));
    await fake.platform.call(operations.updateAlias, { body: { aliasedDomain: "a.com", alias: "A" } });
    assert.deepEqual(bodyOf(lastOf(fake)), { domain: "a.com", alias: "A" });
    const body = [permissionUpdateFor({ userId: 7 }, "EDIT")];
    await fake.platform.call(operations.updateRepositoryPermissions, { repositoryId: "r", body });
    assert.equal(lastOf(fake).body, '[{"userId":"7","groupId":"","level":"EDIT"}]');
  });

  it("of aliases are sent unchanged if they are raw", async () => {
    const fake = fakePlatform(() => empty(204));
    for (const body of [
      { domain: "a.com", name: "A" },
      { alias: "A", extra: [1], aliasedDomain: "a.com" },
    ]) {
      await fake.platform.call(operations.updateAlias, { body });
      assert.equal(lastOf(fake).body, JSON.stringify(body));
    }
  });

  it("of repositories have the paging one level deeper", async () => {
    const fake = responding({ repositories: [], pageContext: { count: 0, totalCount: 0, offSet: 0 } });
    await everything(allRepositories(fake.platform, { name: "Sales", shared: true, userIds: [3] }));
    assert.deepEqual(bodyOf(lastOf(fake)), {
      query: {
        limit: 50,
        offset: 0,
        fieldSearchMap: { repositoryName: "Sales" },
        sort: "started",
        order: "desc",
        filters: { userId: [3] },
        dateFilters: {},
      },
      shared: true,
    });
  });

  // Proves 2.10: a search has filters and date filters, and is sorted
  it("have the defaults of the description if a search has no body", async () => {
    const fake = responding({ commitRequests: [] });
    await fake.platform.call(operations.searchCommitRequests, {});
    const { filters, sort, order, dateFilters } = bodyOf(lastOf(fake));
    assert.deepEqual([filters, sort, order, dateFilters], [{}, "completed", "desc", {}]);
  });
});

describe("sandbox bodies", () => {
  // Proves 2.10: a commit has a summary, and is not hidden by default
  // Proves 2.10: a new event ID is added to a commit from typed input; a promotion from typed input gets an event
  it("with typed input get a new event ID each time", () => {
    const bodies = [commitCreateBody({ summary: "s" }), commitCreateBody({ summary: "s", hidden: true })];
    assert.deepEqual(
      bodies.map(({ summary, hidden }) => [summary, hidden]),
      [
        ["s", false],
        ["s", true],
      ],
    );
    const promotions = [1, 2].map(() => promoteAndSeedBody({ commitId: "c", mapping: [] }, dialects.documented));
    const ids = [...bodies, ...promotions].map(({ pusherEventId }) => pusherEventId);
    assert.equal(new Set(ids).size, 4);
    assert.equal(
      ids.every((one) => uuid.test(one)),
      true,
    );
  });

  // Proves 2.10: the name of the seeded repository and the approval ID are optional
  it("omit missing options of a promotion", () => {
    const least = { commitId: "c", mapping: [{ mappingId: "m" }] };
    const { pusherEventId: _, ...described } = promoteAndSeedBody(least, dialects.documented);
    assert.deepEqual(described, least);
    const { pusherEventId: __, ...rest } = promoteAndSeedBody(least, dialects.domo);
    assert.deepEqual(rest, { ...least, approvalId: "" });
    for (const dialect of Object.values(dialects)) {
      const options = { approvalId: "a", seedingRepositoryName: "n" };
      const { pusherEventId: ___, ...whole } = promoteAndSeedBody({ ...least, ...options }, dialect);
      assert.deepEqual(whole, { ...least, approvalId: "a", seedingRepoName: "n" });
    }
  });

  it("that are raw are sent unchanged", async () => {
    const fake = responding({});
    for (const body of [
      { summary: "s" },
      { summary: "s", hidden: false, other: [1] },
      { summary: "s", pusherEventId: "mine" },
    ]) {
      await fake.platform.call(operations.createCommit, { repositoryId: "r", body });
      assert.deepEqual(bodyOf(lastOf(fake)), body);
    }
    const body = { commitId: "c", mapping: [{ mappingId: 1, novel: null }], novel: 1 };
    await fake.platform.call(operations.startPromotion, { deploymentId: "d", body });
    assert.deepEqual(bodyOf(lastOf(fake)), body);
  });

  it("are sent to the dialect's path, with permissions in its wrapper", async () => {
    const updates = [permissionUpdateFor({ userId: 7 }, "EDIT"), permissionUpdateFor({ groupId: "g" }, "NONE")];
    assert.deepEqual(updates, [
      { userId: "7", groupId: "", permission: "EDIT" },
      { userId: "", groupId: "g", permission: "NONE" },
    ]);
    const expected = {
      documented: ["/version/v1", "/version/v1/deployments/d/promoteAndSeed", updates],
      domo: [
        "/api/version/v1",
        "/api/version/v1/repositories/r/deployments/d/promoteAndSeed",
        { repositoryPermissionUpdates: updates },
      ],
    } as const;
    for (const dialect of Object.values(dialects)) {
      const [prefix, promotion, body] = expected[dialect.id];
      const fake = fakePlatform(() => json(200, {}), dialect);
      await fake.platform.call(operations.updateRepositoryPermissions, { repositoryId: "r", body: updates });
      assert.equal(lastOf(fake).path, `${prefix}/repositories/r/permissions`);
      assert.deepEqual(JSON.parse(String(lastOf(fake).body)), body);
      const wrapped = { repositoryPermissionUpdates: updates };
      await fake.platform.call(operations.updateRepositoryPermissions, { repositoryId: "r", body: wrapped });
      assert.deepEqual(bodyOf(lastOf(fake)), wrapped);
      const place = { repositoryId: "r", deploymentId: "d" };
      await promoteAndSeed(fake.platform, place, { commitId: "c", mapping: [] });
      assert.equal(lastOf(fake).path, promotion);
      assert.match(String(bodyOf(lastOf(fake)).pusherEventId), uuid);
      await commitRepository(fake.platform, "r", { summary: "s" });
      assert.match(String(bodyOf(lastOf(fake)).pusherEventId), uuid);
    }
  });

  // Proves 2.10: a permission is for a user or a group, and the other ID
  it("are rejected with the name of the nested field", async () => {
    const fake = responding({});
    const unchecked = (body: unknown): never => ({ repositoryId: "r", deploymentId: "d", body }) as never;
    const [user, group] = [permissionUpdateFor({ userId: 1 }, "EDIT"), permissionUpdateFor({ groupId: 1 }, "EDIT")];
    for (const [operation, body, field] of [
      [operations.updateRepositoryPermissions, [user, { ...group, userId: "1" }], "body.1.userId"],
      [operations.updateRepositoryPermissions, [{ ...user, permission: "" }], "body.0.permission"],
      [operations.updateRepositoryPermissions, [], "body"],
      [operations.updateRepositoryAccess, ["a", 7], "body.1"],
      [operations.updateSandboxSettings, { allowSelfPromotion: "true" }, "body.allowSelfPromotion"],
      [operations.searchPromotions, { order: "up" }, "body.order"],
      [operations.searchRepositories, { query: { limit: 0 } }, "body.query.limit"],
    ] as const) {
      const failure = await failureOf(fake.platform.call(operation, unchecked(body)));
      assert.deepEqual(failure.failureCause, { type: "input", field }, failure.message);
    }
    assert.equal(fake.requests.length, 0);
  });
});

describe("raw sandbox bodies", () => {
  // Proves 2.10: a raw commit is sent unchanged; a promotion from typed input gets an event
  it("are sent unchanged, even if incomplete", async () => {
    const fake = responding({});
    const place = { repositoryId: "r", deploymentId: "d" };
    const inAnotherOrder = { pusherEventId: "e", novel: 1, mapping: [], hidden: true, commitId: "c", summary: "s" };
    for (const body of [inAnotherOrder, {}, { hidden: "no" }, { commit: "c", own: { deep: [1, "2"] } }]) {
      await fake.platform.call(operations.createCommit, { repositoryId: "r", body });
      await fake.platform.call(operations.startPromotion, { ...place, body });
      const sent = fake.requests.slice(-2).map((request) => request.body);
      assert.deepEqual(sent, [JSON.stringify(body), JSON.stringify(body)]);
    }
    for (const body of ["text", 7, [1]]) {
      await failureOf(fake.platform.call(operations.createCommit, { repositoryId: "r", body: body as never }));
    }
    assert.equal(fake.requests.length, 8);
  });
});

describe("sandbox calls", () => {
  it("give access to more domains with the complete list, because omitted ones may lose access", async () => {
    const fake = fakePlatform(({ method }) =>
      method === "GET"
        ? json(200, { accessList: [{ invitedDomain: "a.com" }, { invitedDomain: "b.com" }] })
        : empty(204),
    );
    const sent = await addDomainsWithAccess(fake.platform, "r", ["c.com", "b.com"]);
    assert.deepEqual(sent, ["a.com", "b.com", "c.com"]);
    assert.equal(lastOf(fake).body, '["a.com","b.com","c.com"]');
  });

  it("read who has access in all known formats", async () => {
    for (const body of [["a.com"], [{ domain: "a.com" }], { accessList: [{ invitedDomain: "a.com" }] }]) {
      assert.deepEqual(await domainsWithAccess(responding(body).platform, "r"), ["a.com"]);
    }
    assert.deepEqual(await domainsWithAccess(responding({ accessList: null }).platform, "r"), []);
  });

  it("don't change access if the current access is unknown", async () => {
    for (const body of [{}, { access: ["a.com"] }, [{ id: 1 }, "a.com"], [null]]) {
      const fake = responding(body);
      const failure = await failureOf(addDomainsWithAccess(fake.platform, "r", ["b.com"]));
      assert.deepEqual([failure.kind, failure.failureCause.type], ["sandboxGet", "unexpectedResponse"]);
      assert.equal(fake.requests.length, 1);
    }
  });

  // Proves 4.5: Promotions within the same instance can be allowed and forbidden
  it("toggle promotions within the instance, and read the result", async () => {
    const fake = fakePlatform(({ method }) =>
      method === "GET" ? json(200, { allowSelfPromotion: false, requireApprovals: true }) : empty(200),
    );
    const settings = await toggleSameInstancePromotion(fake.platform, true);
    assert.deepEqual(
      fake.requests.map(({ method, body }) => [method, body]),
      [
        ["POST", '{"allowSelfPromotion":true}'],
        ["GET", undefined],
      ],
    );
    assert.equal(settings.allowSelfPromotion, false);
  });

  // Proves 4.5: A toggle that can't be read afterward reports that the change was made
  it("toggle promotions, and report if the settings can't be read afterward", async () => {
    for (const [isEnabled, word] of [
      [true, "allowed"],
      [false, "forbidden"],
    ] as const) {
      const fake = fakePlatform(({ method }) => (method === "GET" ? json(403, { message: "no" }) : empty(200)));
      const failure = await failureOf(toggleSameInstancePromotion(fake.platform, isEnabled));
      assert.match(failure.message, new RegExp(`are now ${word}, but the settings couldn't be read again`));
      assert.equal(failure.operationId, "sandbox.settings.get");
    }
    const refused = fakePlatform(() => json(403, { message: "no" }));
    const failure = await failureOf(toggleSameInstancePromotion(refused.platform, true));
    assert.deepEqual([failure.kind, failure.message.includes("was made")], ["sandboxCrud", false]);
  });
});
