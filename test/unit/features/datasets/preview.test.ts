import assert from "node:assert/strict";
import { rowsOf } from "../../../../src/api/families/dataset-rows.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { datasetReaders } from "../../../../src/features/datasets/details.ts";
import { datasetCommands } from "../../../../src/features/datasets/handlers.ts";
import { readQuery } from "../../../../src/programs/sample-tenant/seed/dataset-rows.ts";
import type { Tenant } from "../../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { editor, nextInput } from "../../../harness/editor-stand-in/vscode.ts";
import { failureOf, fakePlatform, json } from "../../api/fake-platform.ts";

const schema = { tables: [{ columns: [{ name: "Region", type: "STRING" }] }] };
const dataset = { type: "dataset", tenantId: "acme", id: "d 1", name: "sales" } as const;

function load(rows: unknown, status = 200) {
  return fakePlatform(
    ({ path }) => (path.includes("/execute/") ? json(status, rows) : json(200, schema)),
    dialects.domo,
  );
}

describe("the preview of a dataset", () => {
  it("has its first rows and its columns", async () => {
    const fake = load({
      columns: ["Region", "Amount"],
      rows: [
        ["North | East", 1.5],
        [null, { a: 1 }],
      ],
    });
    const { sections } = await datasetReaders.dataset({ client: fake.platform, resource: dataset });
    assert.deepEqual(
      sections.map((section) => (section.type === "table" ? [section.title, section.columns, section.rows] : [])),
      [
        [
          "First Rows",
          ["Region", "Amount"],
          [
            ["North | East", "1.5"],
            ["", '{"a":1}'],
          ],
        ],
        ["Columns", ["Name", "Type"], [["Region", "String"]]],
      ],
    );
    const [sent] = fake.requests.filter(({ method }) => method === "POST");
    assert.equal(sent?.path, "/api/query/v1/execute/d%201");
    assert.deepEqual(JSON.parse(String(sent?.body)), { sql: "SELECT * FROM table LIMIT 100" });
  });

  it("is bounded in rows, columns, and characters", async () => {
    const columns = Array.from({ length: 60 }, (_, index) => `c${index}`);
    const rows = Array.from({ length: 300 }, () => columns.map(() => "x".repeat(5000)));
    const resource = {
      type: "datasetQuery",
      tenantId: "acme",
      id: "SELECT * FROM table",
      parentId: "d",
      name: "q",
    } as const;
    const [table] = (await datasetReaders.datasetQuery({ client: load({ columns, rows }).platform, resource }))
      .sections;
    assert.ok(table?.type === "table");
    assert.deepEqual([table.columns.length, table.rows.length], [40, 100]);
    assert.ok(String(table.rows[0]?.[0]).length < 300);
    assert.equal(table.remark, "Only the first 100 rows are shown. Only the first 40 columns are shown.");
  });

  it("has only the columns on a platform that can't query datasets", async () => {
    const { sections } = await datasetReaders.dataset({ client: load({}, 404).platform, resource: dataset });
    assert.deepEqual(
      sections.map(({ title }) => title),
      ["Columns"],
    );
  });

  it("reports what the platform says about a query", async () => {
    const resource = { type: "datasetQuery", tenantId: "acme", id: "SELEC", parentId: "d", name: "q" } as const;
    const { platform } = load({ status: 400, message: "Syntax error near SELEC" }, 400);
    const failure = await failureOf(datasetReaders.datasetQuery({ client: platform, resource }));
    assert.match(failure.message, /Can't query dataset d.*Syntax error near SELEC/s);
  });

  it("reads rows as objects, too", () => {
    assert.deepEqual(rowsOf([{ a: 1 }, { b: 2, a: 3 }]), {
      columns: ["a", "b"],
      rows: [
        [1, null],
        [3, 2],
      ],
    });
    assert.deepEqual(rowsOf({}), { columns: [], rows: [] });
  });
});

describe("Preview Dataset", () => {
  const load = (workspace: object) => {
    const { platform } = fakePlatform(() => json(200, { id: "w1", ...workspace }));
    const tenant = { id: "acme", label: "Acme", baseUrl: "https://acme.example" } as Tenant;
    const registry = Object.create(TenantRegistry.prototype) as TenantRegistry;
    const connections = { tenant: () => tenant, platform: async () => platform };
    const { "platformWorkbench.previewDataset": run } = datasetCommands({ registry, connections });
    const row = { resource: { type: "workspace", tenantId: "acme", id: "w1", name: "Forecast" } };
    return () => run({ setErrorContext: () => undefined }, row, []);
  };

  it("offers the datasets of the workspace, and shows the first rows of the chosen one", async () => {
    editor.executed.length = 0;
    editor.choices.splice(0, Number.POSITIVE_INFINITY, "sales");
    const entered = nextInput().then((input) => input.submit("SELECT * FROM table LIMIT 100"));
    await Promise.all([
      load({ inputConfiguration: [{ alias: "sales", dataSourceId: "d1" }, { alias: "unbound" }] })(),
      entered,
    ]);
    assert.deepEqual(editor.executed, [
      ["platformWorkbench.showDetails", { type: "dataset", tenantId: "acme", id: "d1", name: "sales" }],
    ]);
  });

  it("shows the result of another query", async () => {
    editor.executed.length = 0;
    editor.choices.splice(0, Number.POSITIVE_INFINITY, "out");
    const entered = nextInput().then((input) => input.submit("SELECT Region FROM table"));
    await Promise.all([load({ outputConfiguration: { out: { dataSourceId: 7 } } })(), entered]);
    assert.deepEqual(editor.executed[0]?.[1], {
      type: "datasetQuery",
      tenantId: "acme",
      id: "SELECT Region FROM table",
      parentId: "7",
      name: "Query of out",
    });
  });

  it("says what to do for a workspace without datasets", async () => {
    await assert.rejects(async () => load({})(), /Forecast has no datasets\. Bind one in its configuration/);
  });
});

describe("queries of the sample tenant", () => {
  it("are read, or refused as a whole", () => {
    assert.deepEqual(readQuery("select `Region`, Amount from table limit 5 offset 2;"), {
      columns: ["Region", "Amount"],
      limit: 5,
      offset: 2,
    });
    assert.deepEqual(readQuery("SELECT * FROM table")?.columns, undefined);
    for (const sql of [
      "",
      "DELETE FROM table",
      "SELECT * FROM",
      "SELECT * FROM table WHERE a",
      "SELECT * FROM t LIMIT x",
    ]) {
      assert.equal(readQuery(sql), undefined, sql);
    }
  });
});
