import assert from "node:assert/strict";
import type { CompanionRequestOptions } from "../../../../src/api/companion/companion.ts";
import type { searchText } from "../../../../src/api/companion/operations/search.ts";
import type { Search } from "../../../../src/features/remote-search/search-input.ts";
import { type SearchParts, SearchSession } from "../../../../src/features/remote-search/search-session.ts";
import { EventEmitter, editor } from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";

type Options = CompanionRequestOptions<typeof searchText>;

/** A search of the companion that the test ends. */
interface Running {
  readonly options: Options;
  readonly end: () => void;
  readonly find: (path: string) => void;
}

function searchFor(text: string): Search {
  return {
    workspace: { tenantId: "acme", workspaceId: "sales" },
    query: { text, isCaseSensitive: false, isRegularExpression: false, isWholeWord: false },
    choices: { folder: "", ignoreFolders: [], fileTypes: [], isRecursive: true, includesHidden: false },
  } as never;
}

describe("two searches at the same time", () => {
  let running: Map<string, Running>;
  let session: SearchSession;

  beforeEach(() => {
    editor.treeViews.length = 0;
    running = new Map();
    const request = (_operation: unknown, { text }: { readonly text: string }, options: Options) => {
      const ended = Promise.withResolvers<unknown>();
      // As the companion, whose last matches may be under way when the search is canceled.
      const end = () => ended.resolve({ searched: 1, skipped: 0, skippedFiles: [], rest: { matches: 0, files: 0 } });
      const match = { line: 0, start: 0, end: 1, offset: 0, text: "x" };
      running.set(text, {
        options,
        end,
        find: (path) => options.onPush?.({ items: [{ path, matches: [match] }], searched: 1 }, []),
      });
      return ended.promise;
    };
    session = new SearchSession({
      connections: { nameOf: () => "Sales", content: async () => ({}) },
      companions: { get: async () => ({ request }) },
      state: { update: async () => {} },
      registry: { get: () => undefined },
      secrets: { onDidChange: new EventEmitter<unknown>().event },
      subscriptions: [],
    } as unknown as SearchParts);
  });
  afterEach(() => session.results?.dispose());

  const paths = () => session.results?.files.map(({ path }) => path);
  const message = () => editor.treeViews.at(-1)?.message ?? "";
  async function begun(text: string): Promise<Running> {
    await until("the search", () => running.has(text));
    const found = running.get(text);
    assert.ok(found !== undefined);
    return found;
  }

  it("show the results of the later one alone, and cancel the earlier one", async () => {
    const first = session.search(searchFor("first"));
    const earlier = await begun("first");
    earlier.find("a.py");
    assert.deepEqual(paths(), ["a.py"]);
    const second = session.search(searchFor("second"));
    const later = await begun("second");
    assert.equal(earlier.options.signal?.aborted, true);
    earlier.find("b.py");
    later.find("c.py");
    later.end();
    assert.notEqual(await second, undefined);
    earlier.end();
    assert.equal(await first, undefined);
    assert.deepEqual(paths(), ["c.py"]);
    assert.match(message(), /^"second" in Sales: 1 result in 1 file searched\.$/);
  });

  it("leave the view empty when it was cleared meanwhile", async () => {
    const search = session.search(searchFor("first"));
    const earlier = await begun("first");
    await session.results?.clear();
    earlier.find("a.py");
    earlier.end();
    assert.equal(await search, undefined);
    assert.deepEqual([paths(), message()], [[], ""]);
  });
});
