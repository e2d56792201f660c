import assert from "node:assert/strict";
import { webOnlyPageCommands } from "../../../../src/features/pages/web-only.ts";
import type { Tenant } from "../../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { editor, nextMessage } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

describe("page commands that only the web application supports", () => {
  const load = () => {
    const { platform, requests } = fakePlatform(() => json(200, {}));
    const tenant = { id: "acme", label: "Acme", baseUrl: "https://acme.example" } as Tenant;
    const connections = { tenant: () => tenant, platform: async () => platform };
    const registry = Object.create(TenantRegistry.prototype) as TenantRegistry;
    return { handlers: webOnlyPageCommands({ registry, connections }), requests };
  };
  const row = { resource: { type: "page", tenantId: "acme", id: "12", name: "Sales overview" } };

  for (const [command, words] of [
    ["sharePage", "The platform's API can't share pages. Share Sales overview on its web page."],
    ["addPageOwners", "The platform's API can't add owners to pages. Add them on the web page of Sales overview."],
    ["deletePage", "The platform's API can't delete pages. Delete Sales overview on its web page."],
  ] as const) {
    it(`${command} reports that and opens the page's web page, without a request`, async () => {
      const { handlers, requests } = load();
      editor.openedOutside.length = 0;
      const shown = nextMessage();
      const done = handlers[`platformWorkbench.${command}`]({ setErrorContext: () => undefined }, row);
      const { text, items, choose } = await shown;
      assert.equal(text, words);
      assert.deepEqual(items, ["Open in Browser"]);
      assert.deepEqual(editor.openedOutside, []);
      choose("Open in Browser");
      await done;
      assert.deepEqual(editor.openedOutside, ["https://acme.example/page/12"]);
      assert.equal(requests.length, 0);
    });
  }
});
