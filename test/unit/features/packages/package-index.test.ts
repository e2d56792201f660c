import assert from "node:assert/strict";
import { CompanionOperationError } from "../../../../src/api/companion/errors.ts";
import { choosePackage, enterSearch } from "../../../../src/features/packages/package-index.ts";
import type { PackageSession } from "../../../../src/features/packages/package-session.ts";
import { editor } from "../../../harness/editor-stand-in/vscode.ts";

describe("a search in the package index", () => {
  let found: { readonly names: readonly string[]; readonly total: number };
  let versions: readonly string[];
  let newest: string | null;
  let failure: Error | undefined;

  beforeEach(() => {
    found = { names: ["learn", "scikit-learn", "-r evil", "x --index-url y"], total: 900 };
    versions = ["2.0rc1", "1.1", "1.0", "1 --index-url x"];
    newest = "1.1";
    failure = undefined;
    editor.picks.length = 0;
    editor.choices.length = 0;
  });

  const program = {
    request: async ({ name }: { readonly name: string }) => {
      if (failure !== undefined) throw failure;
      return name === "packages.search"
        ? { ...found, indexes: ["https://example.com/simple/"] }
        : { name: "scikit-learn", versions, newest, summary: "Learns" };
    },
  };
  const search = (installed?: string) => {
    const packages = installed === undefined ? [] : [{ name: "Scikit_Learn", version: installed }];
    return choosePackage(
      { program, packages, environment: { python: "3.13.1" } } as unknown as PackageSession,
      "learn",
    );
  };
  const shown = () => editor.picks.map(({ items }) => items.map(({ label, description = "" }) => [label, description]));

  it("offers names and versions, with what is installed, and nothing that isn't a name or a version", async () => {
    editor.choices.push("scikit-learn", "1.0");
    assert.deepEqual(await search("1.0"), { requirement: "scikit-learn==1.0", upgrades: false });
    assert.deepEqual(shown(), [
      [
        ["learn", ""],
        ["scikit-learn", "1.0 is installed"],
      ],
      [
        ["1.1", "newest version"],
        ["2.0rc1", ""],
        ["1.0", "installed"],
      ],
    ]);
  });

  it("installs the newest version by its name, and upgrades an installed package", async () => {
    editor.choices.push("scikit-learn", "1.1", "scikit-learn", "1.1");
    assert.deepEqual(await search(), { requirement: "scikit-learn", upgrades: false });
    assert.deepEqual(await search("1.0"), { requirement: "scikit-learn", upgrades: true });
  });

  it("says what it didn't find, and why", async () => {
    found = { names: [], total: 0 };
    await assert.rejects(search(), /No package in https:\/\/example\.com\/simple\/ has a name that contains learn\./);
    found = { names: ["scikit-learn"], total: 1 };
    newest = null;
    editor.choices.push("scikit-learn");
    await assert.rejects(search(), /no version of scikit-learn for Python 3\.13\.1/);
    failure = new CompanionOperationError("failed", "https://example.com/simple/ responded with 503.");
    await assert.rejects(search(), /Can't search the package index: .*responded with 503/);
    await assert.rejects(enterSearch("conda"), /Channels of conda can't be searched/);
  });
});
