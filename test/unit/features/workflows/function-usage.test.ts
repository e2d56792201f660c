import assert from "node:assert/strict";
import { findUsing } from "../../../../src/features/workflows/function-usage.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { CancellationError, editor, nextMessage } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

describe("Find Workflows That Use a Function", () => {
  it("offers to show the platform's response if it can't be parsed", async () => {
    const { platform } = fakePlatform(() => json(200, { usedBy: ["Nightly load"] }));
    const parts = {
      registry: Object.create(TenantRegistry.prototype) as TenantRegistry,
      connections: { tenant: () => assert.fail("no tenant is asked for"), platform: async () => platform },
    };
    const row = { tenantId: "acme", packageId: "ce-1", packageName: "Mail tools" };
    const shown = nextMessage();
    const found = findUsing(parts, { setErrorContext: () => undefined }, row);
    const message = await shown;
    assert.match(message.text, /^Can't read which workflows use it: .* has no list under items\./);
    message.choose("Show Response");
    await assert.rejects(found, CancellationError);
    const parameters = { entityType: "CODEENGINE_FUNCTION", entityId: "ce-1", parts: "items" };
    assert.deepEqual(editor.executed.at(-1), [
      "platformWorkbench.runOperation",
      { tenantId: "acme", operationId: "workflows.usage.get", parameters, isRaw: true },
    ]);
  });
});
