import assert from "node:assert/strict";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { setPermissions, workflowAccessCommands } from "../../../../src/features/workflows/access-changes.ts";
import { versionChangeCommands } from "../../../../src/features/workflows/version-changes.ts";
import type { Tenant } from "../../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { CancellationError, editor, nextMessage } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

const run = { setErrorContext: () => undefined };
const below = { tenantId: "acme", modelId: "m1", modelName: "Nightly load" };
const draft = {
  ...below,
  resource: { type: "workflowVersion", tenantId: "acme", id: "2.0.0", parentId: "m1", name: "Nightly load v2.0.0" },
};

function load() {
  const refreshed: string[][] = [];
  const fake = fakePlatform(({ method, path }) => {
    if (method !== "GET") {
      return json(200, {});
    }
    if (path.includes("/users")) {
      return json(200, path.includes("offset=0") ? [7, 8].map((id) => ({ id, displayName: `Person ${id}` })) : []);
    }
    return path.includes("/versions/")
      ? json(200, { version: "2.0.0", description: "Fewer steps" })
      : json(200, { id: "m1", name: "Nightly load", owner: 7, versions: [{ version: "1.4.0", active: true }] });
  }, dialects.domo);
  const tenant = { id: "acme", label: "Acme", baseUrl: "https://acme.example" } as Tenant;
  const parts = {
    registry: Object.create(TenantRegistry.prototype) as TenantRegistry,
    connections: { tenant: () => tenant, platform: async () => fake.platform },
    trees: { workflows: { refreshLists: async (...keys: string[]) => void refreshed.push(keys) } as never },
  };
  const sent = () =>
    fake.requests
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => [method, path, body === undefined ? undefined : JSON.parse(String(body))]);
  return { parts, client: fake.platform, sent, refreshed };
}

const versionPath = "/api/workflow/v2/models/m1/versions/2.0.0";

describe("changes of workflow versions", () => {
  for (const [command, question, detail, button, expected] of [
    [
      "platformWorkbench.releaseWorkflowVersion",
      "Release Nightly load v2.0.0?",
      /^Active now: v1\.4\.0\n\nIt becomes active, and its definition can't be changed anymore\.$/,
      "Release",
      ["POST", `${versionPath}/release`, undefined],
    ],
    [
      "platformWorkbench.activateWorkflowVersion",
      "Activate Nightly load v2.0.0?",
      /^Its triggers start it/,
      "Activate",
      ["PUT", versionPath, { active: true, description: "Fewer steps" }],
    ],
    [
      "platformWorkbench.deactivateWorkflowVersion",
      "Deactivate Nightly load v2.0.0?",
      /^Its triggers no longer start it/,
      "Deactivate",
      ["PUT", versionPath, { active: false, description: "Fewer steps" }],
    ],
  ] as const) {
    it(`${button} names the version, and sends nothing without a confirmation`, async () => {
      const { parts, sent, refreshed } = load();
      const handlers = versionChangeCommands(parts);
      for (const choice of [undefined, button]) {
        const asked = nextMessage();
        const done = handlers[command](run, draft);
        const shown = await asked;
        assert.equal(shown.text, question);
        assert.match(shown.detail ?? "", detail);
        assert.deepEqual(sent(), []);
        shown.choose(choice);
        await (choice === undefined ? assert.rejects(async () => done, CancellationError) : done);
      }
      assert.deepEqual(sent(), [expected]);
      assert.deepEqual(refreshed, [["acme", "workflow/m1"]]);
    });
  }
});

describe("changes of access to a workflow", () => {
  it("a new owner is confirmed with both names", async () => {
    const { parts, sent } = load();
    editor.choices.splice(0, Number.POSITIVE_INFINITY, "Person 8");
    const asked = nextMessage();
    const done = workflowAccessCommands(parts)["platformWorkbench.changeWorkflowOwner"](run, below);
    const { text, detail, choose } = await asked;
    assert.equal(text, "Make Person 8 the owner of Nightly load?");
    assert.match(detail ?? "", /^Owner now: Person 7\n/);
    choose("Change Owner");
    await done;
    assert.deepEqual(sent(), [["PUT", "/api/workflow/v1/models/m1", { id: "m1", owner: "8" }]]);
  });

  it("permissions of one person are replaced, and all others are sent as they are", async () => {
    const { parts, client, sent, refreshed } = load();
    const before = [
      { type: "USER", id: "7", name: "Ada", permissions: ["ADMIN"] },
      { type: "GROUP", id: "7", name: "Analysts", permissions: ["READ"] },
    ];
    const workflow = { client, tenantId: "acme", modelId: "m1", name: "Nightly load" };
    const holder = { type: "GROUP", id: "7", name: "Analysts", permissions: ["READ", "EXECUTE"] };
    const asked = nextMessage();
    const done = setPermissions(parts, workflow, before, holder);
    const { text, detail, choose } = await asked;
    assert.equal(text, "Change the permissions of Analysts on Nightly load?");
    assert.equal(detail, "Now: Read\nAfterward: Read, Execute");
    choose("Change");
    await done;
    assert.deepEqual(sent(), [["POST", "/api/workflow/v1/models/m1/permissions", [before[0], holder]]]);
    assert.deepEqual(refreshed, [["acme", "workflow/m1/permissions"]]);
    const removing = nextMessage();
    const removed = setPermissions(parts, workflow, before, { ...holder, permissions: [] });
    const last = await removing;
    assert.equal(last.text, "Remove the access of Analysts to Nightly load?");
    last.choose("Change");
    await removed;
    assert.deepEqual(sent()[1]?.[2], [before[0]]);
  });
});
