import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

describe("Commit in Source Control", () => {
  it("commits to the repository of the entry that it was selected in, or that the input box belongs to", async () => {
    // The editor's API is a stand-in here, which only what is imported afterwards gets.
    const { sourceControlCommands } = await import("../../../../src/features/sandbox/source-control/handlers.ts");
    const { TenantRegistry } = await import("../../../../src/tenants/tenant-registry.ts");
    const { platform } = fakePlatform(() => json(500, { message: "No commits today" }));
    const repository = { type: "repository", tenantId: "acme", id: "r1", name: "Order apps" } as const;
    const entry = { rootUri: "the entry of Order apps" };
    const control = { repository, summary: " ", refresh: async () => undefined };
    const controls = { find: (argument: unknown) => (argument === entry ? control : undefined), all: [control] };
    const handlers = sourceControlCommands({
      registry: Object.create(TenantRegistry.prototype) as InstanceType<typeof TenantRegistry>,
      connections: { tenant: () => assert.fail("no tenant is asked for"), platform: async () => platform },
      pinned: { all: [], pin: () => assert.fail("nothing is pinned"), unpin: () => assert.fail("nothing is unpinned") },
      controls: async () => controls,
    });
    const commit = (argument: unknown) =>
      handlers["platformWorkbench.commitPinned"]({ setErrorContext: () => undefined }, argument, []);
    for (const argument of [entry, repository]) {
      control.summary = " ";
      await assert.rejects(Promise.resolve(commit(argument)), /without a summary/);
      control.summary = "Fix the totals";
      await assert.rejects(Promise.resolve(commit(argument)), /No commits today/);
      assert.equal(control.summary, "Fix the totals", "it stays until the platform has taken it");
    }
  });
});
