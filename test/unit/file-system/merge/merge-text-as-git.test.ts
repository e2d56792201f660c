import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { mergeTexts } from "../../../../src/file-system/merge/merge-text.ts";

const labels = { ours: "ours", theirs: "theirs" };

/** Three texts with a common base. */
interface Versions {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Runs `git merge-file`, regardless of the machine's settings. Fails if there is no Git. */
class Git {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async merge({ base, ours, theirs }: Versions): Promise<{ text: string; conflicts: number }> {
    const files = { ours, base, theirs };
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(this.#directory, name), text)));
    const command = ["merge-file", "-p", "-L", labels.ours, "-L", "base", "-L", labels.theirs, ...Object.keys(files)];
    const environment = {
      PATH: process.env.PATH,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: join(this.#directory, "none"),
      GIT_CEILING_DIRECTORIES: this.#directory,
    };
    return new Promise((resolve, reject) => {
      const options = { cwd: this.#directory, env: environment, maxBuffer: 1e9 };
      execFile("git", command, options, (error, text, errors) => {
        // The exit code is the number of conflicts, up to 127.
        const code = error === null ? 0 : error.code;
        if (typeof code !== "number" || code > 127) {
          reject(new Error(`git merge-file is needed for this test, but failed: ${error?.message} ${errors}`));
        } else {
          resolve({ text, conflicts: code });
        }
      });
    });
  }
}

type Edit = readonly [kind: "replace" | "delete" | "insert", at: number, lines: readonly string[]];

/** Lines of which many are the same, as in code and tables. */
const line = fc.constantFrom("a", "b", "c", "", "}", "  }", "x = 1", "return 2");
const lines = (max: number): fc.Arbitrary<string[]> => fc.array(line, { maxLength: max });
const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.tuple(fc.constantFrom("replace", "delete", "insert"), fc.nat(60), lines(4)),
  { maxLength: 6 },
);

function edited(base: readonly string[], list: readonly Edit[]): readonly string[] {
  let result = base;
  for (const [kind, place, added] of list) {
    const at = place % (result.length + 1);
    result = result.toSpliced(at, kind === "insert" ? 0 : 2, ...(kind === "delete" ? [] : added));
  }
  return result;
}

/** Random integers below a limit. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const asText = (list: readonly string[]): string => list.map((one) => `${one}\n`).join("");

describe("merging texts, compared with git merge-file", () => {
  let directory: string;
  let git: Git;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-merge-"));
    git = new Git(directory);
  });

  after(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));

  const compare = async (versions: Versions): Promise<void> => {
    const { text, conflicts } = await mergeTexts(versions.base, versions.ours, versions.theirs, labels);
    const expected = await git.merge(versions);
    assert.equal(text, expected.text);
    assert.equal(Math.min(conflicts, 127), expected.conflicts);
  };

  it("gives the same result for random edits of both sides", async () => {
    await fc.assert(
      fc.asyncProperty(lines(40), edits, edits, async (base, mine, other) => {
        await compare({ base: asText(base), ours: asText(edited(base, mine)), theirs: asText(edited(base, other)) });
      }),
      { numRuns: 150 },
    );
  });

  it("gives the same result for long texts with few different lines, and with many edits", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.constantFrom(20, 3_000), async (seed, different) => {
        const random = randomFrom(seed);
        const base = Array.from({ length: 3_000 }, () => `row,${random(different)}`);
        const side = (name: string): string =>
          asText(base.flatMap((one) => [[one], [one], [one], [], [one, `${name},${random(9)}`]][random(5)] ?? []));
        await compare({ base: asText(base), ours: side("ours"), theirs: side("theirs") });
        const other = asText(base.map(() => `row,${random(different)}`));
        await compare({ base: asText(base), ours: other, theirs: side("theirs") });
      }),
      { numRuns: 6 },
    );
  });

  it("gives the same result for texts without a line end at their end, except for one after a last conflict", async () => {
    const withoutLast = (list: readonly string[]): string => asText(list).slice(0, -1);
    await fc.assert(
      fc.asyncProperty(lines(12), edits, edits, async (base, mine, other) => {
        const last = ["the", "last", "four", "lines"];
        const [ours, theirs] = [edited(base, mine), edited(base, other)].map((list) => withoutLast([...list, ...last]));
        await compare({ base: withoutLast([...base, ...last]), ours: ours ?? "", theirs: theirs ?? "" });
      }),
      { numRuns: 40 },
    );
    const conflict = { base: "a\nb", ours: "a\nours", theirs: "a\ntheirs" };
    const { text } = await mergeTexts(conflict.base, conflict.ours, conflict.theirs, labels);
    assert.equal(`${text}\n`, (await git.merge(conflict)).text);
  });

  it("gives the same result for unrelated texts", async () => {
    await fc.assert(
      fc.asyncProperty(lines(30), lines(30), lines(30), async (base, ours, theirs) => {
        await compare({ base: asText(base), ours: asText(ours), theirs: asText(theirs) });
      }),
      { numRuns: 80 },
    );
  });
});
