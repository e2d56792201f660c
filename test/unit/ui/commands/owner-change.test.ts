import assert from "node:assert/strict";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { designCommands } from "../../../../src/features/designs/handlers.ts";
import { changeWorkspaceOwner } from "../../../../src/features/workspaces/owner.ts";
import type { Tenant } from "../../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { CancellationError, editor, nextMessage } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

const run = { setErrorContext: () => undefined };

/** A platform with a workspace and a design that belong to person 7. */
function load({ owner = 7 as unknown, status = 200 } = {}) {
  const refreshed: string[][] = [];
  const fake = fakePlatform(({ method, path }) => {
    if (method !== "GET") {
      return json(status, status === 200 ? {} : { message: "No static resource" });
    }
    if (path.includes("/users")) {
      return json(200, path.includes("offset=0") ? [7, 8].map((id) => ({ id, displayName: `Person ${id}` })) : []);
    }
    return json(200, { id: "w1", name: "Sales", owner });
  }, dialects.domo);
  const tenant = { id: "acme", label: "Acme", baseUrl: "https://acme.example" } as Tenant;
  const tree = { refreshLists: async (...keys: string[]) => void refreshed.push(keys) };
  const connections = { tenant: () => tenant, platform: async () => fake.platform };
  const registry = Object.create(TenantRegistry.prototype) as TenantRegistry;
  const design = designCommands({ registry, connections, trees: { designs: tree as never } });
  const sent = () =>
    fake.requests
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => [method, path, JSON.parse(String(body))]);
  return {
    sent,
    refreshed,
    workspace: () => changeWorkspaceOwner({ connections, tree }, { tenantId: "acme", workspaceId: "w1" }),
    design: async () => {
      const resource = { type: "design", tenantId: "acme", id: "d1", name: "Sales" };
      await design["platformWorkbench.changeDesignOwner"](run, { resource }, []);
    },
  };
}

describe("changing an owner", () => {
  for (const [kind, owner, expected] of [
    ["workspace", 7, ["PUT", "/api/datascience/v1/workspaces/w1/ownership", { newOwnerId: 8 }]],
    ["design", 7, ["PUT", "/api/apps/v1/designs/d1/transfer-owner", { newOwner: "8" }]],
    ["design", { id: 7, name: "Ada" }, ["PUT", "/api/apps/v1/designs/d1/transfer-owner", { newOwner: "8" }]],
  ] as const) {
    it(`of a ${kind} is confirmed with both names, and sent once (${JSON.stringify(owner)})`, async () => {
      const changes = load({ owner });
      for (const choice of [undefined, "Change Owner"]) {
        editor.choices.splice(0, Number.POSITIVE_INFINITY, "Person 8");
        const asked = nextMessage();
        const done = changes[kind]();
        const { text, detail, choose } = await asked;
        assert.equal(text, "Make Person 8 the owner of Sales?");
        assert.match(detail ?? "", /^Owner now: Person 7\n/);
        assert.deepEqual(changes.sent(), []);
        choose(choice);
        await (choice === undefined ? assert.rejects(done, CancellationError) : done);
      }
      assert.deepEqual(changes.sent(), [expected]);
      assert.equal(changes.refreshed.length, 1);
    });
  }

  it("doesn't offer the owner, also if the platform returns it as an object", async () => {
    const changes = load({ owner: { id: "7" } });
    editor.choices.splice(0, Number.POSITIVE_INFINITY, "Person 7");
    editor.picks.length = 0;
    await assert.rejects(changes.design(), CancellationError);
    const [{ items } = { items: [] }] = editor.picks;
    assert.deepEqual(
      items.map(({ label }) => label),
      ["Person 8"],
    );
    assert.deepEqual(changes.sent(), []);
  });

  it("on a platform without the operation says so, and refreshes nothing", async () => {
    const changes = load({ status: 404 });
    editor.choices.splice(0, Number.POSITIVE_INFINITY, "Person 8");
    const asked = nextMessage();
    const done = changes.workspace();
    const { choose } = await asked;
    const said = nextMessage();
    choose("Change Owner");
    const { text, choose: answer } = await said;
    assert.match(text, /^The API of Acme has no such action for Sales/);
    answer(undefined);
    await done;
    assert.deepEqual(changes.refreshed, []);
  });
});
