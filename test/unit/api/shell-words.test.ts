import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { shellCommand } from "../../../src/api/shell-words.ts";

const hostile = [
  "a b",
  "$(touch x)",
  "`touch x`",
  "it's",
  '"',
  "\\",
  "*",
  "~",
  ";ls",
  "!1",
  "#",
  "",
  "a=b",
  "=ls",
  "é\u202e",
];

describe("a command for a shell", () => {
  it("leaves plain words as they are", () => {
    const words = ["/opt/venv/bin/python", "-m", "pip", "install", "--python=3.11", "demo"];
    assert.equal(shellCommand(words), words.join(" "));
    assert.equal(shellCommand(["pip", "pandas>=2"]), "pip 'pandas>=2'");
  });

  it("gives a real shell exactly the words", () => {
    const line = shellCommand(["printf", "%s\\n", ...hostile]);
    assert.equal(execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" }), `${hostile.join("\n")}\n`);
  });

  it("has no keys", () => {
    for (const key of ["\r", "\n", "\u0003", "\u001b[A", "\u007f"]) {
      assert.throws(() => shellCommand(["pip", `a${key}`]), /control characters/);
    }
  });
});
