import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";
import type * as vscode from "vscode";

describe("snapshots of a file", () => {
  it("have different URIs, even if many are taken in the same millisecond", async () => {
    // The editor's API is a stand-in here. Only modules that are imported later get it.
    const { Uri } = await import("vscode");
    const { snapshotOf } = await import("../../../../src/file-system/merge/server-version.ts");
    const file: vscode.Uri = Uri.parse("platform-contents://sales.acme/clean.py");
    const addresses = Array.from({ length: 500 }, (_, index) =>
      snapshotOf(file, Buffer.from(String(index))).toString(),
    );
    assert.equal(new Set(addresses).size, addresses.length);
  });
});
