import assert from "node:assert/strict";
import type { Repository } from "../../../src/api/catalogue/models/sandbox.ts";
import * as sandbox from "../../../src/api/catalogue/operations/sandbox.ts";
import {
  addDomainsWithAccess,
  allCommitRequests,
  allPromotions,
  allRepositories,
  authorizedInstances,
  commitRepository,
  commitRequestsOf,
  commitsOf,
  domainsWithAccess,
  permissionUpdateFor,
  promoteAndSeed,
  toggleSameInstancePromotion,
} from "../../../src/api/families/sandbox.ts";
import { historyQuery } from "../../../src/features/sandbox/history-search.ts";
import { until } from "../../harness/until.ts";
import type { ContractTenant } from "../tenant.ts";
import type { Cases } from "./cases.ts";

async function everything<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) {
    items.push(...page);
  }
  return items;
}

async function named(tenant: ContractTenant, name: string): Promise<Repository & { readonly id: string }> {
  const [found] = await everything(allRepositories(tenant.platform(), { name }));
  return { ...found, id: found?.id ?? assert.fail(`there is no repository ${name}`) };
}

export const sandboxCases = {
  "sandbox.authorizations.list": async (tenant) => {
    const { items: instances } = await authorizedInstances(tenant.platform());
    assert.equal(tenant.proxy.requests.at(-1)?.query, "limit=250");
    assert.deepEqual([instances.length, instances[0]?.aliasedDomain], [3, "acme.example.com"]);
    assert.equal((await authorizedInstances(tenant.platform(), { limit: 1 })).items.length, 1);
  },
  "sandbox.aliases.update": async (tenant) => {
    const body = { aliasedDomain: "acme-partner.example.com", alias: "partner" };
    await tenant.platform().call(sandbox.updateAlias, { body });
    const { items: instances } = await authorizedInstances(tenant.platform());
    assert.equal(instances.find(({ aliasedDomain }) => aliasedDomain === body.aliasedDomain)?.alias, "partner");
  },
  "sandbox.commitRequests.search": async (tenant) => {
    const page = await tenant.platform().call(sandbox.searchCommitRequests, { body: { limit: 5, offset: 5 } });
    const context = Array.isArray(page) ? undefined : page.pageContext;
    const offset = { documented: context?.offset, domo: context?.offSet }[tenant.dialect];
    assert.deepEqual([context?.count, offset], [5, 5]);
    const all = await everything(allCommitRequests(tenant.platform()));
    assert.equal(all.length, context?.totalCount);
    const times = all.map(({ completed }) => String(completed ?? "9"));
    assert.deepEqual(times, times.toSorted().toReversed());
    const filters = { repositoryName: ["Logistics"], status: ["COMPLETED"] };
    const some = await everything(allCommitRequests(tenant.platform(), { filters }));
    assert.equal(some.length > 0 && some.every(({ repositoryName }) => repositoryName === "Logistics"), true);
    const starts = all.map(({ started }) => String(started)).toSorted();
    const [from = "", to = ""] = [starts[Math.floor(starts.length / 4)], starts[Math.floor(starts.length / 2)]];
    const period = { from, to };
    const search = { filters: {}, sort: "started", order: "asc", dates: { started: period } } as const;
    const query = historyQuery({ kind: "commitRequests", ...search });
    const within = (await everything(allCommitRequests(tenant.platform(), query))).map(({ started }) =>
      String(started),
    );
    assert.deepEqual(within, within.toSorted());
    const isWithin = (started: string): boolean => started >= period.from && started <= period.to;
    assert.equal(within.length, all.filter(({ started }) => isWithin(String(started))).length);
    assert.equal(within.length > 0 && within.length < all.length, true);
  },
  "sandbox.promotions.search": async (tenant) => {
    const all = await everything(allPromotions(tenant.platform(), { order: "asc" }));
    assert.equal(all.length > 5, true);
    const times = all.map(({ completed }) => String(completed ?? "9"));
    assert.deepEqual(times, times.toSorted());
    const named = await everything(allPromotions(tenant.platform(), { filters: { repositoryName: ["Order apps"] } }));
    assert.equal(named.length > 0 && named.length < all.length, true);
  },
  "sandbox.repositories.search": async (tenant) => {
    const all = await everything(allRepositories(tenant.platform()));
    assert.equal(all.filter(({ seeded }) => seeded === false).length, 6);
    const [shared] = await everything(allRepositories(tenant.platform(), { shared: true }));
    assert.deepEqual([shared?.name, shared?.domain], ["Partner overview", "acme-partner.example.com"]);
    const own = await everything(allRepositories(tenant.platform(), { userIds: [481_516_236] }));
    assert.deepEqual(
      own.map(({ name }) => name),
      ["Logistics"],
    );
  },
  // Proves 2.10: a repository has an ID, a name, and the time of its last update
  // Proves 2.10: a repository has the time and the version of its last commit
  "sandbox.repositories.get": async (tenant) => {
    const { id } = await named(tenant, "Sales pages");
    const repository = await tenant.platform().call(sandbox.getRepository, { repositoryId: id });
    assert.deepEqual([repository.id, repository.name, repository.permission], [id, "Sales pages", "OWNER"]);
    assert.equal(Array.isArray(repository.repositoryContent?.pageIds), true);
    assert.match(String(repository.lastCommit?.commitName), /^v\d+$/);
    assert.equal(repository.updated, repository.lastCommit?.completed);
  },
  "sandbox.repositories.access.get": async (tenant) => {
    const { id, accessCount } = await named(tenant, "Sales pages");
    assert.equal((await domainsWithAccess(tenant.platform(), id)).length, accessCount);
  },
  "sandbox.repositories.access.update": async (tenant) => {
    const { id } = await named(tenant, "Data quality views");
    const before = await domainsWithAccess(tenant.platform(), id);
    const added = ["acme-test.example.com", "acme.example.com"];
    const sent = await addDomainsWithAccess(tenant.platform(), id, added);
    assert.deepEqual(sent, [...new Set([...before, ...added])]);
    assert.deepEqual(await domainsWithAccess(tenant.platform(), id), sent);
    await tenant.platform().call(sandbox.updateRepositoryAccess, { repositoryId: id, body: [] });
    assert.deepEqual(await domainsWithAccess(tenant.platform(), id), []);
  },
  "sandbox.repositories.commitRequests.list": async (tenant) => {
    const { id } = await named(tenant, "Logistics");
    const { items, total } = await commitRequestsOf(tenant.platform(), id);
    assert.equal(items.length > 2 && items.every(({ repositoryId }) => repositoryId === id), true);
    assert.equal(total, undefined);
  },
  "sandbox.repositories.commitRequests.create": async (tenant) => {
    const { id, lastCommit } = await named(tenant, "Order apps");
    const made = await commitRepository(tenant.platform(), id, { summary: "Änderung" });
    assert.match(made?.status ?? "", /^(QUEUED|PROCESSING)$/);
    assert.deepEqual([made?.summary, made?.hidden, made?.completed], ["Änderung", false, null]);
    assert.match(made?.pusherEventId ?? "", /^[0-9a-f-]{36}$/);
    const ended = await until("the end of the commit", async () => {
      const requests = (await commitRequestsOf(tenant.platform(), id)).items;
      return requests.find((one) => one.id === made?.id && one.status === "COMPLETED");
    });
    assert.match(String(ended.completed), /^20\d\d-/);
    const [newest] = (await commitsOf(tenant.platform(), id)).items;
    assert.deepEqual([newest?.summary, newest?.status], ["Änderung", "COMPLETED"]);
    const after = await tenant.platform().call(sandbox.getRepository, { repositoryId: id });
    assert.notEqual(after.lastCommit?.id, lastCommit?.id);
    const body = { summary: "As it is", note: { any: 1 } };
    const raw = await tenant.platform().call(sandbox.createCommit, { repositoryId: id, body });
    assert.deepEqual([raw?.summary, raw?.pusherEventId], ["As it is", ""]);
  },
  "sandbox.repositories.commits.list": async (tenant) => {
    const { id, lastCommit } = await named(tenant, "Finance dataflows");
    const { items, total } = await commitsOf(tenant.platform(), id);
    assert.deepEqual([items.length, items[0]?.id], [total, lastCommit?.id]);
    assert.equal(items.length > 2 && items.every(({ name }) => /^v\d$/.test(name ?? "")), true);
  },
  "sandbox.repositories.permissions.get": async (tenant) => {
    const { id } = await named(tenant, "Marketing cards");
    const permissions = await tenant.platform().call(sandbox.getRepositoryPermissions, { repositoryId: id });
    assert.deepEqual(permissions.userPermissions, { 481516235: "OWNER", 481516234: "EDIT" });
    assert.equal(permissions.subjectId, id);
  },
  "sandbox.repositories.permissions.update": async (tenant) => {
    const { id } = await named(tenant, "Sales pages");
    const body = [
      permissionUpdateFor({ userId: 700_000_001 }, "EDIT"),
      permissionUpdateFor({ groupId: "44" }, "OWNER"),
      permissionUpdateFor({ userId: 481_516_239 }, "NONE"),
    ];
    await tenant.platform().call(sandbox.updateRepositoryPermissions, { repositoryId: id, body });
    const after = await tenant.platform().call(sandbox.getRepositoryPermissions, { repositoryId: id });
    assert.deepEqual(after.userPermissions, { 481516234: "OWNER", 700000001: "EDIT" });
    assert.equal(after.groupPermissions?.["44"], "OWNER");
    const wrapped = { repositoryPermissionUpdates: [permissionUpdateFor({ groupId: "45" }, "EDIT")] };
    const work = tenant.platform().call(sandbox.updateRepositoryPermissions, { repositoryId: id, body: wrapped });
    if (tenant.dialect === "documented") {
      assert.match((await tenant.failure(work)).message, /wanted bare/);
    } else {
      await work;
    }
  },
  "sandbox.promotions.promoteAndSeed": async (tenant) => {
    const { id: repositoryId, deployments, lastCommit } = await named(tenant, "Sales pages");
    const deploymentId = deployments?.[0]?.id ?? assert.fail("it has no deployment");
    const mapping = [
      { mappingId: "m-1", contentType: "DATASET", repositoryObjectId: "d-1", deployObjectId: "d-2", link: false },
    ];
    const commitId = String(lastCommit?.id);
    const input = { commitId, mapping, seedingRepositoryName: "Seeded" };
    const made = await promoteAndSeed(tenant.platform(), { repositoryId, deploymentId }, input);
    assert.deepEqual([made?.commitId, made?.deploymentId, made?.completed], [commitId, deploymentId, null]);
    const approval = tenant.dialect === "domo" ? { approvalId: "" } : {};
    assert.deepEqual(made?.promotionRequest, { mapping, ...approval, seedingRepoName: "Seeded" });
    assert.match(made?.pusherEventId ?? "", /^[0-9a-f-]{36}$/);
    const ended = await until("the end of the promotion", async () => {
      const found = await everything(allPromotions(tenant.platform(), { filters: { status: ["COMPLETED"] } }));
      return found.find(({ id }) => id === made?.id);
    });
    assert.equal(ended.repositoryName, "Sales pages");
    const work = tenant.platform().call(sandbox.startPromotion, { deploymentId, body: { commitId, mapping: [] } });
    if (tenant.dialect === "documented") {
      assert.equal((await work)?.pusherEventId, "");
    } else {
      assert.match((await tenant.failure(work)).message, /repositoryId: .*is required/);
    }
  },
  "sandbox.settings.get": async (tenant) => {
    const settings = await tenant.platform().call(sandbox.getSandboxSettings, {});
    assert.deepEqual([settings.domain, settings.requireApprovals], ["acme-dev.example.com", false]);
  },
  "sandbox.settings.update": async (tenant) => {
    const { id: repositoryId, deployments, lastCommit } = await named(tenant, "Sales pages");
    const deploymentId = deployments?.find(({ domain }) => domain === "acme-dev.example.com")?.id ?? assert.fail();
    const input = { commitId: String(lastCommit?.id), mapping: [], seedingRepositoryName: "Seeded from sales" };
    const promote = () => promoteAndSeed(tenant.platform(), { repositoryId, deploymentId }, input);
    assert.equal((await toggleSameInstancePromotion(tenant.platform(), false)).allowSelfPromotion, false);
    assert.match((await tenant.failure(promote())).message, /within the same instance are not allowed/);
    assert.equal((await toggleSameInstancePromotion(tenant.platform(), true)).allowSelfPromotion, true);
    await promote();
    assert.equal((await named(tenant, "Seeded from sales")).seeded, true);
  },
} satisfies Cases;
