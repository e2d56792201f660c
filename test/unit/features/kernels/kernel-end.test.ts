import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";
import type { NotebookDocument } from "vscode";
import type { KernelEvent } from "../../../../src/api/kernels/connection/connection.ts";

describe("the message about a kernel that ended", () => {
  const died: KernelEvent = { type: "ended", end: "died", running: [] };
  const restarted: KernelEvent = { type: "restarted", isAutomatic: true, running: [] };
  let textOf: (event: KernelEvent, isFollowing: boolean) => string | undefined;

  before(async () => {
    // The editor's API is a stand-in here. Only modules that are imported later get it.
    const { uriOf } = await import("../../../../src/tenants/workspace-uri.ts");
    const notebook = { uri: uriOf("tenant", "workspace", "a/book.ipynb") } as NotebookDocument;
    const { kernelEndText } = await import("../../../../src/features/kernels/kernel-reports.ts");
    textOf = (event, isFollowing) => kernelEndText(notebook, event, isFollowing);
  });

  it("names the running cells of a kernel of this window", () => {
    assert.match(textOf(died, false) ?? "", /^The kernel of book\.ipynb stopped unexpectedly.* No cell was running\.$/);
    assert.match(
      textOf(restarted, false) ?? "",
      /The server restarted it without its variables\. No cell was running\.$/,
    );
  });

  it("reports that someone else shut it down", () => {
    const shutDown: KernelEvent = { type: "ended", end: "shutDown", running: [] };
    assert.match(
      textOf(shutDown, false) ?? "",
      /^The kernel of book\.ipynb was shut down by another client, or by its server.* No cell was running\.$/,
    );
    assert.equal(textOf(shutDown, true), undefined);
  });

  it("doesn't mention the cells of other clients for a kernel that was only followed", () => {
    assert.equal(textOf(died, true), "The kernel of book.ipynb no longer exists. This window was following it.");
    assert.equal(textOf(restarted, true), undefined);
  });
});
