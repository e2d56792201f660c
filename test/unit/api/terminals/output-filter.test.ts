import assert from "node:assert/strict";
import { OutputFilter } from "../../../../src/api/terminals/output-filter.ts";

const filtered = (text: string, age: "current" | "earlier" = "current"): string => new OutputFilter().write(text, age);

describe("the output of a terminal", () => {
  it("keeps text, colors, movements, modes, and line ends", () => {
    const text = "a\r\n\u001b[1;31mred\u001b[0m\u001b[2K\u001b[3A\u001b[?2004h\u001b(B\u001b7\tü😀\u0007\b";
    assert.equal(filtered(text), text);
  });

  it("keeps links to the web, and removes the addresses of all others", () => {
    const link = (address: string): string => `\u001b]8;id=1;${address}\u0007text\u001b]8;;\u0007`;
    assert.equal(
      filtered(link("https://example.com/a?b=c")),
      "\u001b]8;id=1;https://example.com/a?b=c\u001b\\text\u001b]8;;\u001b\\",
    );
    for (const address of ["file:///etc/passwd", "vscode://a.b/c", "command:x", "javascript:1", "https://a b"]) {
      assert.equal(filtered(link(address)), "\u001b]8;;\u001b\\text\u001b]8;;\u001b\\", address);
    }
  });

  it("removes what changes the clipboard, titles, the record of commands, and images", () => {
    for (const body of [
      "]52;c;cm0gLXJm",
      "]0;title",
      "]2;title",
      "]633;E;rm",
      "]133;A",
      "]1337;File=:AA",
      "]7;file:///x",
    ]) {
      for (const end of ["\u0007", "\u001b\\", "\u009c"]) {
        assert.equal(filtered(`a\u001b${body}${end}b`), "ab", body);
        assert.equal(filtered(`a${String.fromCharCode(body.charCodeAt(0) + 0x40)}${body.slice(1)}${end}b`), "ab", body);
      }
    }
    assert.equal(filtered("a\u001bPq#0;2;0;0;0\u001b\\b\u001b_G\u001b\\c\u001b^x\u001b\\d"), "abcd");
  });

  it("gives no chunk a sequence that the whole output does not have", () => {
    const text =
      "x\u001b]52;c;AAAA\u0007\u001b[31mred\u001b]8;;file:///x\u0007y\u001b]8;;\u0007\u001bP+q544e\u001b\\z\u001b[?1049h\u001b\u001b]2;t\u0007";
    for (let size = 1; size < text.length; size += 1) {
      const filter = new OutputFilter();
      let shown = "";
      for (let start = 0; start < text.length; start += size) {
        shown += filter.write(text.slice(start, start + size), "current");
      }
      assert.equal(shown, filtered(text));
      const rest = shown.replaceAll("\u001b]8;;\u001b\\", "");
      assert.ok(!["\u001b]", "\u001bP", "52;c"].some((part) => rest.includes(part)), rest);
    }
  });

  it("asks the editor's terminal nothing for output that the server repeats", () => {
    const queries =
      "\u001b[6n\u001b[c\u001b[>c\u001b[?6n\u001b]11;?\u0007\u001b[?2026$p\u001bP$qm\u001b\\\u001b[18t\u001b[>q\u001b[?u\u001bZ";
    assert.equal(filtered(`a${queries}b`, "earlier"), "ab");
    assert.equal(
      filtered("\u001b[31m\u001b[2J\u001b]4;1;red\u0007", "earlier"),
      "\u001b[31m\u001b[2J\u001b]4;1;red\u001b\\",
    );
    assert.equal(filtered("\u001b[6n\u001b[c"), "\u001b[6n\u001b[c");
  });

  it("knows whether a full-screen program shows its screen", () => {
    const filter = new OutputFilter();
    const after = (text: string): boolean => {
      filter.write(text, "current");
      return filter.isFullScreen;
    };
    assert.deepEqual(["a", "\u001b[?1049h", "b\u001b[?25l", "\u001b[?1049l", "\u001b[?1;47h", "\u001bc"].map(after), [
      false,
      true,
      true,
      false,
      true,
      false,
    ]);
  });

  it("holds no unfinished sequence without a limit", () => {
    const filter = new OutputFilter();
    let shown = "";
    for (let part = 0; part < 200; part += 1)
      shown += filter.write(part === 0 ? "\u001b]2;" : "x".repeat(100), "current");
    assert.ok(shown.length > 10_000);
    assert.ok(!shown.includes("\u001b"));
  });
});
