import assert from "node:assert/strict";
import type { Workspace } from "../../../../src/api/catalogue/models/workspaces.ts";
import { workspaceCard, workspaceRow } from "../../../../src/ui/resources/workspace-rows.ts";
import { english } from "../translate.ts";

const stopped: Workspace = {
  id: "4f7c21aa",
  name: "Sales forecasting",
  cpu: 1,
  memory: 8,
  notebookKernel: "PYTHON_3_12",
};
const starting: Workspace = { ...stopped, instances: [{ status: "BOOTSTRAPPING" }] };
const running: Workspace = { ...stopped, instances: [{ id: 7, status: "RUNNING", started: "2026-03-10T09:05:07Z" }] };

describe("a workspace's row", () => {
  it("has the name, the size, and the kernel", () => {
    const row = workspaceRow(stopped, false, english);
    assert.equal(row.label, "Sales forecasting");
    assert.equal(row.description, "1 CPU / 8 GB · Python 3.12");
  });

  // Proves 2.5: with a list of instance types, the tier is absent
  it("shows no size that the platform doesn't offer, if its sizes are known", () => {
    const row = (own: object, sizes?: readonly { cpu: number; memory: number }[]) =>
      workspaceRow({ id: "w", name: "W", cpu: 2, memory: 16, ...own }, false, english, sizes).description;
    assert.equal(row({}), "2 CPU / 16 GB");
    assert.equal(row({}, [{ cpu: 2, memory: 16 }]), "2 CPU / 16 GB");
    assert.equal(row({}, [{ cpu: 2, memory: 8 }]), "");
    assert.equal(row({ instanceTypes: [{ cpu: 1, memory: 8 }] }), "");
    assert.equal(row({ instanceTypes: [{ cpu: 1, memory: 8 }] }, [{ cpu: 2, memory: 16 }]), "2 CPU / 16 GB");
  });

  it("shows its state with an icon, a color, and words", () => {
    const looks = [stopped, starting, running].map((one) => {
      const { icon, color, accessibilityLabel } = workspaceRow(one, false, english);
      return [icon, color, accessibilityLabel];
    });
    assert.deepEqual(looks, [
      ["vm", undefined, "Sales forecasting, stopped, 1 CPU / 8 GB · Python 3.12"],
      ["loading~spin", "charts.yellow", "Sales forecasting, starting, 1 CPU / 8 GB · Python 3.12"],
      ["vm-running", "testing.iconPassed", "Sales forecasting, running, 1 CPU / 8 GB · Python 3.12"],
    ]);
  });

  it("of an awaited workspace shows it as starting, and a running one stays running", () => {
    assert.equal(workspaceRow(stopped, true, english).state, "starting");
    assert.equal(workspaceRow(running, true, english).state, "running");
  });

  it("omits unknown values, and never has the id as its label", () => {
    const row = workspaceRow({ id: "4f7c21aa", name: " " }, false, english);
    assert.deepEqual([row.label, row.description], ["Unnamed workspace", ""]);
    assert.equal(row.accessibilityLabel, "Unnamed workspace, stopped");
    assert.equal(workspaceRow({ ...stopped, memory: null }, false, english).description, "Python 3.12");
  });
});

describe("a workspace's card", () => {
  it("has the id, the state, and absolute dates, and no lines for missing values", () => {
    const names = workspaceCard(running, "running", "en", english).map(([name]) => name);
    assert.deepEqual(names, ["State", "Size", "Kernel", "Started", "ID"]);
    const card = new Map(workspaceCard(running, "running", "en", english));
    assert.equal(card.get("ID"), "4f7c21aa");
    assert.match(card.get("Started") ?? "", /^Mar 10, 2026, .*(UTC|GMT|[A-Z]{3,4})/);
  });

  it("names the owner, by id only if the name is unknown", () => {
    const ownerIn = (names: ReadonlyMap<string, string>): string | undefined =>
      new Map(workspaceCard({ ...running, owner: 7 }, "running", "en", english, undefined, names)).get("Owner");
    assert.equal(ownerIn(new Map([["7", "Ada Example"]])), "Ada Example");
    assert.equal(ownerIn(new Map()), "User 7");
  });
});
