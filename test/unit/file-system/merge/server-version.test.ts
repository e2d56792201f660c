import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { Uri } from "vscode";
import { snapshotOf } from "../../../../src/file-system/merge/server-version.ts";

describe("snapshots of a file", () => {
  it("have different URIs, even if many are taken in the same millisecond", () => {
    const file: vscode.Uri = Uri.parse("platform-contents://sales.acme/clean.py");
    const addresses = Array.from({ length: 500 }, (_, index) =>
      snapshotOf(file, Buffer.from(String(index))).toString(),
    );
    assert.equal(new Set(addresses).size, addresses.length);
  });
});
