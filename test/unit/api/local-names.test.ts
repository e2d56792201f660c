import assert from "node:assert/strict";
import { itemNameProblem } from "../../../src/api/item-names.ts";
import { comparedName, localNames } from "../../../src/api/local-names.ts";

describe("names of items from a server", () => {
  it("are refused if they are not one segment of a path", () => {
    const refused = ["", ".", "..", "a/b", "../x", "/etc", "a\0b", "\ud800"];
    assert.deepEqual(
      refused.filter((name) => itemNameProblem(name, "linux") === undefined),
      [],
    );
    for (const name of ["...", "a b", ".env", "a\\b", "C:", "con", "né", "x".repeat(300)]) {
      assert.equal(itemNameProblem(name, "linux"), undefined, name);
    }
  });

  it("are refused with a backslash where that separates folders", () => {
    assert.notEqual(itemNameProblem("..\\..\\x", "win32"), undefined);
    assert.equal(itemNameProblem("..\\..\\x", "darwin"), undefined);
    assert.notEqual(itemNameProblem("a".repeat(1_000_000)), undefined);
    assert.equal(itemNameProblem("a".repeat(1_024)), undefined);
  });
});

describe("local names", () => {
  it("stay the same if the system can hold them", () => {
    const names = ["a.txt", "A.txt", "con", "a:b", "x\\y", "end."];
    assert.deepEqual(localNames(names, "linux"), names);
    assert.deepEqual(localNames(["a.txt", "console.log", ".env"], "windows"), ["a.txt", "console.log", ".env"]);
  });

  it("have no separators, device names, streams, or final dots on Windows", () => {
    const names = [
      "..\\..\\x",
      "a:b.txt",
      "CON",
      "nul.txt",
      "com1.tar.gz",
      "lpt9 .x",
      "end.",
      "end ",
      'q?*<>|"',
      "\u0001",
    ];
    const held = localNames(names, "windows");
    for (const name of held) {
      assert.doesNotMatch(name, /[\\/:*?"<>|\p{Cc}]|[. ]$|^(?:con|nul|com1|lpt9) *(?:\.|$)/iu);
    }
    assert.deepEqual(held.slice(0, 5), ["..-..-x", "a-b.txt", "CON_", "nul_.txt", "com1_.tar.gz"]);
  });

  it("are different for twins, and the first twin and names that need no change keep theirs", () => {
    assert.deepEqual(localNames(["a:b", "a-b", "A-B"], "windows"), ["a-b (2)", "a-b", "A-B (3)"]);
    assert.deepEqual(localNames(["Report.ipynb", "REPORT.ipynb"], "mac"), ["Report.ipynb", "REPORT (2).ipynb"]);
    assert.deepEqual(localNames(["é.txt".normalize("NFC"), "é.txt".normalize("NFD")], "mac").length, 2);
    assert.deepEqual(localNames(["x", "x"], "server"), ["x", "x (2)"]);
  });

  it("are short enough, with their extension, and still different", () => {
    const long = `${"ü".repeat(200)}.ipynb`;
    const names = localNames([long, long.toUpperCase(), `${long}x`], "windows");
    assert.equal(new Set(names.map((name) => comparedName(name, "windows"))).size, 3);
    assert.equal(
      names.every((name) => Buffer.byteLength(name) <= 255 && /\.ipynb/i.test(name)),
      true,
    );
  });
});
