import assert from "node:assert/strict";
import { linkedPage, namedPage } from "../../../../src/features/navigation/linked-pages.ts";
import { resourcePage } from "../../../../src/ui/resources/resource-pages.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

const tenants = [
  { id: "acme", baseUrl: "https://acme.example.com" },
  { id: "below", baseUrl: "https://example.com/platform" },
];
const types = ["workspace", "design", "page", "repository", "workflowVersion"] as const;

describe("the address of a resource's web page", () => {
  it("resolves to the resource for any id", () => {
    for (const { id: tenantId, baseUrl } of tenants) {
      for (const type of types) {
        for (const id of ["7", "a/b c", "1.0.0", "%41"]) {
          const resource = { type, tenantId, id, ...(type === "workflowVersion" ? { parentId: "w/1" } : {}) };
          const page = resourcePage({ baseUrl }, { ...resource, name: "Order board" });
          assert.deepEqual(linkedPage(tenants, page ?? ""), resource, page);
          assert.deepEqual(linkedPage(tenants, `${page}?tab=1#top`), resource);
        }
      }
    }
  });

  it("is not parsed from anything else", () => {
    for (const text of [
      "",
      "acme",
      "https://acme.example.com",
      "https://acme.example.com/",
      "https://acme.example.com/page/",
      "https://acme.example.com/page/7/cards",
      "https://acme.example.com/page/%ff",
      "https://acme.example.com.evil.example/page/7",
      "https://other.example.com/page/7",
      "http://acme.example.com/page/7",
      "https://example.com/page/7",
      `https://acme.example.com/page/${"7".repeat(20_000)}`,
    ]) {
      assert.equal(linkedPage(tenants, text), undefined, text.slice(0, 100));
    }
  });

  it("is shown with the name from the platform", async () => {
    const { platform } = fakePlatform(({ path }) =>
      json(200, path.includes("/pages/") ? { id: 7, title: "Sales" } : { id: "7", name: "Order board" }),
    );
    const nameOf = async (type: (typeof types)[number]) =>
      (await namedPage(platform, { type, tenantId: "acme", id: "7", parentId: "w-1" })).name;
    assert.deepEqual(await Promise.all(types.map(nameOf)), [
      "Order board",
      "Order board",
      "Sales",
      "Order board",
      "Order board v7",
    ]);
  });

  it("of a missing resource results in the platform's error", async () => {
    const { platform } = fakePlatform(() => json(404, {}));
    const linked = { type: "design", tenantId: "acme", id: "7" } as const;
    await assert.rejects(namedPage(platform, linked), /Can't read app design 7/);
  });
});
