import assert from "node:assert/strict";
import { mock } from "node:test";
import type { ForwardedPorts, PortRow } from "../../../../src/features/ports/forwarded-ports.ts";
import { PortsView } from "../../../../src/features/ports/ports-view.ts";
import { EventEmitter } from "../../../harness/editor-stand-in/vscode.ts";

describe("The view of ports", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("is drawn again only when its rows have changed, so that no row is lost while it is clicked", () => {
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
    let drawn = 0;
    view.onDidChangeTreeData(() => {
      drawn += 1;
    });
    const change = (next: PortRow[]): void => {
      rows = next;
      changed.fire();
      mock.timers.tick(1000);
    };
    change([row]);
    assert.equal(drawn, 1);
    // A connection to the port began or ended.
    change([{ ...row }]);
    assert.equal(drawn, 1);
    change([{ ...row, problem: "The connection was lost." }]);
    change([]);
    assert.equal(drawn, 3);
    view.dispose();
  });
});
