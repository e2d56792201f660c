import assert from "node:assert/strict";
import { join } from "node:path";
import { lastLines, runProgram } from "../../../../scripts/set-up/run-program.ts";

interface Figures {
  readonly held: number;
  readonly peak: number;
}

/** Must be loaded before the probe, which imports modules of the extension. */
const standIn = new URL("../../../harness/editor-stand-in/register.ts", import.meta.url).href;

const bytes = 100_000_000;

describe("100 MB of output in one message", () => {
  for (const protocol of ["v1.kernel.websocket.jupyter.org", "json"]) {
    it(`takes at most twice its memory, and 5 MB after the cell has ended (${protocol})`, async () => {
      const probe = join(import.meta.dirname, "long-stream-probe.ts");
      // With a small heap, garbage is collected before it counts as memory that is needed.
      const { code, output } = await runProgram(
        process.execPath,
        ["--expose-gc", "--max-old-space-size=200", "--import", standIn, probe, String(bytes), protocol],
        { timeLimitMs: 600_000 },
      );
      assert.equal(code, 0, lastLines(output, 12));
      const { held, peak }: Figures = JSON.parse(output.slice(output.lastIndexOf("{")));
      assert.ok(held < 5_000_000, `${held} bytes are held`);
      assert.ok(peak < 2 * bytes, `${peak} bytes at the peak`);
    });
  }
});
