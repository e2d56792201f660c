import assert from "node:assert/strict";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { addOwners, pageChangeCommands, shareWith } from "../../../../src/features/pages/access-changes.ts";
import { choosePages } from "../../../../src/features/pages/choice.ts";
import type { Tenant } from "../../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { CancellationError, editor, nextInput, nextMessage } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

const owners = [{ id: 7, type: "USER", displayName: "Ada" }];
const hierarchy = [
  { id: "1", title: "Sales", owners, children: [{ id: "12", title: "Sales overview", owners, children: [] }] },
];
const rowOf = (id: string, name: string) => ({ resource: { type: "page", tenantId: "acme", id, name } });
const clara = { type: "USER", id: "9", name: "Clara" } as const;
const analysts = { type: "GROUP", id: "31", name: "Analysts" } as const;
const overview = rowOf("12", "Sales overview");

/** A platform with two pages; `changes` is false for one that has only the API description. */
function load(changes = true) {
  const refreshed: string[][] = [];
  const revealed: string[][] = [];
  const fake = fakePlatform(
    ({ method, path }) => {
      if (path.includes("/navigation")) {
        return json(200, hierarchy);
      }
      if (method !== "GET") {
        return changes ? json(200, { pageId: 12 }) : json(404, { message: "No static resource" });
      }
      return json(200, {});
    },
    changes ? dialects.domo : dialects.documented,
  );
  const tenant = { id: "acme", label: "Acme", baseUrl: "https://acme.example" } as Tenant;
  const tree = {
    refreshLists: async (...keys: string[]) => void refreshed.push(keys),
    reveal: async (...keys: string[]) => void revealed.push(keys),
  };
  const parts = {
    registry: Object.create(TenantRegistry.prototype) as TenantRegistry,
    connections: { tenant: () => tenant, platform: async () => fake.platform },
    trees: { pages: tree as never },
  };
  const handlers = pageChangeCommands(parts);
  const chosen = (...rows: readonly object[]) =>
    choosePages(parts, { setErrorContext: () => undefined }, undefined, rows, "Pages");
  const sent = () =>
    fake.requests
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => [method, path, body === undefined ? undefined : JSON.parse(String(body))]);
  const run = (command: keyof typeof handlers, argument: unknown, selection: readonly unknown[] = []) =>
    handlers[command]({ setErrorContext: () => undefined }, argument, selection);
  return { parts, chosen, run, sent, refreshed, revealed };
}

describe("changes of pages beyond the API description", () => {
  beforeEach(() => {
    editor.openedOutside.length = 0;
  });

  it("Create Page creates it below the row's page and selects it", async () => {
    const { run, sent, refreshed, revealed } = load();
    const typed = nextInput().then((input) => input.submit("Forecast"));
    const done = run("platformWorkbench.createPage", rowOf("1", "Sales"));
    await typed;
    await done;
    assert.deepEqual(sent(), [["POST", "/api/content/v1/pages", { title: "Forecast", parentPageId: 1 }]]);
    assert.deepEqual(refreshed, [["acme", "pages"]]);
    assert.deepEqual(revealed, [["acme", "page/1", "page/12"]]);
  });

  it("Delete Page names the page with its place, and sends nothing without a confirmation", async () => {
    const { run, sent, refreshed } = load();
    for (const choice of [undefined, "Delete"]) {
      const asked = nextMessage();
      const done = run("platformWorkbench.deletePage", overview);
      const { text, detail, choose } = await asked;
      assert.equal(text, "Delete the page Sales overview?");
      assert.match(detail ?? "", /^Sales \/ Sales overview\n\nEveryone loses the page/);
      assert.deepEqual(sent(), []);
      choose(choice);
      await (choice === undefined ? assert.rejects(done, CancellationError) : done);
    }
    assert.deepEqual(sent(), [["DELETE", "/api/content/v1/pages/12", undefined]]);
    assert.deepEqual(refreshed, [["acme", "pages"]]);
  });

  it("Delete Page doesn't delete a page with pages below it", async () => {
    const { run, sent } = load();
    await assert.rejects(
      async () => run("platformWorkbench.deletePage", rowOf("1", "Sales")),
      /Can't delete Sales: there are pages below it\. Move or delete them first\./,
    );
    assert.deepEqual(sent(), []);
  });

  it("Share Page confirms with the names, and shares without an email", async () => {
    const { parts, chosen, sent } = load();
    const pages = await chosen(overview);
    const asked = nextMessage();
    const done = shareWith(parts, pages, [clara, analysts]);
    const { text, detail, choose } = await asked;
    assert.equal(text, "Share Sales overview with Clara and Analysts?");
    assert.match(detail ?? "", /^Sales \/ Sales overview\n\nThey can see the pages/);
    assert.deepEqual(sent(), []);
    choose("Share");
    await done;
    assert.deepEqual(sent(), [
      [
        "POST",
        "/api/content/v1/share?sendEmail=false",
        {
          resources: [{ type: "page", id: "12" }],
          recipients: [
            { type: "user", id: "9" },
            { type: "group", id: "31" },
          ],
        },
      ],
    ]);
  });

  it("Add Page Owners confirms with the names, and reads the hierarchy again", async () => {
    const { parts, chosen, sent, refreshed } = load();
    const pages = await chosen(overview, rowOf("1", "Sales"));
    const asked = nextMessage();
    const done = addOwners(parts, pages, [clara]);
    const { text, choose } = await asked;
    assert.equal(text, "Add Clara to the owners of these 2 pages?");
    choose("Add");
    await done;
    assert.deepEqual(sent(), [
      ["PUT", "/api/content/v1/pages/bulk/owners", { owners: [{ type: "USER", id: 9 }], pageIds: [12, 1] }],
    ]);
    assert.deepEqual(refreshed, [["acme", "pages"]]);
  });

  it("offers the page's web page on a platform without the operation", async () => {
    const { run } = load(false);
    const asked = nextMessage();
    const done = run("platformWorkbench.deletePage", overview);
    const question = await asked;
    const shown = nextMessage();
    question.choose("Delete");
    const { text, items, choose } = await shown;
    assert.equal(text, "The API of Acme has no such action for Sales overview, or it no longer exists.");
    assert.deepEqual(items, ["Open in Browser"]);
    choose("Open in Browser");
    await done;
    assert.deepEqual(editor.openedOutside, ["https://acme.example/page/12"]);
  });
});
