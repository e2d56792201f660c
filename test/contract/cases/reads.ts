import assert from "node:assert/strict";
import * as data from "../../../src/api/catalogue/operations/data.ts";
import * as queries from "../../../src/api/catalogue/operations/dataset-queries.ts";
import * as instance from "../../../src/api/catalogue/operations/instance.ts";
import * as notebooks from "../../../src/api/catalogue/operations/notebooks.ts";
import * as pages from "../../../src/api/catalogue/operations/pages.ts";
import { getSandboxSettings } from "../../../src/api/catalogue/operations/sandbox.ts";
import * as users from "../../../src/api/catalogue/operations/users.ts";
import * as workflows from "../../../src/api/catalogue/operations/workflows.ts";
import { rowsOf } from "../../../src/api/families/dataset-rows.ts";
import type { Cases } from "./cases.ts";

const sales = "7a1d3b52-0f6c-4c19-8e57-d2b4a6c80e11";

export const readCases = {
  // Proves 2.11: each read of section 4.7 has a typed model
  "accounts.list": async (tenant) => {
    const accounts = await tenant.platform().call(data.listAccounts, {});
    assert.deepEqual([accounts[0]?.id, accounts[0]?.displayName, accounts.length], [77, "Warehouse", 4]);
  },
  "activityLog.types.list": async (tenant) => {
    const types = await tenant.platform().call(instance.listActivityLogTypes, {});
    assert.equal(types.find(({ type }) => type === "ACCESS_TOKEN")?.translation, "Access token");
  },
  "ai.settings.get": async (tenant) => {
    const settings = await tenant.platform().call(instance.getAiSettings, {});
    assert.equal(settings.connectors?.OPENAI?.enabled, false);
    assert.equal(settings.generalSettings?.AGENT_MODEL_PROVIDER?.value, "BUILT_IN");
  },
  "datastores.list": async (tenant) => {
    const datastores = await tenant.platform().call(data.listDatastores, {});
    assert.deepEqual([datastores[0]?.id, datastores[0]?.temporary], ["ds-1", false]);
  },
  "applications.list": async (tenant) => {
    const [application] = await tenant.platform().call(instance.listApplications, {});
    assert.deepEqual([application?.name, application?.imageLocation], ["Toolkit", null]);
  },
  "cards.get": async (tenant) => {
    const card = await tenant.platform().call(instance.getCard, { id: "90210" });
    assert.deepEqual([card.id, card.datasources?.[0]?.dataSourceId], [90210, sales]);
    assert.equal((await tenant.failure(tenant.platform().call(instance.getCard, { id: "1" }))).kind, "notFound");
  },
  // Proves 2.11: each read of section 4.7 has a typed model
  "codeEngine.packages.list": async (tenant) => {
    const packages = await tenant.platform().call(instance.listCodeEnginePackages, {});
    assert.deepEqual(
      packages.map(({ name, versions }) => [name, versions?.length]),
      [
        ["Mail tools", 1],
        ["Text cleaning", 2],
        ["Exchange rates", 3],
      ],
    );
  },
  "datasets.query": async (tenant) => {
    const ask = (sql: string, datasetId = sales) =>
      tenant.platform().call(queries.queryDataset, { datasetId, body: { sql } });
    const first = rowsOf(await ask("SELECT * FROM table LIMIT 3"));
    assert.deepEqual(first.columns, ["Region", "Month", "Amount", "Orders"]);
    assert.deepEqual([first.rows.length, typeof first.rows[0]?.[2]], [3, "number"]);
    const next = rowsOf(await ask("SELECT Amount, Region FROM table LIMIT 2 OFFSET 1"));
    assert.deepEqual(
      next.rows,
      first.rows.slice(1).map(([region, , amount]) => [amount, region]),
    );
    const wrong = await tenant.failure(ask("DROP TABLE sales"));
    assert.deepEqual([wrong.kind, wrong.status], ["retrieval", 400]);
    const missing = await tenant.failure(ask("SELECT * FROM table", "none"));
    assert.deepEqual([missing.kind, missing.status], ["notFound", 404]);
  },
  "datasets.dataflows.list": async (tenant) => {
    const [dataflow] = await tenant.platform().call(data.listDatasetDataflows, { id: sales });
    assert.deepEqual([dataflow?.id, dataflow?.actions?.[0]?.dataSourceId], [912, sales]);
  },
  "datasets.permissions.get": async (tenant) => {
    const permissions = await tenant.platform().call(data.getDatasetPermissions, { id: sales });
    assert.ok(!Array.isArray(permissions));
    assert.deepEqual(
      permissions.list?.map(({ accessLevel }) => accessLevel),
      ["OWNER", "CAN_EDIT", "CAN_VIEW"],
    );
  },
  "datasets.schema.get": async (tenant) => {
    const schema = await tenant.platform().call(data.getDatasetSchema, { id: sales });
    assert.deepEqual(
      schema.tables?.[0]?.columns?.map(({ name, type }) => `${name} ${type}`),
      ["Region STRING", "Month DATE", "Amount DOUBLE", "Orders LONG"],
    );
  },
  "datasets.policies.list": async (tenant) => {
    const policies = await tenant.platform().call(data.listDataPolicies, { datasetId: sales });
    assert.deepEqual(policies[0]?.parameters?.[0]?.values, ["North"]);
    const failure = await tenant.failure(tenant.platform().call(data.listDataPolicies, { datasetId: "none" }));
    assert.deepEqual([failure.kind, failure.entity], ["notFound", "none"]);
  },
  "filesets.get": async (tenant) => {
    const fileset = await tenant.platform().call(data.getFileset, { id: "fs-1" });
    assert.deepEqual([fileset.name, fileset.description, fileset.connectorContext], ["Manuals", null, null]);
  },
  "grants.list": async (tenant) => {
    const grants = await tenant.platform().call(users.listGrants, {});
    assert.ok(grants.some(({ title }) => title === "Manage repository promotion"));
  },
  "groups.list": async (tenant) => {
    const groups = await tenant.platform().call(users.listGroups, {});
    assert.equal(groups.find(({ name }) => name === "Everybody")?.default, true);
    const second = tenant.platform().call(users.listGroups, { limit: 2, offset: 1 });
    if (tenant.dialect === "domo") {
      assert.deepEqual(await second, groups.slice(1, 3));
    } else {
      assert.equal((await tenant.failure(second)).kind, "request");
    }
  },
  // Proves 2.4: `isEnabled` is a Boolean
  "notebooks.settings.get": async (tenant) => {
    const settings = await tenant.platform().call(notebooks.getNotebookSettings, {});
    assert.equal(settings.isEnabled, true);
  },
  "pages.get": async (tenant) => {
    const page = await tenant.platform().call(pages.getPage, { id: "1001" });
    assert.equal(page.pageId, 1001);
    assert.equal(page.owners?.[0]?.displayName, "Ada Example");
  },
  "publications.list": async (tenant) => {
    const [publication] = await tenant.platform().call(instance.listPublications, {});
    assert.deepEqual([publication?.id, publication?.content?.[0]?.type], ["pub-1", "PAGE"]);
  },
  "roles.list": async (tenant) => {
    const roles = await tenant.platform().call(users.listRoles, {});
    assert.deepEqual([roles[0]?.name, typeof roles[0]?.authorityCount], ["Admin", "number"]);
  },
  "sandbox.config.get": async (tenant) => {
    const config = await tenant.platform().call(instance.getSandboxConfig, {});
    assert.equal(config.requireApprovals, false);
    const { allowSelfPromotion } = await tenant.platform().call(getSandboxSettings, {});
    assert.equal(config.allowSelfPromotion, allowSelfPromotion);
  },
  "streams.get": async (tenant) => {
    const stream = await tenant.platform().call(data.getStream, { id: "311" });
    assert.deepEqual([stream.id, stream.dataSource?.name, stream.account?.id], [311, "sales_clean", 77]);
    assert.equal(stream.configuration?.[0]?.value, "report-sales_clean");
  },
  "users.list": async (tenant) => {
    const listed = await tenant.platform().call(users.listUsers, {});
    assert.equal(listed.find(({ displayName }) => displayName === "Ada Example")?.role, "Admin");
    const three = tenant.platform().call(users.listUsers, { limit: 3 });
    if (tenant.dialect === "domo") {
      assert.equal((await three).length, 3);
    } else {
      assert.equal((await tenant.failure(three)).kind, "request");
    }
  },
  "workflows.list": async (tenant) => {
    const listed = await tenant.platform().call(workflows.listWorkflows, {});
    assert.deepEqual([listed.length >= 15, listed[0]?.name], [true, "Invoice approval"]);
  },
} satisfies Cases;
