import assert from "node:assert/strict";
import { webOnlyWorkflowCommands } from "../../../../src/features/workflows/web-only.ts";
import type { Tenant } from "../../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { editor, nextMessage } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

describe("workflow commands that the platform's API doesn't support", () => {
  const below = { tenantId: "acme", modelId: "m1", modelName: "Nightly load" };
  const run = { setErrorContext: () => undefined };

  beforeEach(() => {
    editor.openedOutside.length = 0;
    editor.executed.length = 0;
  });

  const load = (versions: readonly object[] = []) => {
    const { platform } = fakePlatform(() => json(200, { id: "m1", name: "Nightly load", versions }));
    const tenant = { id: "acme", label: "Acme", baseUrl: "https://acme.example" } as Tenant;
    const connections = { tenant: () => tenant, platform: async () => platform };
    const registry = Object.create(TenantRegistry.prototype) as TenantRegistry;
    return webOnlyWorkflowCommands({ registry, connections });
  };

  it("Run Workflow offers the web page of the active version", async () => {
    const handlers = load([
      { version: "2.0.0", active: false },
      { version: "1.4.0", active: true },
    ]);
    const shown = nextMessage();
    const done = handlers["platformWorkbench.runWorkflow"](run, below);
    const { text, choose } = await shown;
    assert.equal(text, "The platform's API can't run workflows by hand. Run Nightly load on its web page.");
    choose("Open in Browser");
    await done;
    assert.deepEqual(editor.openedOutside, ["https://acme.example/workflows/models/m1/1.4.0"]);
  });

  it("Run Workflow offers no page for a workflow without versions", async () => {
    const handlers = load();
    const shown = nextMessage();
    const done = handlers["platformWorkbench.runWorkflow"](run, below);
    const { items, choose } = await shown;
    assert.deepEqual(items, []);
    choose();
    await done;
  });

  it("Edit Workflow Trigger explains that triggers are replaced, and offers both steps", async () => {
    const handlers = load();
    const resource = { type: "trigger", tenantId: "acme", id: "t1", parentId: "m1", name: "Every morning" };
    for (const [button, expected] of [
      [
        "Create Trigger",
        ["platformWorkbench.createTrigger", { type: "workflow", tenantId: "acme", id: "m1", name: "Nightly load" }],
      ],
      ["Delete Trigger", ["platformWorkbench.deleteTrigger", { ...below, resource }]],
    ] as const) {
      editor.executed.length = 0;
      const shown = nextMessage();
      const done = handlers["platformWorkbench.editTrigger"](run, { ...below, resource });
      const { text, items, choose } = await shown;
      assert.equal(text, "Triggers can't be changed. Create a new one, then delete Every morning.");
      assert.deepEqual(items, ["Create Trigger", "Delete Trigger"]);
      choose(button);
      await done;
      assert.deepEqual(editor.executed, [expected]);
    }
  });
});
