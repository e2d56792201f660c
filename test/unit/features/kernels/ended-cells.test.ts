import assert from "node:assert/strict";
import { join } from "node:path";
import { lastLines, runProgram } from "../../../../scripts/set-up/run-program.ts";

/** Must be loaded before the probe, which imports modules of the extension. */
const standIn = new URL("../../../harness/editor-stand-in/register.ts", import.meta.url).href;

const cells = 1_000;
/** About a kilobyte, with a reserve for other versions of Node. */
const maxBytes = 1_300;

describe("an ended cell", () => {
  it(`holds at most ${maxBytes} bytes in addition to its outputs in the editor`, async () => {
    const probe = join(import.meta.dirname, "ended-cells-probe.ts");
    const { code, output } = await runProgram(
      process.execPath,
      ["--expose-gc", "--import", standIn, probe, String(cells)],
      {
        timeLimitMs: 600_000,
      },
    );
    assert.equal(code, 0, lastLines(output, 12));
    const figures: { readonly bytes: number; readonly shown: number } = JSON.parse(
      output.slice(output.lastIndexOf("{")),
    );
    assert.equal(figures.shown, cells);
    assert.ok(figures.bytes > 100 && figures.bytes < maxBytes, `${figures.bytes} bytes`);
  });
});
