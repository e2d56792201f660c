import assert from "node:assert/strict";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { shareApp } from "../../../../src/features/app-studio/handlers.ts";
import { appsBranch, studioApp } from "../../../../src/features/app-studio/rows.ts";
import type { Tenant } from "../../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { CancellationError, nextMessage } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

const app = { type: "studioApp", tenantId: "acme", id: "12", name: "Sales cockpit" } as const;

/** A platform with one app that person 7 can see. `has` is false for one that has only the API description. */
function load({ has = true } = {}) {
  const refreshed: string[][] = [];
  const fake = fakePlatform(
    ({ method, path }) => {
      if (path.includes("/dataapps")) {
        if (!has) {
          return json(404, { message: "No static resource" });
        }
        return method === "POST" && path.includes("/share")
          ? json(200, {})
          : path.includes("adminsummary?") || method === "POST"
            ? json(200, { dataAppAdminSummaries: [{ dataAppId: 12, title: "Sales cockpit" }, {}] })
            : json(200, { users: [{ id: 7, displayName: "Person 7" }], groups: [{ id: 31, name: "Analysts" }, {}] });
      }
      if (path.includes("/groups")) {
        return json(200, path.includes("offset=0") ? [{ id: 31, name: "Analysts" }] : []);
      }
      return json(200, path.includes("offset=0") ? [7, 8].map((id) => ({ id, displayName: `Person ${id}` })) : []);
    },
    has ? dialects.domo : dialects.documented,
  );
  const tenant = { id: "acme", label: "Acme", baseUrl: "https://acme.example" } as Tenant;
  const parts = {
    registry: Object.create(TenantRegistry.prototype) as TenantRegistry,
    connections: { tenant: () => tenant, platform: async () => fake.platform },
    trees: { apps: { refreshLists: async (...keys: string[]) => void refreshed.push(keys) } as never },
  };
  const sent = () =>
    fake.requests
      .filter(({ path }) => path.includes("/dataapps/share"))
      .map(({ path, body }) => [path, JSON.parse(String(body))]);
  return {
    sent,
    refreshed,
    client: fake.platform,
    share: async () => await shareApp(parts, fake.platform, app, [{ type: "USER", id: "8", name: "Person 8" }]),
  };
}

describe("sharing an App Studio app", () => {
  it("confirms with the names, and sends nothing before that", async () => {
    const { sent, refreshed, share } = load();
    for (const choice of [undefined, "Share"]) {
      const asked = nextMessage();
      const done = share();
      const { text, choose } = await asked;
      assert.equal(text, "Share Sales cockpit with Person 8?");
      assert.deepEqual(sent(), []);
      choose(choice);
      await (choice === undefined ? assert.rejects(done, CancellationError) : done);
    }
    assert.deepEqual(sent(), [
      [
        "/api/content/v1/dataapps/share?sendEmail=false",
        { dataAppIds: ["12"], recipients: [{ type: "user", id: "8" }] },
      ],
    ]);
    assert.deepEqual(refreshed, [["acme", "app/12/access"]]);
  });
});

describe("the list of App Studio apps", () => {
  const request = { filter: "", offset: 0, signal: new AbortController().signal };

  it("shows an entry without an id, and says if the platform doesn't list apps", async () => {
    const { rows, remark } = await appsBranch("acme").read({ ...request, client: load().client });
    assert.deepEqual(
      [rows.map(({ resource }) => [resource.id, resource.name]), remark],
      [
        [
          ["12", "Sales cockpit"],
          ["?", "Unnamed app"],
        ],
        undefined,
      ],
    );
    const missing = await appsBranch("acme").read({ ...request, client: load({ has: false }).client });
    assert.deepEqual([missing.rows, missing.remark], [[], "The API of this platform doesn't list App Studio apps."]);
  });

  it("has details with the views and with who has access", async () => {
    const { sections } = await studioApp.details({ client: load().client, resource: app });
    assert.deepEqual(
      sections.map((section) => (section.type === "table" ? [section.title, section.rows.length] : [])),
      [
        ["Views", 0],
        ["Access", 2],
      ],
    );
  });
});
