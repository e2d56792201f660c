import assert from "node:assert/strict";
import { candidatesOf, fileNamesIn, rootOf } from "../../../../src/features/terminals/file-names.ts";

describe("names of files in a terminal", () => {
  const found = (line: string): readonly string[] =>
    fileNamesIn(line).map(({ path, line: number, column }) => [path, number, column].filter(Boolean).join("|"));

  it("are found with their line numbers", () => {
    assert.deepEqual(found('  File "/home/me/my work/train.py", line 12, in <module>'), [
      "/home/me/my work/train.py|12",
    ]);
    assert.deepEqual(found("src/app.py:3:7: E501 line too long"), ["src/app.py|3|7"]);
    assert.deepEqual(found("See notes.md. Then run ./run.sh (or 'a/b')."), ["notes.md", "./run.sh", "a/b"]);
    assert.deepEqual(found("https://example.com/a.html 3.14 v1.2.3 ... - / ~"), []);
  });

  it("have the place of the text", () => {
    const line = "error in src/app.py:3, stop";
    const [name] = fileNamesIn(line);
    assert.equal(line.slice(name?.start, (name?.start ?? 0) + (name?.length ?? 0)), "src/app.py:3");
  });

  it("are few, even in a hostile line", () => {
    assert.ok(fileNamesIn("a/b ".repeat(100_000)).length <= 10);
    assert.ok(fileNamesIn(`File "${"x".repeat(100_000)}`).length <= 10);
    assert.ok(fileNamesIn(":1".repeat(100_000)).length <= 10);
  });

  it("mean a file in the folder of the terminal, or in the root, and none outside", () => {
    assert.deepEqual(candidatesOf("a.py", "work/x", undefined), ["work/x/a.py", "a.py"]);
    assert.deepEqual(candidatesOf("../a.py", "work/x", undefined), ["work/a.py", "a.py"]);
    assert.deepEqual(candidatesOf("../../../../etc/passwd", "work", undefined), ["etc/passwd"]);
    assert.deepEqual(candidatesOf("/home/me/work/a.py", "", undefined), [
      "home/me/work/a.py",
      "me/work/a.py",
      "work/a.py",
      "a.py",
    ]);
    assert.deepEqual(candidatesOf("/home/me/work/a.py", "", "/home/me"), ["work/a.py"]);
    assert.deepEqual(candidatesOf("/usr/lib/python3/a.py", "", undefined), []);
    assert.equal(rootOf("/home/me/work/a.py", "work/a.py"), "/home/me");
    assert.equal(rootOf("a.py", "a.py"), undefined);
  });
});
