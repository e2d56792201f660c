import assert from "node:assert/strict";
import type { InputOf } from "../../../src/api/catalogue/operation.ts";
import * as filterViews from "../../../src/api/catalogue/operations/filter-views.ts";
import * as changes from "../../../src/api/catalogue/operations/page-changes.ts";
import * as pages from "../../../src/api/catalogue/operations/pages.ts";
import { getPage } from "../../../src/api/catalogue/operations/pages.ts";
import { sharesOf } from "../../../src/api/families/pages/page-shares.ts";
import type { PageNode } from "../../../src/api/families/pages/page-tree.ts";
import {
  allPageSummaries,
  movePagesTo,
  readPageTree,
  removeOwners,
  removeShare,
  setPageOrder,
} from "../../../src/api/families/pages/pages.ts";
import type { ContractTenant } from "../tenant.ts";
import type { Cases } from "./cases.ts";

function flat(nodes: readonly PageNode[]): readonly PageNode[] {
  return nodes.flatMap((node) => [node, ...flat(node.children)]);
}

async function pageNamed(tenant: ContractTenant, title: string): Promise<PageNode> {
  return (
    flat(await readPageTree(tenant.platform())).find((node) => node.title === title) ?? assert.fail(`no page ${title}`)
  );
}

async function childrenOf(tenant: ContractTenant, title: string): Promise<readonly string[]> {
  return (await pageNamed(tenant, title)).children.map((child) => child.title);
}

export const pageCases = {
  "pages.summaries.search": async (tenant) => {
    const isPaged = tenant.dialect === "domo";
    const read = async (input: InputOf<typeof pages.searchPageSummaries>) => {
      const response = await tenant.platform().call(pages.searchPageSummaries, input);
      return Array.isArray(response) ? assert.fail("the tenant returns an object") : response;
    };
    const page = await read({
      ...(isPaged ? { limit: 5, skip: 2 } : {}),
      body: { orderBy: "pageTitle", ascending: true, pageTitleSearchText: "sales" },
    });
    assert.deepEqual(
      [page.pageAdminSummaries?.map(({ pageTitle }) => pageTitle), page.totalPageCount, page.nextOffset],
      [[...(isPaged ? [] : ["Sales", "Sales Americas"]), "Sales APAC", "Sales EMEA"], 4, null],
    );
    const emea = page.pageAdminSummaries?.at(-1);
    assert.deepEqual([emea?.parentPageTitle, emea?.topPageTitle], ["Sales", "Sales"]);
    const everything = await read({});
    assert.equal((everything.totalPageCount ?? 0) >= 30, true);
    const parents = flat(await readPageTree(tenant.platform())).map(({ id }) => Number(id));
    const trap = await read({ body: { parentPageIds: parents } });
    assert.deepEqual(trap.pageAdminSummaries, [], "more than ten parents are no trap any more");
    const found = [];
    for await (const summaries of allPageSummaries(tenant.platform(), { parentPageIds: parents })) {
      found.push(...summaries.map(({ pageId }) => String(pageId)));
    }
    const below = flat(await readPageTree(tenant.platform())).filter(({ fields }) => fields.parent !== null);
    assert.deepEqual(found.toSorted(), below.map(({ id }) => id).toSorted());
  },
  "pages.bulk.move": async (tenant) => {
    const [campaigns, fairs, sales] = [
      await pageNamed(tenant, "Campaigns"),
      await pageNamed(tenant, "Trade fairs"),
      await pageNamed(tenant, "Sales"),
    ];
    await movePagesTo(tenant.platform(), { pageIds: [campaigns.id, Number(fairs.id)], parentPageId: sales.id });
    assert.deepEqual(await childrenOf(tenant, "Marketing"), ["Web shop"]);
    assert.equal((await childrenOf(tenant, "Sales")).includes("Trade fairs"), true);
    await movePagesTo(tenant.platform(), { pageIds: [fairs.id] });
    const top = (await readPageTree(tenant.platform())).map(({ title }) => title);
    assert.equal(top.includes("Trade fairs"), true);
    const failure = await tenant.failure(
      movePagesTo(tenant.platform(), { pageIds: [sales.id], parentPageId: campaigns.id }),
    );
    assert.deepEqual([failure.kind, failure.status], ["route", 409]);
  },
  "pages.owners.remove": async (tenant) => {
    const { id } = await pageNamed(tenant, "Budget");
    const owners = async () =>
      (await tenant.platform().call(getPage, { id })).owners?.map((owner) => `${owner.type} ${owner.id}`) ?? [];
    const [first = ""] = await owners();
    const [type, owner = ""] = first.split(" ");
    assert.equal(type, "USER");
    await removeOwners(tenant.platform(), { pageIds: [id], owners: [{ id: owner, type: "USER" }] });
    assert.equal((await owners()).includes(first), false);
  },
  "pages.order.update": async (tenant) => {
    const finance = await pageNamed(tenant, "Finance");
    const order = finance.children.map(({ id }) => id).toReversed();
    await setPageOrder(tenant.platform(), [{ parentPageId: finance.id, pageIds: order }]);
    assert.deepEqual(
      (await pageNamed(tenant, "Finance")).children.map(({ id }) => id),
      order,
    );
    assert.deepEqual(await childrenOf(tenant, "Finance"), ["Cash flow", "Budget", "Month-end close"]);
  },
  // Proves 4.4: Page IDs and card IDs are strings of any form
  "pages.cards.act": async (tenant) => {
    const { id } = await pageNamed(tenant, "Hiring");
    for (const cardId of ["424242", "card-7f"]) {
      assert.equal(await tenant.platform().call(pages.actOnPageCard, { pageId: id, cardId }), "OK");
    }
    const body = [{ action: "add" }];
    assert.equal(await tenant.platform().call(pages.actOnPageCard, { pageId: id, cardId: "424242", body }), "OK");
  },
  "pages.duplicate": async (tenant) => {
    const { id } = await pageNamed(tenant, "Headcount");
    const response = await tenant.platform().call(pages.duplicatePage, { pageId: id });
    const copy = await pageNamed(tenant, "Copy of Headcount");
    assert.equal((response as { readonly id?: unknown }).id, copy.id);
    assert.equal((await childrenOf(tenant, "People & culture")).length, 3);
  },
  "pages.duplicateAsync": async (tenant) => {
    const { id } = await pageNamed(tenant, "Headcount");
    const body = { pageTitle: "Personal – 人員", parentPageId: 1001 };
    const response = await tenant.platform().call(pages.startPageDuplication, {
      pageId: id,
      ...(tenant.dialect === "domo" ? { doNotDuplicateCards: true } : {}),
      body,
    });
    assert.equal(response, undefined);
    assert.equal((await childrenOf(tenant, "Sales")).includes(body.pageTitle), true);
  },
  "pages.shares.remove": async (tenant) => {
    await removeShare(tenant.platform(), { type: "group", id: 35, pageIds: [1001, 1002] });
    await tenant.platform().call(pages.removePageShare, { type: "domain", id: "partner.example.com" });
    const unknown = removeShare(tenant.platform(), { type: "group", id: "35", pageIds: [1] });
    if (tenant.dialect === "domo") {
      const failure = await tenant.failure(unknown);
      assert.deepEqual([failure.kind, failure.status, failure.entity], ["route", 404, "group 35"]);
    } else {
      // The description has no way to name pages, so the request applies to all of them.
      await unknown;
    }
  },
  "pages.create": async (tenant) => {
    const { id } = await pageNamed(tenant, "Operations");
    const body = { title: "Nächte & Wochenenden", parentPageId: id };
    const created = await tenant.platform().call(changes.createPage, { body });
    assert.deepEqual([created.title, created.isOwner], [body.title, true]);
    assert.equal((await pageNamed(tenant, body.title)).id, String(created.pageId));
    assert.equal((await childrenOf(tenant, "Operations")).at(-1), body.title);
    const twice = await tenant.failure(tenant.platform().call(changes.createPage, { body }));
    assert.deepEqual([twice.kind, twice.status], ["route", 409]);
    await tenant.platform().call(changes.createPage, { body: { title: "At the top" } });
    assert.equal((await readPageTree(tenant.platform())).at(-1)?.title, "At the top");
  },
  "pages.delete": async (tenant) => {
    const { pageId } = await tenant.platform().call(changes.createPage, { body: { title: "Short-lived" } });
    await tenant.platform().call(changes.deletePage, { pageId: String(pageId) });
    const gone = await tenant.failure(tenant.platform().call(getPage, { id: String(pageId) }));
    assert.deepEqual([gone.kind, gone.status], ["route", 404]);
    const { id } = await pageNamed(tenant, "Sales");
    const failure = await tenant.failure(tenant.platform().call(changes.deletePage, { pageId: id }));
    assert.deepEqual([failure.kind, failure.status], ["route", 409]);
  },
  "pages.shares.add": async (tenant) => {
    const { id } = await pageNamed(tenant, "Cash flow");
    const resources = [{ type: "page", id }];
    const recipients = [
      { type: "user", id: "481516239" },
      { type: "group", id: "31" },
    ] as const;
    const share = () =>
      tenant.platform().call(changes.sharePages, {
        sendEmail: false,
        body: { resources, recipients: [...recipients] },
      });
    await share();
    await share();
    const found = (await sharesOf(tenant.platform(), [id])) ?? [];
    for (const recipient of recipients) {
      assert.equal(found.filter((one) => one.type === recipient.type && one.id === recipient.id).length, 1);
    }
  },
  "pages.shares.revoke": async (tenant) => {
    const { id } = await pageNamed(tenant, "Budget");
    const other = await pageNamed(tenant, "Cash flow");
    const resources = [id, other.id].map((pageId) => ({ type: "page", id: pageId }));
    const userId = "481516241";
    const recipients = [{ type: "user" as const, id: userId }];
    await tenant.platform().call(changes.sharePages, { body: { resources, recipients } });
    const whose = async (pageId: string) =>
      ((await sharesOf(tenant.platform(), [pageId])) ?? []).some((share) => share.id === userId);
    await tenant.platform().call(changes.revokePageShare, { pageId: id, userId });
    assert.deepEqual([await whose(id), await whose(other.id)], [false, true]);
  },
  "pages.owners.add": async (tenant) => {
    const { id } = await pageNamed(tenant, "Month-end close");
    const owners = [
      { id: 481_516_240, type: "USER" as const },
      { id: 31, type: "GROUP" as const },
    ];
    await tenant.platform().call(changes.addPageOwners, { body: { owners, pageIds: [Number(id)] } });
    const found = (await tenant.platform().call(getPage, { id })).owners ?? [];
    assert.deepEqual(
      owners.filter((owner) => !found.some((one) => one.id === owner.id && one.type === owner.type)),
      [],
    );
  },
  "pages.shares.list": async (tenant) => {
    const platform = tenant.platform();
    const whose = async (...pageIds: readonly string[]) =>
      (await sharesOf(platform, pageIds))?.filter(({ type }) => type === "group");
    assert.deepEqual(await whose("1001"), [{ type: "group", id: "35", name: "Everybody", pages: 1 }]);
    assert.deepEqual(await whose("1001", "1002"), [{ type: "group", id: "35", name: "Everybody", pages: 2 }]);
    await removeShare(platform, { type: "group", id: 35, pageIds: [1001] });
    assert.deepEqual(await whose("1001"), []);
    assert.equal(await sharesOf(platform, ["1"]), undefined, "no such page, or no such operation");
  },
  "pages.navigation.get": async (tenant) => {
    const tree = await readPageTree(tenant.platform(), tenant.dialect === "domo" ? { includeHidden: true } : {});
    assert.deepEqual([tree[0]?.title, tree[0]?.id], ["Sales", "1001"]);
    assert.equal(flat(tree).length >= 30, true);
    assert.equal(
      flat(tree).some(({ title }) => title === "日本"),
      true,
    );
    assert.equal(tree[0]?.fields.href, "/page/1001");
    const depth = (nodes: readonly PageNode[]): number =>
      1 + Math.max(-1, ...nodes.map(({ children }) => depth(children)));
    assert.equal(depth(tree) >= 3, true);
  },
  "pages.filterViews.list": async (tenant) => {
    const views = await tenant.platform().call(filterViews.listFilterViews, { pageId: "1001" });
    assert.deepEqual(
      views.map(({ name, scope }) => [name, scope]),
      [
        ["Sales: north only", "PAGE"],
        ["My view", "USER"],
      ],
    );
  },
  "pages.filterViews.get": async (tenant) => {
    const view = await tenant.platform().call(filterViews.getFilterView, { filterViewId: "201" });
    assert.deepEqual([view.name, view.pageUrn], ["Sales: north only", "1001"]);
    assert.deepEqual([view.filters?.[0]?.column, view.filters?.[0]?.values], ["Region", ["North"]]);
  },
  "pages.filterViews.delete": async (tenant) => {
    const [view] = await tenant.platform().call(filterViews.listFilterViews, { pageId: "1004" });
    const filterViewId = String(view?.analyzerId);
    await tenant.platform().call(filterViews.deleteFilterView, { filterViewId });
    const failure = await tenant.failure(tenant.platform().call(filterViews.getFilterView, { filterViewId }));
    assert.deepEqual([failure.kind, failure.status], ["route", 404]);
  },
  "pages.analyzer.update": async (tenant) => {
    const body = { name: "South", filters: [{ column: "Region", operand: "IN", values: ["South"], key: "Region" }] };
    await tenant.platform().call(filterViews.updateAnalyzer, { pageId: "1002", body });
    const [view] = await tenant.platform().call(filterViews.listFilterViews, { pageId: "1002" });
    assert.equal(view?.name, "South");
    const whole = await tenant.platform().call(filterViews.getFilterView, { filterViewId: String(view?.analyzerId) });
    assert.equal(whole.filters?.[0]?.key, "Region", "an unknown field is lost");
    const several = [
      { name: "East", filters: [] },
      { name: "West", filters: [] },
    ];
    await tenant.platform().call(filterViews.updateAnalyzer, { pageId: "1002", body: several });
    const names = (await tenant.platform().call(filterViews.listFilterViews, { pageId: "1002" })).map(
      ({ name }) => name,
    );
    assert.deepEqual(
      ["East", "West"].map((name) => names.includes(name)),
      [true, true],
    );
  },
  "pages.collections.list": async (tenant) => {
    const [collection] = await tenant.platform().call(pages.listPageCollections, { pageId: "1002" });
    assert.deepEqual(
      [collection?.id, collection?.title, collection?.collectionId, collection?.cardIds?.length],
      tenant.dialect === "domo" ? [51, "Top cards", undefined, 2] : [51, "Quarterly review", "9001", undefined],
    );
  },
  "pages.collections.add": async (tenant) => {
    const isMembership = tenant.dialect === "documented";
    const body = isMembership
      ? { collectionId: 9002, position: 1 }
      : { title: "Neu ✓", description: "", cardIds: [90210, "card-7f"] };
    await tenant.platform().call(pages.addPageCollection, { pageId: "1001", body });
    const collection = (await tenant.platform().call(pages.listPageCollections, { pageId: "1001" })).at(-1);
    assert.deepEqual(
      [collection?.title, collection?.cardIds, collection?.position],
      isMembership ? ["Board pack", undefined, 1] : ["Neu ✓", [90210, "card-7f"], undefined],
    );
    const { fields } = await pageNamed(tenant, "Sales");
    assert.match(JSON.stringify(fields.collections), isMembership ? /"Board pack"/ : /"Neu ✓"/);
  },
  "pages.collections.update": async (tenant) => {
    const ids = { pageId: "1002", pageCollectionId: "51" };
    const isMembership = tenant.dialect === "documented";
    const body = isMembership ? { collectionId: "9003", position: 4 } : { title: "Best cards" };
    await tenant.platform().call(pages.updatePageCollection, { ...ids, body });
    const [collection] = await tenant.platform().call(pages.listPageCollections, { pageId: "1002" });
    assert.deepEqual(
      [collection?.id, collection?.title, collection?.description, collection?.position],
      isMembership ? [51, "Onboarding", undefined, 4] : [51, "Best cards", "Most used", undefined],
    );
  },
  "pages.collections.remove": async (tenant) => {
    const before = await tenant.platform().call(pages.listPageCollections, { pageId: "1006" });
    const ids = { pageId: "1006", pageCollectionId: String(before[0]?.id) };
    assert.equal(await tenant.platform().call(pages.removePageCollection, ids), undefined);
    assert.deepEqual(await tenant.platform().call(pages.listPageCollections, { pageId: "1006" }), before.slice(1));
    const failure = await tenant.failure(tenant.platform().call(pages.removePageCollection, ids));
    assert.deepEqual([failure.kind, failure.status], ["route", 404]);
  },
} satisfies Cases;
