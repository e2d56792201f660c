import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";

describe("links for an editor in a browser", () => {
  // The editor's API is a stand-in here, which only what is imported afterwards gets.
  const load = async () => ({
    ...(await import("../../../../src/features/navigation/browser-links.ts")),
    ...(await import("../../../../src/tenants/workspace-uri.ts")),
  });

  it("open a workspace's folder by its own address, which is the same in every browser", async () => {
    const { browserLink, uriOf } = await load();
    const link = new URL(browserLink(new URL("https://editor.example/base/"), uriOf("acme", "sales")));
    assert.equal(`${link.origin}${link.pathname}`, "https://editor.example/base/");
    assert.deepEqual([...link.searchParams.keys()], ["folder"]);
    assert.equal(link.searchParams.get("folder"), uriOf("acme", "sales").toString());
  });

  it("open a file in its workspace's folder, whatever its name", async () => {
    const { browserLink, uriOf } = await load();
    const file = uriOf("acme", "sales", "reports/50% & more #1.py");
    const link = new URL(browserLink(new URL("https://editor.example/"), file));
    assert.equal(link.searchParams.get("folder"), uriOf("acme", "sales").toString());
    assert.deepEqual(JSON.parse(link.searchParams.get("payload") ?? ""), [["openFile", file.toString()]]);
  });
});
