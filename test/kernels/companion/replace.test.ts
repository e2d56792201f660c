// The search for matches that are replaced, in a real Jupyter Server: the companion and the contents API find the same.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CompanionUnavailableError } from "../../../src/api/companion/errors.ts";
import { type StartedCompanion, startCompanion } from "../../../src/api/companion/start.ts";
import { silentLog } from "../../../src/api/http/log.ts";
import { phrase } from "../../../src/api/phrase.ts";
import type { SearchMatch, SearchQuery } from "../../../src/features/remote-search/matches.ts";
import { replacementFor } from "../../../src/features/remote-search/replacement-text.ts";
import { maxMatches, searchTexts, type TextSearchEnd } from "../../../src/features/remote-search/text-search.ts";
import { type KernelRig, startRig } from "../rig.ts";

const files: Readonly<Record<string, string | Uint8Array>> = {
  "a.py": "import pandas as pd\nframe = pd.read_csv('a')\nframes = [frame]\n",
  "data/b.txt": "frame FRAME 😀 frame\r\nre_frame café\n",
  "data/big.txt": "frame ".repeat(400_000),
  "data/image.png": new Uint8Array([0, 1, 2]),
  "data/zero.bin": new Uint8Array([102, 0, 1]),
  "n.ipynb": JSON.stringify({
    cells: [
      { cell_type: "markdown", metadata: {}, source: ["# The frame\n", "text"] },
      { cell_type: "code", metadata: {}, outputs: [{ text: "frame" }], source: "frame.head()" },
    ],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  }),
};
const choices = { folder: "", ignoreFolders: [], fileTypes: [], isRecursive: true, includesHidden: false };
const workspace = { tenantId: "tenant", workspaceId: "workspace" };
const options = { isCaseSensitive: true, isRegularExpression: false, isWholeWord: false };

interface Found {
  readonly matches: Readonly<Record<string, readonly SearchMatch[]>>;
  readonly end: TextSearchEnd;
}

describe("the search for matches to replace", function () {
  this.timeout(180_000);
  let rig: KernelRig;
  let started: StartedCompanion;

  before(async () => {
    rig = await startRig();
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(rig.root, path)), { recursive: true });
      await writeFile(join(rig.root, path), text);
    }
    const { signal } = new AbortController();
    started = await startCompanion({ client: async () => rig.client(), owner: "replace", signal, log: silentLog });
  });
  after(async () => {
    started.companion.dispose();
    await rig.stop();
  });

  async function find(query: SearchQuery, hasCompanion: boolean): Promise<Found> {
    const matches: Record<string, readonly SearchMatch[]> = {};
    const end = await searchTexts(
      {
        connections: { content: async () => rig.client() },
        companions: {
          get: async () => {
            if (hasCompanion) return started.companion;
            throw new CompanionUnavailableError("noKernels", phrase`No kernels.`);
          },
        },
      },
      { workspace, query, choices },
      {
        onSearched: () => {},
        onFound: (path, found) => {
          matches[path] = found
            .map(({ offset: _, text: __, ...place }) => place)
            .map((place) => ({ ...place, text: "" }));
        },
        onRestart: () => assert.fail("the search began again"),
      },
      { isToReplace: true, signal: new AbortController().signal },
    );
    return { matches, end };
  }

  const queries: readonly SearchQuery[] = [
    { ...options, text: "frame" },
    { ...options, text: "frame", isCaseSensitive: false },
    { ...options, text: "frame", isWholeWord: true },
    { ...options, text: "caf", isWholeWord: true },
    { ...options, text: "(?<name>fr\\w+)( )?", isRegularExpression: true },
    { ...options, text: "frame|frames", isRegularExpression: true, isWholeWord: true },
  ];

  it("finds the same with a companion and without: matches with their groups, and what is skipped", async () => {
    for (const query of queries) {
      const [one, other] = [await find(query, true), await find(query, false)];
      const label = JSON.stringify(query);
      assert.deepEqual(one.matches, other.matches, label);
      const ends = [one, other].map(({ end: { skippedFiles, reason: _, ...end } }) => ({
        ...end,
        skippedFiles: skippedFiles.toSorted((a, b) => a.path.localeCompare(b.path)),
      }));
      assert.deepEqual(ends[0], ends[1], label);
    }
    const { matches, end } = await find({ ...options, text: "frame" }, true);
    assert.deepEqual(Object.keys(matches).toSorted(), ["a.py", "data/b.txt", "n.ipynb"]);
    assert.deepEqual(
      end.skippedFiles.map(({ path, reason }) => `${path} ${reason}`),
      ["data/big.txt large", "data/image.png binary", "data/zero.bin binary"],
    );
  });

  it("finds whole words", async () => {
    const { matches } = await find({ ...options, text: "frame", isWholeWord: true }, true);
    const starts = Object.fromEntries(
      Object.entries(matches).map(([path, places]) => [path, places.map(({ line, start }) => [line, start])]),
    );
    assert.deepEqual(starts["a.py"], [
      [1, 0],
      [2, 10],
    ]);
    assert.deepEqual(starts["data/b.txt"], [
      [0, 0],
      [0, 15],
    ]);
  });

  it("gives what a replacement needs", async () => {
    const query = { ...options, text: "(?<all>fr(\\w)me)(s)?", isRegularExpression: true };
    const { matches } = await find(query, true);
    const replace = replacementFor("\\u$<all>[$2$3]", query);
    assert.deepEqual(
      matches["a.py"]?.map(({ groups = [] }) => replace(groups)),
      ["Frame[a]", "Frame[as]", "Frame[a]"],
    );
  });

  it("counts what is beyond the limit", async () => {
    await writeFile(join(rig.root, "many-1.txt"), "many\n".repeat(1500));
    await writeFile(join(rig.root, "many-2.txt"), "many\n".repeat(1500));
    await writeFile(join(rig.root, "many-3.txt"), "many\n".repeat(10));
    for (const hasCompanion of [true, false]) {
      const { matches, end } = await find({ ...options, text: "many" }, hasCompanion);
      const count = Object.values(matches).reduce((sum, { length }) => sum + length, 0);
      assert.equal(count, maxMatches);
      assert.equal(end.rest.matches, 3010 - maxMatches);
    }
  });

  it("ends with an error if the expression takes forever, with a companion and without", async () => {
    for (const name of ["slow-1.txt", "slow-2.txt", "slow-3.txt"]) {
      await writeFile(join(rig.root, name), `${"a".repeat(60)}!`);
    }
    const query = { ...options, text: "(a+)+$", isRegularExpression: true };
    for (const hasCompanion of [true, false]) {
      await assert.rejects(find(query, hasCompanion), /takes too long, such as in slow-\d\.txt\.$/);
    }
  });
});
