import assert from "node:assert/strict";
import { searchApps, shareApps } from "../../../src/api/catalogue/operations/app-studio.ts";
import { allApps, readAppAccess, readApps, readAppViews } from "../../../src/api/families/app-studio.ts";
import type { Cases } from "./cases.ts";

export const appStudioCases = {
  "appStudio.apps.search": async (tenant) => {
    const { apps, total, hasMore } = await readApps(tenant.platform(), { text: "", offset: 0 });
    assert.deepEqual([apps.length, total, hasMore], [6, 6, false]);
    const page = await tenant.platform().call(searchApps, { limit: 2, skip: 3, body: { ascending: false } });
    assert.deepEqual(
      [page.dataAppAdminSummaries?.map(({ title }) => title), page.nextOffset],
      [["Field visits", "Energy report"], 5],
    );
    const found = [];
    for await (const one of allApps(tenant.platform(), "re")) found.push(...one.map(({ title }) => title));
    assert.deepEqual(found, ["Energy report", "Store planner"]);
  },
  "appStudio.apps.get": async (tenant) => {
    const views = await readAppViews(tenant.platform(), "1202");
    assert.deepEqual(
      views.map(({ viewTitle, cardTitles }) => [viewTitle, cardTitles?.length]),
      [
        ["Overview", 2],
        ["Details", 2],
      ],
    );
    const failure = await tenant.failure(readAppViews(tenant.platform(), "9"));
    assert.deepEqual([failure.kind, failure.status], ["notFound", 404]);
  },
  "appStudio.access.get": async (tenant) => {
    assert.deepEqual(await readAppAccess(tenant.platform(), "1204"), [{ type: "GROUP", id: "31", name: "Analysts" }]);
  },
  "appStudio.shares.add": async (tenant) => {
    const recipients = [
      { type: "user" as const, id: "481516239" },
      { type: "group" as const, id: "32" },
    ];
    const share = () =>
      tenant.platform().call(shareApps, { sendEmail: false, body: { dataAppIds: [1203], recipients } });
    await share();
    await share();
    assert.deepEqual(
      (await readAppAccess(tenant.platform(), "1203")).map(({ type, id }) => `${type} ${id}`),
      ["USER 481516234", "USER 481516239", "GROUP 32"],
    );
    const failure = await tenant.failure(
      tenant.platform().call(shareApps, { body: { dataAppIds: ["9"], recipients } }),
    );
    assert.deepEqual([failure.kind, failure.status], ["notFound", 404]);
  },
} satisfies Cases;
