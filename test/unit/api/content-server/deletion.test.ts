import assert from "node:assert/strict";
import { deleteTree } from "../../../../src/api/content-server/deletion.ts";
import type { DispatchRequest } from "../../../../src/api/http/dispatch.ts";
import { contentPathOf, empty, failureOf, fakePlatform, item, json, type Responder, sent } from "../fake-platform.ts";

describe("deleting", () => {
  const tree: Readonly<Record<string, readonly string[]>> = {
    top: ["a/", "f1", ".hidden"],
    "top/a": ["b/", "f2", "f3", "f4", "f5", "f6", "f7"],
    "top/a/b": ["f8", "recent_executions"],
  };

  /** A server with this content that deletes no folder that is not empty. */
  function strict(
    faults: (request: DispatchRequest) => ReturnType<Responder> | undefined = () => undefined,
    links: readonly string[] = [],
  ) {
    const there = new Map<string, string>([["top", "directory"]]);
    for (const [folder, names] of Object.entries(tree)) {
      for (const name of names) {
        there.set(`${folder}/${name}`.replace(/\/$/, ""), name.endsWith("/") ? "directory" : "file");
      }
    }
    /** Counts the changes of each folder, for its time. */
    const changes = new Map<string, number>();
    const change = (path: string): void => {
      const folder = path.slice(0, path.lastIndexOf("/"));
      changes.set(folder, (changes.get(folder) ?? 0) + 1);
    };
    let inFlight = 0;
    let peak = 0;
    const fake = fakePlatform(async (request) => {
      inFlight += 1;
      peak = Math.max(peak, inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
      const fault = faults(request);
      if (fault !== undefined) {
        return fault;
      }
      const path = contentPathOf(request);
      const below = [...there].filter(([other]) => other.slice(0, other.lastIndexOf("/")) === path && other !== path);
      if (request.method === "GET") {
        const children = below.map(([other, type]) => item(other, type));
        const found = item(path, there.get(path), there.get(path) === "directory" ? children : "text");
        const time = links.includes(path) ? {} : { last_modified: `2026-01-01T00:00:00.${changes.get(path) ?? 0}1Z` };
        return json(200, { ...found, ...time });
      }
      if (request.method === "POST") {
        there.set(`${path}/untitled`, "file");
        change(`${path}/untitled`);
        return json(201, item(`${path}/untitled`));
      }
      if (below.length > 0) {
        return json(400, { message: `Directory ${path} not empty` });
      }
      change(path);
      return there.delete(path) ? empty(204) : json(404, { message: "gone" });
    });
    return { fake, there, peak: () => peak };
  }

  it("takes one request if the server deletes whole folders", async () => {
    const fake = fakePlatform(() => empty(204));
    await deleteTree(fake.content, "./top");
    assert.deepEqual(sent(fake), ["DELETE top"]);
  });

  it("deletes the children first after 400, deepest first, five at a time, including hidden ones", async () => {
    const { fake, there, peak } = strict();
    const deleted: string[] = [];
    await deleteTree(fake.content, "top", { onDeleted: (path) => deleted.push(path) });
    assert.deepEqual([...there], []);
    assert.equal(peak(), 5);
    assert.equal(deleted.length, 13);
    assert.equal(deleted.at(-1), "top");
    assert.deepEqual(deleted.slice(-3), ["top/a/b", "top/a", "top"]);
    assert.equal(deleted.includes("top/.hidden") && deleted.includes("top/a/b/recent_executions"), true);
  });

  it("ignores items that someone else deletes meanwhile", async () => {
    const { fake, there } = strict((request) => {
      if (request.method === "DELETE" && contentPathOf(request) === "top/a/f3") {
        there.delete("top/a/f3");
        return empty(404);
      }
      return undefined;
    });
    await deleteTree(fake.content, "top");
    assert.deepEqual([...there], []);
  });

  it("names the remaining items if something can't be deleted", async () => {
    const { fake, there } = strict((request) =>
      request.method === "DELETE" && contentPathOf(request) === "top/a/b/f8"
        ? json(500, { message: "busy" })
        : undefined,
    );
    const failure = await failureOf(deleteTree(fake.content, "top"));
    assert.deepEqual(
      [failure.kind, failure.operationWord, failure.entity, failure.status],
      ["crud", "delete", "top/a/b/f8", 500],
    );
    const left = [...there.keys()].toSorted();
    assert.equal(left.includes("top/a/b/f8"), true);
    const [, count, total, names] = /(\d+) of (\d+) items deleted\. Remaining: (.*)\.$/.exec(failure.message) ?? [];
    assert.deepEqual([Number(total) - Number(count), names], [left.length, left.join(", ")]);
  });

  it("names ten items and counts the rest", async () => {
    const many = Array.from({ length: 30 }, (_, index) => item(`top/f${10 + index}`));
    const fake = fakePlatform(({ method, path }, nth) => {
      const isProbe = path.endsWith("untitled");
      return method === "GET"
        ? json(200, { ...item("top", "directory", many), last_modified: `2026-01-01T00:00:00.${nth}1Z` })
        : method === "POST"
          ? json(201, item("top/untitled"))
          : isProbe
            ? empty(204)
            : json(path.endsWith("top") ? 400 : 403, {});
    });
    const failure = await failureOf(deleteTree(fake.content, "top"));
    assert.match(failure.message, /0 of 31 items deleted\. Remaining: top, top\/f10, .*top\/f18 and 21 more\.$/);
    assert.equal(fake.requests.length < 20, true);
  });

  it("reports the server's message for a folder that can't be deleted because of hidden content", async () => {
    const { fake } = strict((request) =>
      request.method === "DELETE" && contentPathOf(request) === "top/a"
        ? json(400, { message: "top/a not empty" })
        : undefined,
    );
    const failure = await failureOf(deleteTree(fake.content, "top"));
    assert.match(failure.message, /Can't delete top\/a: top\/a not empty \(400\).* Remaining: top, top\/a\.$/);
  });

  it("deletes nothing if a folder's time doesn't change with its content, as that of a link", async () => {
    const { fake, there } = strict(undefined, ["top/a"]);
    const before = [...there.keys()];
    const failure = await failureOf(deleteTree(fake.content, "top"));
    assert.match(
      failure.message,
      /^Can't delete top: .*of top\/a: it seems to be a link to another folder\. Nothing was deleted\./,
    );
    assert.deepEqual([...there.keys()], before);
    assert.equal(
      sent(fake).some((request) => request.startsWith("DELETE") && !/(?:top|untitled)$/.test(request)),
      false,
    );
  });

  it("asks what else sees links before it deletes an item, and then creates no files", async () => {
    const asked: string[] = [];
    const linksIn = async (folder: string) => {
      asked.push(folder);
      // A link to a file is deleted itself.
      return { isLink: false, links: [{ path: "top/f1", isDirectory: false, isFollowed: false }] };
    };
    const { fake, there } = strict(undefined, ["top/a"]);
    await deleteTree(fake.content, "top", { linksIn });
    assert.deepEqual([[...there], asked], [[], ["top"]]);
    assert.equal(
      sent(fake).some((request) => request.startsWith("POST")),
      false,
    );
  });

  it("deletes nothing if there is a known link to a folder", async () => {
    const link = { path: "top/a/b", isDirectory: true, isFollowed: true };
    for (const [named, known] of [
      ["top/a/b", { isLink: false, links: [link] }],
      ["top", { isLink: true, links: [] }],
    ] as const) {
      const { fake, there } = strict();
      const before = [...there.keys()];
      const failure = await failureOf(deleteTree(fake.content, "top", { linksIn: async () => known }));
      const expected = `Can't delete top: the server deletes only empty folders, and of ${named}: it is a link to another folder.`;
      assert.equal(failure.message.startsWith(expected), true, failure.message);
      assert.deepEqual([...there.keys()], before);
    }
  });

  /** A server that reports the times of a link's target. `top/out` is a link to `near`, or a folder with its times. */
  function withTargetTimes(isLink: boolean) {
    const near = { names: ["kept1", "kept2"], changes: 1 };
    const out = isLink ? near : { names: ["own"], changes: 1 };
    const top = { names: ["out"], changes: 1 };
    const folders: Readonly<Record<string, typeof near>> = { top, near, "top/out": out };
    const timed = (path: string, children: unknown = null) => {
      const time = `2026-01-01T00:00:00.${folders[path]?.changes}1Z`;
      return { ...item(path, "directory", children), created: time, last_modified: time };
    };
    const fake = fakePlatform((request) => {
      const path = contentPathOf(request);
      const parent = folders[path.slice(0, path.lastIndexOf("/"))];
      if (request.method === "GET") {
        const below = (folders[path]?.names ?? ["top", "near"]).map((name) => `${path}/${name}`.replace(/^\//, ""));
        return json(
          200,
          timed(
            path,
            below.map((one) => (one in folders ? timed(one) : item(one))),
          ),
        );
      }
      const changed = request.method === "POST" ? folders[path] : parent;
      if (changed !== undefined) changed.changes += 1;
      if (request.method === "POST") {
        folders[path]?.names.push("untitled");
        return json(201, item(`${path}/untitled`));
      }
      if ((folders[path]?.names.length ?? 0) > 0) return json(400, { message: "not empty" });
      const name = path.slice(path.lastIndexOf("/") + 1);
      if (parent !== undefined) parent.names = parent.names.filter((one) => one !== name);
      return empty(204);
    });
    return { fake, near, top };
  }

  it("deletes nothing if a folder has the times and the content of one next to a folder above it", async () => {
    const { fake, near, top } = withTargetTimes(true);
    assert.match(
      (await failureOf(deleteTree(fake.content, "top"))).message,
      /^Can't delete top: .*of top\/out: it has the times and the content of near, so it seems to be a link to it\. Nothing was deleted\./,
    );
    assert.deepEqual([near.names, top.names], [["kept1", "kept2"], ["out"]]);
    const unlike = withTargetTimes(false);
    await deleteTree(unlike.fake.content, "top");
    assert.deepEqual([unlike.near.names, unlike.top.names], [["kept1", "kept2"], []]);
  });

  it("deletes nothing in a folder whose time is unknown, or in which nothing can be created", async () => {
    const timeless = strict((request) => {
      const path = contentPathOf(request);
      return request.method === "GET" && request.path.includes("content=")
        ? json(200, { ...item(path, "directory", path === "top" ? [item("top/a")] : []), last_modified: null })
        : undefined;
    });
    assert.match(
      (await failureOf(deleteTree(timeless.fake.content, "top"))).message,
      /might be a link\. Nothing was deleted/,
    );
    const full = strict(({ method }) => (method === "POST" ? json(507, { message: "No space left" }) : undefined));
    const failure = await failureOf(deleteTree(full.fake.content, "top"));
    assert.match(failure.message, /^Can't delete top: No space left \(507\)\. .*Nothing was deleted\.$/);
    assert.deepEqual([timeless.there.size, full.there.size], [13, 13]);
  });

  it("says that nothing was deleted, whichever read of the check fails", async () => {
    // A folder above that can't be read is skipped.
    const isRead = (request: DispatchRequest): boolean => request.method === "GET" && contentPathOf(request) !== "";
    const sound = strict();
    await deleteTree(sound.fake.content, "top");
    const reads = sound.fake.requests.filter(isRead).length;
    assert.ok(reads >= 7, `${reads} reads`);
    for (let failing = 1; failing <= reads; failing += 1) {
      let nth = 0;
      const { fake, there } = strict((request) => {
        nth += isRead(request) ? 1 : 0;
        return isRead(request) && nth === failing ? json(500, { message: "busy" }) : undefined;
      });
      const failure = await failureOf(deleteTree(fake.content, "top"));
      assert.match(failure.message, /^Can't delete top: busy \(500\)\. .*Nothing was deleted\.$/, `read ${failing}`);
      assert.deepEqual([failure.operationWord, failure.entity, there.size], ["delete", "top", 13]);
    }
  });

  it("explains that the server's trash doesn't work, and doesn't try the items one by one", async () => {
    const { fake } = strict(({ method }) =>
      method === "DELETE" ? json(400, { message: "send2trash failed: [Errno 13] Permission denied" }) : undefined,
    );
    const failure = await failureOf(deleteTree(fake.content, "top"));
    assert.match(
      failure.message,
      /^Can't delete top: the server couldn't move it to its trash\. .*run rm in a terminal/,
    );
    assert.deepEqual(sent(fake), ["DELETE top"]);
  });

  it("passes on a 400 for a file and for an empty folder, without more requests", async () => {
    for (const response of [item("x", "file", "text"), item("x", "directory", [])]) {
      const fake = fakePlatform((request) =>
        request.method === "GET" ? json(200, response) : json(400, { message: "no" }),
      );
      const failure = await failureOf(deleteTree(fake.content, "x"));
      assert.deepEqual([failure.status, failure.operationWord], [400, "delete"]);
      assert.deepEqual(sent(fake), ["DELETE x", "GET x"]);
    }
  });

  it("passes on the 400 for a hidden file that the server doesn't return, instead of a 404", async () => {
    const fake = fakePlatform((request) =>
      request.method === "GET" ? json(404, { message: "No such file" }) : json(400, { message: "Can't delete hidden" }),
    );
    const failure = await failureOf(deleteTree(fake.content, ".env"));
    assert.deepEqual([failure.kind, failure.status], ["crud", 400]);
    assert.match(failure.message, /Can't delete hidden/);
  });

  it("passes on any other error immediately", async () => {
    for (const [status, kind] of [
      [404, "notFound"],
      [403, "crud"],
      [500, "crud"],
    ] as const) {
      const fake = fakePlatform(() => empty(status));
      const failure = await failureOf(deleteTree(fake.content, "x"));
      assert.deepEqual([failure.status, failure.kind, fake.requests.length], [status, kind, 1]);
    }
  });

  it("reports the remaining items if canceled", async () => {
    const stop = new AbortController();
    const { fake, there } = strict();
    const failure = await failureOf(
      deleteTree(fake.content, "top", { signal: stop.signal, onDeleted: () => stop.abort() }),
    );
    assert.equal(failure.failureCause.type, "cancelled");
    assert.match(failure.message, /Remaining: top, /);
    assert.equal(there.has("top"), true);
  });
});
