import assert from "node:assert/strict";
import { mock } from "node:test";
import type { ForwardedPorts, PortRow } from "../../../../src/features/ports/forwarded-ports.ts";
import { PortsView } from "../../../../src/features/ports/ports-view.ts";
import { EventEmitter } from "../../../harness/editor-stand-in/vscode.ts";

describe("The view of ports", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("draws only rows that have changed, so that no other is lost while it is clicked", () => {
    const changed = new EventEmitter<void>();
    const row: PortRow = {
      type: "forwarded",
      tenantId: "acme",
      workspaceId: "sales",
      port: 8501,
      localPort: 50_000,
      problem: undefined,
      name: "python",
    };
    let rows: PortRow[] = [row];
    const ports = {
      onDidChange: changed.event,
      get rows() {
        return rows;
      },
    } as unknown as ForwardedPorts;
    const view = new PortsView(ports, { nameOf: () => "Sales forecasting" });
    const drawn: unknown[] = [];
    view.onDidChangeTreeData((elements) => drawn.push(elements));
    const change = (next: PortRow[]): readonly unknown[] => {
      rows = next;
      changed.fire();
      mock.timers.tick(1000);
      return drawn.splice(0);
    };
    const all = [undefined];
    assert.deepEqual(change([row]), all);
    const elements = view.getChildren();
    // A connection to the port began or ended.
    assert.deepEqual(change([{ ...row }]), []);
    assert.deepEqual(change([{ ...row, problem: "The connection was lost." }]), [elements]);
    assert.equal(view.getChildren()[0], elements[0]);
    assert.deepEqual(change([]), all);
    view.dispose();
  });
});
