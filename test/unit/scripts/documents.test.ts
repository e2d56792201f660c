import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { findFiles } from "../../../scripts/find-files.ts";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";

describe("the documents", () => {
  it("reference existing files", async () => {
    const pages = [
      ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map((name) => join(projectDirectory, name)),
      ...(await findFiles(join(projectDirectory, "docs"), ".md")),
    ];
    const missing: string[] = [];
    let named = 0;
    for (const page of pages) {
      const text = await readFile(page, "utf8");
      for (const [, path = ""] of text.matchAll(/`((?:src|test|scripts|docs)\/[\w./-]+\.\w+)`/g)) {
        named += 1;
        if (!existsSync(join(projectDirectory, path))) missing.push(`${relative(projectDirectory, page)}: ${path}`);
      }
    }
    assert.deepEqual(missing, []);
    assert.ok(named > 20, `only ${named} files are named`);
  });
});
