import assert from "node:assert/strict";
import type { ConnectionState } from "../../../../src/api/kernels/connection/connection-state.ts";
import { statusOf } from "../../../../src/features/kernels/kernel-status.ts";
import type { NotebookKernel } from "../../../../src/features/kernels/notebook-kernel.ts";

describe("the kernel in the status bar", () => {
  const kernel = (state: ConnectionState, isFollowing: boolean): Parameters<typeof statusOf>[0] => ({
    connection: { state, activity: "busy" } as NotebookKernel["connection"],
    controller: { spec: { displayName: "Python 3" } } as NotebookKernel["controller"],
    found: undefined,
    isConnecting: false,
    isFollowing,
  });

  it("shows what the server reported about a kernel that the notebook isn't connected to", () => {
    const running = { id: "k", specName: "python3", executionState: "idle", connections: 0, lastActivity: undefined };
    const unconnected = { ...kernel({ type: "connected", since: 0 }, false), connection: undefined };
    assert.equal(statusOf({ ...unconnected, found: running })?.text, "$(circle-outline) Python 3: Idle");
    assert.equal(statusOf(unconnected), undefined);
  });

  it("shows the activity of a kernel on which this window runs cells", () => {
    const status = statusOf(kernel({ type: "connected", since: 0 }, false));
    assert.equal(status?.text, "$(circle-filled) Python 3: Busy");
    assert.equal(status.label, "Notebook kernel Python 3: Busy");
  });

  it("shows that a kernel is only followed, and how to take it over", () => {
    const status = statusOf(kernel({ type: "connected", since: 0 }, true));
    assert.equal(status?.text, "$(eye) Python 3: Following");
    assert.match(status?.tooltip ?? "", /Select to take it over\.$/);
  });
});
