import assert from "node:assert/strict";
import * as vscode from "vscode";
import { planOf } from "../../../../src/features/transfers/plan.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";

describe("the plan of a transfer", () => {
  it("gives the files of several workspaces different names in the same folder", async () => {
    const file = (path: string, type = "file"): { name: string; path: string; type: string } => ({
      name: path,
      path,
      type,
    });
    const { files, renamed } = await planOf(
      [uriOf("t", "one"), uriOf("t", "two"), uriOf("t", "two", "README.md")],
      vscode.Uri.parse("file:///home/ada/target"),
      {
        entries: async () => [],
        tree: async ({ path }) => ({
          items: path === "/" || path === "" ? [file("", "directory"), file("README.md")] : [file("README.md")],
          leftOut: [],
        }),
      },
      "linux",
    );
    assert.deepEqual(
      files.map(({ to }) => to.path),
      ["README.md", "README (2).md", "README (3).md"].map((name) => `/home/ada/target/${name}`),
    );
    assert.deepEqual(
      renamed.map(({ newName }) => newName),
      ["README (2).md", "README (3).md"],
    );
  });
});
