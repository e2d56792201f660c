import assert from "node:assert/strict";
import { detailsMarkdown } from "../../../../src/ui/details/markdown.ts";
import { english } from "../translate.ts";

describe("details as Markdown", () => {
  const parts = { name: "Order board", translate: english, date: String, linkTo: () => "other.md" };

  it("have tables whose columns all have a header, and escape Markdown in the platform's text", () => {
    const markdown = detailsMarkdown(
      {
        kind: "App design",
        lines: [
          ["ID", { type: "code", text: "7" }],
          ["Owner", "a | b <img>"],
          ["Nothing", undefined],
        ],
        sections: [{ type: "table", title: "Versions", columns: ["Version"], rows: [["v1"]], empty: "" }],
        raw: {},
      },
      parts,
    );
    assert.match(
      markdown,
      /^\| Property \| Value \|\n\|:--\|:--\|\n\| ID \| `7` \|\n\| Owner \| a \\\| b &lt;img&gt; \|$/m,
    );
    const lines = markdown.split("\n");
    const headers = lines.filter((_, index) => /^\| ?:--/.test(lines[index + 1] ?? ""));
    assert.match(markdown, /^# Order board\n\n\*App design\*\n\n\| Property/);
    assert.equal(headers.length, 2);
    for (const header of headers) {
      for (const cell of header.split("|").slice(1, -1)) assert.match(cell, /\p{L}/u, header);
    }
  });

  it("have a table's remark below it, even without rows", () => {
    const table = {
      type: "table",
      title: "Versions",
      columns: ["Version"],
      empty: "None.",
      remark: "1 of 2.",
    } as const;
    const details = (rows: readonly (readonly string[])[]) => ({
      kind: "App design",
      lines: [],
      raw: {},
      sections: [{ ...table, rows }],
    });
    assert.match(detailsMarkdown(details([["v1"]]), parts), /\| v1 \|\n\n1 of 2\\\.\n/);
    assert.match(detailsMarkdown(details([]), parts), /None\\\.\n\n1 of 2\\\.\n/);
  });

  it("show characters that change how text reads, and can have very many backticks", () => {
    const hostile = "a\u202eb\u009b[c](command:d)\n# e";
    const ticks = "` ".repeat(500_000);
    const markdown = detailsMarkdown(
      {
        kind: hostile,
        description: hostile,
        lines: [
          ["ID", { type: "code", text: hostile }],
          ["Owner", hostile],
        ],
        sections: [{ type: "code", title: hostile, text: ticks, language: "" }],
        raw: {},
      },
      { ...parts, name: hostile },
    );
    assert.doesNotMatch(markdown, /[\u202e\u0080-\u009f]|^# e/mu);
    assert.ok(markdown.includes(`\`\`\`\n${ticks}\n\`\`\``));
  });

  it("use the kind as the heading if there is no name, and not twice", () => {
    const markdown = detailsMarkdown(
      { kind: "Trigger", lines: [["ID", { type: "code", text: "7f3a" }]], sections: [], raw: {} },
      { ...parts, name: undefined },
    );
    assert.match(markdown, /^# Trigger\n\n\| Property/);
    assert.deepEqual(markdown.match(/Trigger|7f3a/g), ["Trigger", "7f3a"]);
  });
});
