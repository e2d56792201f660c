import assert from "node:assert/strict";
import { workspaceReaders } from "../../../../src/features/workspaces/details.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

describe("the details of a workspace", () => {
  /** The tables of a workspace with this input data: title and rows. */
  async function tables(inputConfiguration: unknown): Promise<readonly unknown[]> {
    const { platform } = fakePlatform(() => json(200, { id: "w-1", name: "Sales", inputConfiguration }));
    const resource = { type: "workspace", tenantId: "acme", id: "w-1", name: "Sales" } as const;
    const { sections } = await workspaceReaders.workspace({ client: platform, resource });
    return (sections ?? []).map((section) => (section.type === "table" ? [section.title, section.rows] : section.type));
  }

  it("show the data that notebooks read, as a list or by alias", async () => {
    const dataset = { type: "dataset", tenantId: "acme", id: "d-7", name: "orders" };
    const expected = [["Input Data", [["orders", { type: "resource", resource: dataset }]]]];
    assert.deepEqual(await tables([{ alias: "orders", dataSourceId: "d-7" }]), expected);
    assert.deepEqual(await tables({ orders: { dataSourceId: "d-7" } }), expected);
  });

  it("have no table for data in another format, or without data", async () => {
    for (const none of [[], {}, null, "orders", { orders: "d-7" }, [7]]) {
      assert.deepEqual(await tables(none), []);
    }
  });

  it("show an alias whose name is a member of every object", async () => {
    assert.deepEqual(await tables({ constructor: {} }), [["Input Data", [["constructor", undefined]]]]);
  });
});
