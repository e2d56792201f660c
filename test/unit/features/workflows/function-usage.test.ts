import assert from "node:assert/strict";
import { findUsing } from "../../../../src/features/workflows/function-usage.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { CancellationError, editor, nextInput, nextMessage } from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

describe("Find Workflows That Use a Function", () => {
  const row = { tenantId: "acme", packageId: "ce-1", packageName: "Mail tools" };
  const parameters = { entityType: "CODEENGINE_FUNCTION", entityId: "ce-1", parts: "items" };
  const shownResponse = [
    "platformWorkbench.runOperation",
    { tenantId: "acme", operationId: "workflows.usage.get", parameters, isRaw: true },
  ];

  function find(response: unknown): Promise<void> {
    const { platform } = fakePlatform(() => json(200, response));
    const parts = {
      registry: Object.create(TenantRegistry.prototype) as TenantRegistry,
      connections: { tenant: () => assert.fail("no tenant is asked for"), platform: async () => platform },
    };
    return findUsing(parts, { setErrorContext: () => undefined }, row);
  }

  it("offers to show the platform's response if it can't be parsed", async () => {
    const shown = nextMessage();
    const found = find("5");
    const message = await shown;
    assert.match(message.text, /^Can't read which workflows use it: .* has the wrong type/);
    message.choose("Show Response");
    await assert.rejects(found, CancellationError);
    assert.deepEqual(editor.executed.at(-1), shownResponse);
  });

  it("lists entries of an unknown format, and shows the platform's response for them", async () => {
    const shown = nextInput();
    const found = find({ usedBy: ["Nightly load", { workflow: "b" }] });
    const input = await shown;
    await until("the entries are listed", () => input.items.length === 2);
    assert.deepEqual(
      input.items.map(({ label }) => label),
      ["Nightly load", '{"workflow":"b"}'],
    );
    input.choose("Nightly load");
    await found;
    assert.deepEqual(editor.executed.at(-1), shownResponse);
  });
});
