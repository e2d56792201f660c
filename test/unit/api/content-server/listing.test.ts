import assert from "node:assert/strict";
import type { LeftOut } from "../../../../src/api/content-server/folder-walk.ts";
import { listRecursively } from "../../../../src/api/content-server/listing.ts";
import type { DispatchRequest } from "../../../../src/api/http/dispatch.ts";
import { contentPathOf, empty, type FakePlatform, failureOf, fakePlatform, item, json } from "../fake-platform.ts";

/** Names by folder. A name with a trailing slash is a folder. */
type Tree = Readonly<Record<string, readonly string[]>>;

const tree: Tree = {
  "": ["a.py", "B.PY", "notes.ipynb", ".env", ".config/", ".ipynb_checkpoints/", "data/", "recent_executions/"],
  data: ["x.csv", "y.csv", "raw/", "recent_executions.log", "data.py"],
  "data/raw": ["z.bin", "tmp/"],
  "data/raw/tmp": ["data"],
  ".config": ["hidden.py"],
  ".ipynb_checkpoints": ["a-checkpoint.py"],
  recent_executions: ["run.ipynb"],
};

function listingOf(all: Tree, path: string): Record<string, unknown> {
  const children = (all[path] ?? []).map((name) => {
    const child = path === "" ? name : `${path}/${name}`;
    return item(child.replace(/\/$/, ""), name.endsWith("/") ? "directory" : "file");
  });
  return item(path, "directory", children);
}

function serving(all: Tree): FakePlatform {
  return fakePlatform((request) => json(200, listingOf(all, contentPathOf(request))));
}

async function paths(options: Parameters<typeof listRecursively>[1], all = tree): Promise<string[]> {
  return (await listRecursively(serving(all).content, options)).map(({ path }) => path);
}

describe("recursive listing", () => {
  it("has all children of a large folder, in order", async () => {
    const names = Array.from({ length: 2500 }, (_, index) => `${index}.py`);
    assert.deepEqual(await paths({}, { "": [...names, "data/"], data: ["last.csv"] }), [
      "",
      ...names,
      "data",
      "data/last.csv",
    ]);
  });

  it("has more children of a folder than a call can have arguments", async () => {
    const names = Array.from({ length: 150_000 }, (_, index) => `${index}`);
    let files = 0;
    const onFile = async (): Promise<void> => {
      files += 1;
    };
    const found = await paths({ onFile }, { "": names });
    assert.deepEqual([found.length, files], [names.length + 1, names.length]);
  });

  // Proves 4.2: Recursive listing: the result is flat, with the starting item
  it("is a flat list with the starting item first, without hidden, checkpoint, and execution entries", async () => {
    const fake = serving(tree);
    const items = await listRecursively(fake.content);
    assert.deepEqual(items[0], { ...listingOf(tree, ""), content: null });
    assert.deepEqual(
      items.map(({ path }) => path),
      [
        "",
        "a.py",
        "B.PY",
        "notes.ipynb",
        "data",
        "data/x.csv",
        "data/y.csv",
        "data/raw",
        "data/data.py",
        "data/raw/z.bin",
        "data/raw/tmp",
        "data/raw/tmp/data",
      ],
    );
    assert.deepEqual(fake.requests.map(contentPathOf), ["", "data", "data/raw", "data/raw/tmp"]);
    assert.equal(
      fake.requests.every(({ path }) => path.includes("content=1")),
      true,
    );
  });

  // Proves 4.2: Recursive listing: begins at the content path, the root by default
  it("content_path: starts there, a leading ./ dropped", async () => {
    assert.deepEqual(await paths({ contentPath: "./data/raw/" }), [
      "data/raw",
      "data/raw/z.bin",
      "data/raw/tmp",
      "data/raw/tmp/data",
    ]);
  });

  it("content_path: for a file, the list contains only the file", async () => {
    const fake = fakePlatform((request) => json(200, item(contentPathOf(request), "file", "text")));
    const items = await listRecursively(fake.content, { contentPath: "a.py", includedFileTypes: [".csv"] });
    assert.deepEqual(items, [{ ...item("a.py", "file"), format: "text" }]);
  });

  // Proves 4.2: Recursive listing: ignored folders are matched against path segments
  it("ignore_folders: matches whole segments, and never requests what is below", async () => {
    const fake = serving(tree);
    const listed = await listRecursively(fake.content, { ignoreFolders: ["raw", "dat"] });
    assert.deepEqual(
      listed.map(({ path }) => path),
      ["", "a.py", "B.PY", "notes.ipynb", "data", "data/x.csv", "data/y.csv", "data/data.py"],
    );
    assert.deepEqual(fake.requests.map(contentPathOf), ["", "data"]);
  });

  // Proves 4.2: Recursive listing: file types apply only to files
  it("included_filetypes: filters only files; folders are always followed", async () => {
    assert.deepEqual(await paths({ includedFileTypes: [".py", "ipynb"] }), [
      "",
      "a.py",
      "B.PY",
      "notes.ipynb",
      "data",
      "data/raw",
      "data/data.py",
      "data/raw/tmp",
    ]);
    assert.deepEqual(await paths({ includedFileTypes: [] }), ["", "data", "data/raw", "data/raw/tmp"]);
  });

  // Proves 4.2: Recursive listing: file types apply only to files
  it("included_filetypes: match whole extensions, with or without a dot or an asterisk, in any case", async () => {
    const names = ["happy", "a.py", "b.PY", "c.happy", "py", "d.tar.gz", "e.gz", "f.py.txt"];
    for (const [types, expected] of [
      [["py"], ["a.py", "b.PY"]],
      [[".py"], ["a.py", "b.PY"]],
      [["*.Py"], ["a.py", "b.PY"]],
      [["gz"], ["d.tar.gz", "e.gz"]],
      [
        [".tar.gz", "txt"],
        ["d.tar.gz", "f.py.txt"],
      ],
    ] as const) {
      assert.deepEqual(await paths({ includedFileTypes: types }, { "": names }), ["", ...expected], types.join());
    }
  });

  // Proves 4.2: Recursive listing: it is recursive by default
  it("is_recursive false: one request, the folder and its children", async () => {
    const fake = serving(tree);
    const files: string[] = [];
    const onFile = async ({ path }: { readonly path: string }): Promise<void> => void files.push(path);
    const items = await listRecursively(fake.content, { isRecursive: false, onFile });
    assert.deepEqual(
      items.map(({ path }) => path),
      ["", "a.py", "B.PY", "notes.ipynb", "data"],
    );
    assert.deepEqual(files, ["a.py", "B.PY", "notes.ipynb"]);
    assert.equal(fake.requests.length, 1);
  });

  // Proves 4.2: Recursive listing: hidden names are skipped by default; Recursive listing: checkpoints and recent
  it("exclude_hidden false: lists names with a leading dot, but not checkpoints and executions", async () => {
    const listed = await paths({ excludeHidden: false });
    assert.equal(listed.includes(".env"), true);
    assert.equal(listed.includes(".config/hidden.py"), true);
    assert.equal(
      listed.some((path) => path.includes("checkpoint") || path.includes("recent_executions")),
      false,
    );
  });

  it("skip []: lists everything", async () => {
    const listed = await paths({ excludeHidden: false, skip: [] });
    assert.equal(listed.includes(".ipynb_checkpoints/a-checkpoint.py"), true);
    assert.equal(listed.includes("recent_executions/run.ipynb"), true);
    assert.equal(listed.includes("data/recent_executions.log"), true);
  });

  it("reports the items of each folder as they arrive", async () => {
    const groups: string[][] = [];
    await listRecursively(serving(tree).content, {
      contentPath: "data",
      onItems: (items) => groups.push(items.map(({ path }) => path)),
    });
    assert.deepEqual(groups, [
      ["data"],
      ["data/x.csv", "data/y.csv", "data/raw", "data/data.py"],
      ["data/raw/z.bin", "data/raw/tmp"],
      ["data/raw/tmp/data"],
    ]);
  });

  it("omits extra queries after a server has rejected them", async () => {
    const fake = fakePlatform((request) =>
      request.path.includes("type=") ? json(400, {}) : json(200, listingOf(tree, contentPathOf(request))),
    );
    const items = await listRecursively(fake.content);
    assert.deepEqual(
      items.map(({ path }) => path),
      await paths({}),
    );
    const before = fake.requests.length;
    await listRecursively(fake.content);
    const asked = fake.requests.slice(before).map(({ path }) => path);
    assert.equal(asked.length > 2 && asked.every((path) => !path.includes("type=")), true);
  });

  it("reports the server's error for a former folder", async () => {
    const fake = fakePlatform((request) => {
      const path = contentPathOf(request);
      const isNow = path === "" ? listingOf({ "": ["a/"] }, "") : item(path);
      return request.path.includes("type=") ? json(400, { message: "a is not a directory" }) : json(200, isNow);
    });
    assert.equal((await failureOf(listRecursively(fake.content))).serverMessage, "a is not a directory");
  });

  // Proves 4.2: Recursive listing: each path is visited once
  it("visits each path once, even with duplicate entries", async () => {
    const fake = serving({ "": ["a/", "b.txt", "a/", "b.txt"], a: ["c.txt", "c.txt"] });
    const listed = (await listRecursively(fake.content)).map(({ path }) => path);
    assert.deepEqual(listed, ["", "a", "b.txt", "a/c.txt"]);
    assert.deepEqual(fake.requests.map(contentPathOf), ["", "a"]);
  });

  it("never leaves the listed folder, whatever names and paths the server sends", async () => {
    const outside = ["../x", "..", ".", "", "a/b", "/etc", "c\0d", "\ud800"].map((name) => ({ ...item("x"), name }));
    const elsewhere = [
      { ...item("x"), path: "../../x" },
      { ...item("y", "directory"), path: "" },
    ];
    const fake = fakePlatform((request) => {
      const path = contentPathOf(request);
      return json(200, item(path, "directory", path === "" ? [item("top", "directory")] : [...outside, ...elsewhere]));
    });
    const leftOut: LeftOut[] = [];
    const options = { excludeHidden: false, onLeftOut: (left: LeftOut) => leftOut.push(left) };
    const listed = await listRecursively(fake.content, { ...options, contentPath: "top" });
    assert.deepEqual(
      listed.map(({ path }) => path).filter((path) => !/^top(\/y)*(\/x)?$/.test(path)),
      [],
    );
    assert.deepEqual(leftOut.filter(({ type }) => type === "name").length % outside.length, 0);
    assert.equal(
      fake.requests.map(contentPathOf).every((path) => path === "" || /^top(\/y)*$/.test(path)),
      true,
    );
  });

  // Proves 4.2: Recursive listing: at most five requests at a time
  // Proves 8: 5 requests at a time in a recursive listing
  it("keeps exactly five requests in flight for as long as there are folders to read", async () => {
    const width = 30;
    const waiting: (() => void)[] = [];
    let inFlight = 0;
    const seen: { readonly inFlight: number; readonly left: number }[] = [];
    let left = width + 1;
    const fake = fakePlatform(async (request) => {
      const path = contentPathOf(request);
      if (path !== "") {
        inFlight += 1;
        await new Promise<void>((resolve) => waiting.push(resolve));
        inFlight -= 1;
      }
      left -= 1;
      const names = path === "" ? Array.from({ length: width }, (_, index) => `d${index}/`) : ["leaf.py"];
      return json(200, listingOf({ [path]: names }, path));
    });
    const work = listRecursively(fake.content);
    for (let step = 0; step < width; step += 1) {
      await settled();
      seen.push({ inFlight, left });
      // Responses arrive in another order than the requests: the newest first, then the oldest.
      (step % 2 === 0 ? waiting.pop() : waiting.shift())?.();
    }
    assert.equal((await work).length, 1 + 2 * width);
    for (const moment of seen) {
      assert.equal(moment.inFlight, Math.min(5, moment.left), JSON.stringify(moment));
    }
  });

  it("also parallelizes folders that are found late", async () => {
    const peaks: number[] = [];
    let inFlight = 0;
    const fake = fakePlatform(async (request: DispatchRequest) => {
      const path = contentPathOf(request);
      inFlight += 1;
      peaks.push(inFlight);
      await settled();
      inFlight -= 1;
      const all: Tree = { "": ["a/"], a: ["b/"], "a/b": ["1/", "2/", "3/", "4/", "5/", "6/", "7/"] };
      return json(200, listingOf(all, path));
    });
    assert.equal((await listRecursively(fake.content)).length, 10);
    assert.equal(Math.max(...peaks), 5);
  });

  it("ends with the first error, and sends no more requests", async () => {
    const width = 20;
    const fake = fakePlatform((request, nth) => {
      const path = contentPathOf(request);
      if (path === "") {
        return json(200, listingOf({ "": Array.from({ length: width }, (_, index) => `d${index}/`) }, ""));
      }
      return nth === 4 ? empty(500) : json(200, listingOf({}, path));
    });
    const failure = await failureOf(listRecursively(fake.content));
    assert.deepEqual([failure.kind, failure.status, failure.entity], ["retrieval", 500, "d2"]);
    await settled();
    const sent = fake.requests.length;
    assert.equal(sent < 12, true, `${sent} requests were sent`);
    await settled();
    assert.equal(fake.requests.length, sent);
  });

  it("names a folder that is returned without children", async () => {
    const fake = fakePlatform(() => json(200, item("data", "directory")));
    const failure = await failureOf(listRecursively(fake.content, { contentPath: "data" }));
    assert.match(failure.message, /Can't list data: .*doesn't list the folder's content/);
  });

  it("stops when it is canceled", async () => {
    const stop = new AbortController();
    const fake = fakePlatform((request) => {
      stop.abort();
      return json(200, listingOf(tree, contentPathOf(request)));
    });
    const failure = await failureOf(listRecursively(fake.content, { signal: stop.signal }));
    assert.deepEqual(failure.failureCause, { type: "cancelled" });
    assert.equal(fake.requests.length, 1);
  });
});

/** Waits until only what waits for the test is left. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
