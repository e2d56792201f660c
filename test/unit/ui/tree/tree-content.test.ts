import assert from "node:assert/strict";
import { mock } from "node:test";
import { PlatformCredential } from "../../../../src/api/http/credentials.ts";
import { readTenant } from "../../../../src/tenants/tenant.ts";
import type { TreeDefinition, TreeRow } from "../../../../src/ui/tree/definition.ts";
import { TreeContent } from "../../../../src/ui/tree/tree-content.ts";

const definition: TreeDefinition<TreeRow> = {
  view: "workspaces",
  words: { signedOut: "", filterTitle: "", filterPlaceholder: "", filtered: (filter) => filter },
  top: () => assert.fail("the editor requests no list in these tests"),
  below: () => undefined,
  item: () => assert.fail("the editor requests no row in these tests"),
};

describe("the content of a tree with several tenants", () => {
  const tenants = ["acme", "beta"].map((id) => {
    const read = readTenant({ id, baseUrl: `https://${id}.example.com` });
    assert.ok("tenant" in read);
    return read.tenant;
  });
  let redrawn: unknown[] = [];
  let content: TreeContent<TreeRow>;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    redrawn = [];
    content = new TreeContent({
      definition,
      parts: {
        connections: { platform: () => assert.fail("nothing is read in these tests") },
        log: { warn: (line) => assert.fail(line) },
        registry: { all: tenants, current: tenants[0] },
        secrets: { credential: async ({ baseUrl }) => new PlatformCredential(baseUrl, "token") },
      },
      redraw: (element) => redrawn.push(element),
      onListChange: () => {},
      onRowChange: () => {},
    });
  });
  afterEach(() => {
    content.dispose();
    mock.timers.reset();
  });

  // The editor can receive the tenants from before a redraw after it, and then shows them with nothing below them.
  it("is redrawn again if the editor doesn't request the tenants after a redraw", async () => {
    await content.children(undefined, "");
    content.redrawAll();
    assert.deepEqual(redrawn, [undefined]);
    mock.timers.tick(2_000);
    assert.deepEqual(redrawn, [undefined, undefined]);
    const shown = await content.children(undefined, "");
    assert.deepEqual(
      shown.map((element) => element.type === "tenant" && element.tenant.id),
      ["acme", "beta"],
    );
    mock.timers.tick(10_000);
    assert.deepEqual(redrawn, [undefined, undefined]);
  });

  it("is redrawn once if the editor requests the tenants", async () => {
    content.redrawAll();
    await content.children(undefined, "");
    mock.timers.tick(10_000);
    assert.deepEqual(redrawn, [undefined]);
  });
});
