import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";
import type { Tenant } from "../../../../src/tenants/tenant.ts";
import { editor, nextMessage } from "../../../harness/editor-stand-in/vscode.ts";

describe("the offer of a web page", () => {
  it("opens it only if the user agrees", async () => {
    // The editor's API is a stand-in here. Only modules that are imported later get it.
    const { offerWebPage } = await import("../../../../src/ui/commands/web-page-offer.ts");
    const tenant = { id: "acme", baseUrl: "https://acme.example" } as Tenant;
    const design = { type: "design", tenantId: "acme", id: "d 1", name: "Order board" } as const;
    editor.openedOutside.length = 0;
    for (const choice of [undefined, "Open in Browser"]) {
      const shown = nextMessage();
      const done = offerWebPage({ tenant: () => tenant }, design, "Not here.");
      (await shown).choose(choice);
      await done;
    }
    assert.deepEqual(editor.openedOutside, ["https://acme.example/assetlibrary/d%201/overview"]);
  });
});
