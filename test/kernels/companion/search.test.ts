// Search by the companion in a real Jupyter Server: it finds what the contents API finds, with one request.
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CompanionOperationError } from "../../../src/api/companion/errors.ts";
import { companionInformation } from "../../../src/api/companion/operations/program.ts";
import { searchText } from "../../../src/api/companion/operations/search.ts";
import { type StartedCompanion, startCompanion } from "../../../src/api/companion/start.ts";
import { listRecursively } from "../../../src/api/content-server/listing.ts";
import { silentLog } from "../../../src/api/http/log.ts";
import { listWithCompanion, searchWithCompanion } from "../../../src/features/remote-search/companion-search.ts";
import {
  matchesIn,
  patternOf,
  type SearchMatch,
  type SearchQuery,
  textsOf,
} from "../../../src/features/remote-search/matches.ts";
import { countedTransport } from "../../harness/counted-transport.ts";
import { until } from "../../harness/until.ts";
import { type KernelRig, startRig } from "../rig.ts";

const files: Readonly<Record<string, string>> = {
  "a.py": "import pandas as pd\nvalue_1 = 22\r\nPrint(value_1)\n\nname = 'CAFÉ'\n",
  "data/b.txt": "needle 😀 needle\nNEEDLE\n$5.00 (net)\n",
  "data/deep/c.md": "# Title\n\nsome words, some more\n",
  "n.ipynb": JSON.stringify({
    cells: [
      { cell_type: "markdown", metadata: {}, source: ["# needle\n", "text"] },
      { cell_type: "code", metadata: {}, outputs: [{ text: "needle" }], source: 'print("value_1")' },
    ],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  }),
};
const choices = { folder: "", ignoreFolders: [], fileTypes: [], isRecursive: true, includesHidden: false };
const limits = { maxMatches: 2000, maxPerFile: 200, maxBytes: 2_000_000 };

for (const release of ["current", "older"] as const) {
  describe(`search by the companion of a ${release} server`, function () {
    this.timeout(180_000);
    let rig: KernelRig;
    let started: StartedCompanion;
    const counted = countedTransport();

    before(async () => {
      rig = await startRig([], { release });
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(rig.root, path)), { recursive: true });
        await writeFile(join(rig.root, path), text);
      }
      const client = rig.client(rig.token, counted.transport);
      const signal = new AbortController().signal;
      started = await startCompanion({ client: async () => client, owner: "search", signal, log: silentLog });
      counted.take();
    });
    after(async () => {
      started.companion.dispose();
      await rig.stop();
    });

    async function found(query: SearchQuery): Promise<Readonly<Record<string, readonly SearchMatch[]>> | undefined> {
      const matches: Record<string, readonly SearchMatch[]> = {};
      const listener = {
        onSearched: (): void => {},
        onFound: (path: string, places: readonly SearchMatch[]): void => {
          assert.ok(places.every(({ offset }) => offset === 0));
          matches[path] = places.map(({ offset: _, ...place }) => place);
        },
      };
      const { signal } = new AbortController();
      const seen = await searchWithCompanion(started.companion, query, choices, limits, listener, signal);
      return seen === undefined ? undefined : matches;
    }

    const texts = [
      "needle",
      "Needle",
      "value_1",
      "ÜBER",
      "über",
      "$5.00 (net)",
      'print("',
      "😀",
      "no such text",
      "some",
    ];
    const expressions = [
      "^\\w+",
      "\\bneedle\\b",
      "[a-z_]+\\d$",
      "(?<word>\\w)\\(",
      "\\s+$",
      "(?<!a)e",
      "\\u{1F600}",
      ".",
    ];
    const queries: readonly SearchQuery[] = [
      ...texts.map((text) => ({ text, isRegularExpression: false, isWholeWord: false })),
      ...expressions.map((text) => ({ text, isRegularExpression: true, isWholeWord: false })),
    ].flatMap((query) => [true, false].map((isCaseSensitive) => ({ ...query, isCaseSensitive })));

    it("finds what the contents API finds", async () => {
      for (const query of queries) {
        const expected = Object.entries(files).flatMap(([path, text]) => {
          const { matches: places } = matchesIn(textsOf(path, text), patternOf(query), limits.maxPerFile);
          return places.length === 0 ? [] : [[path, places] as const];
        });
        assert.deepEqual(await found(query), Object.fromEntries(expected), JSON.stringify(query));
      }
    });

    it("leaves expressions that Python doesn't have to the contents API", async () => {
      for (const text of ["\\p{L}+", "(a|b)\\1", "(?<=a+)b"]) {
        const query = { text, isCaseSensitive: true, isRegularExpression: true, isWholeWord: false };
        assert.equal(await found(query), undefined, text);
      }
    });

    it("takes one message, and lists files with one more", async () => {
      counted.take();
      await found({ text: "needle", isCaseSensitive: true, isRegularExpression: false, isWholeWord: false });
      assert.deepEqual(counted.take(), { requests: [], operations: ["search.text"] });
      const paths: string[] = [];
      const onPaths = (more: readonly string[]): void => void paths.push(...more);
      const { signal } = new AbortController();
      assert.equal(await listWithCompanion(started.companion, choices, { maxFiles: 100, onPaths }, signal), true);
      assert.deepEqual(counted.take(), { requests: [], operations: ["search.files"] });
      const listed = (await listRecursively(rig.client())).flatMap(({ path, type }) =>
        type === "directory" ? [] : [path],
      );
      assert.deepEqual(paths.toSorted(), listed.toSorted());
    });

    it("ends the search on the server when it is canceled", async () => {
      // Each of these takes longer than any test.
      for (const name of ["slow-1.txt", "slow-2.txt", "slow-3.txt"]) {
        await writeFile(join(rig.root, name), `${"a".repeat(60)}!`);
      }
      // Its programs run in the root, unlike those of other tests at the same time.
      const isProgram = async (pid: string): Promise<boolean> => {
        const command = await readFile(join("/proc", pid, "cmdline"), "utf8").catch(() => "");
        const isSearch = command.includes("Finds files and text below a directory");
        return isSearch && (await readlink(join("/proc", pid, "cwd")).catch(() => "")) === rig.root;
      };
      const programs = async (): Promise<number> =>
        (await Promise.all((await readdir("/proc")).map(isProgram))).filter((is) => is).length;
      const controller = new AbortController();
      const parameters = {
        ...{ folder: "", ignoreFolders: [], fileTypes: [".txt"], isRecursive: true, includesHidden: false },
        ...{ ...limits, exclude: [], useIgnoreFiles: true, text: "(a+)+$" },
        ...{ isCaseSensitive: true, isRegularExpression: true, isWholeWord: false },
      };
      const search = started.companion.request(searchText, parameters, { signal: controller.signal });
      search.catch(() => {});
      await until("the search", async () => (await programs()) === 1);
      // Meanwhile, the companion serves other requests.
      assert.equal((await started.companion.request(companionInformation, {})).running, 1);
      controller.abort(new Error("canceled"));
      await assert.rejects(search, /canceled/);
      await until("its end", async () => (await programs()) === 0);
      await assert.rejects(started.companion.request(searchText, parameters), (error) => {
        assert.ok(error instanceof CompanionOperationError);
        assert.equal(error.kind, "slowPattern");
        return true;
      });
    });
  });
}
