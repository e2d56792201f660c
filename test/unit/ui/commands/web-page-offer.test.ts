import assert from "node:assert/strict";
import type { Tenant } from "../../../../src/tenants/tenant.ts";
import { offerWebPage } from "../../../../src/ui/commands/web-page-offer.ts";
import { editor, nextMessage } from "../../../harness/editor-stand-in/vscode.ts";

describe("the offer of a web page", () => {
  it("opens it only if the user agrees", async () => {
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
