import assert from "node:assert/strict";
import { nameOf } from "../../../../src/api/catalogue/content-path.ts";
import type { ContentItem } from "../../../../src/api/catalogue/models/contents.ts";
import type { ConditionalListing } from "../../../../src/api/content-server/listing.ts";
import type { FileChange } from "../../../../src/file-system/session/workspace-events.ts";
import { DirectoryPoller } from "../../../../src/file-system/watch/directory-poller.ts";
import { SimulatedClock } from "../simulated-clock.ts";

const minute = 60_000;

function file(path: string, version: number): ContentItem {
  return {
    name: nameOf(path),
    path,
    type: "file",
    content: null,
    last_modified: `2026-01-01T00:00:00.${String(version).padStart(6, "0")}Z`,
    size: 4,
  };
}

function directory(path: string): ContentItem {
  return { name: nameOf(path), path, type: "directory", content: null };
}

describe("watching directories", () => {
  let clock: SimulatedClock;
  let watched: string[];
  let visible: string[];
  let server: Map<string, ContentItem[]>;
  let known: Map<string, { readonly children: readonly ContentItem[]; readonly etag: string | undefined }>;
  let looks: { readonly path: string; readonly at: number; readonly etag: string | undefined }[];
  let told: FileChange[];
  let fail: ((path: string) => unknown) | undefined;
  let revisions: Map<string, number | undefined>;
  let outdated: string[];
  let whileLooking: () => void;
  let reported: string[];
  let folders: DirectoryPoller;
  let start: number;

  const etagOf = (path: string): string => JSON.stringify(server.get(path));

  function begin(isFocused = true): void {
    known = new Map([...server].map(([path, children]) => [path, { children, etag: etagOf(path) }]));
    folders = new DirectoryPoller(
      {
        directories: () => watched,
        isVisible: (path) => visible.includes(path),
        list: async (path, etag): Promise<ConditionalListing> => {
          looks.push({ path, at: clock.now() - start, etag });
          const error = fail?.(path);
          if (error !== undefined) {
            throw error;
          }
          const children = server.get(path) ?? [];
          const next = etagOf(path);
          whileLooking();
          return etag === next
            ? { type: "same" }
            : { type: "listed", directory: directory(path), children, rejected: [], etag: next };
        },
        known: (path) => known.get(path),
        item: (path) => [...server.values()].flat().find((item) => item.path === path),
        setListing: () => {},
        isReported: (path) => reported.includes(path),
        setAbsent: (path) => {
          watched = watched.filter((other) => other !== path);
        },
        revision: (path) => (revisions.has(path) ? revisions.get(path) : 0),
        outdated: () => outdated,
        report: (changes) => told.push(...changes),
        classify: (error) => (error === "stopped" ? "suspend" : error === "gone" ? "absent" : "later"),
      },
      clock,
      isFocused,
    );
    folders.update();
  }

  beforeEach(() => {
    clock = new SimulatedClock();
    start = clock.now();
    watched = [""];
    visible = [""];
    server = new Map([["", [file("a.txt", 1), file("b.txt", 1), directory("data")]]]);
    looks = [];
    told = [];
    fail = undefined;
    revisions = new Map();
    outdated = [];
    reported = [];
    whileLooking = () => {};
  });
  afterEach(() => folders.dispose());

  it("sends no requests in 10 minutes without the focus, and none if nothing is watched", async () => {
    begin(false);
    await clock.pass(10 * minute);
    folders.happened(["a.txt"]);
    folders.changedByUs([{ type: "changed", path: "a.txt" }]);
    await clock.pass(10 * minute);
    assert.deepEqual(looks, []);
    watched = [];
    folders.update();
    folders.focusChanged(true);
    await clock.pass(10 * minute);
    assert.deepEqual(looks, []);
  });

  it("sends nothing while the companion reports the changes of a directory, and polls it after each report", async () => {
    begin();
    reported = [""];
    folders.reported([""]);
    await clock.pass(60 * minute);
    assert.equal(looks.length, 1);
    server.set("", [file("a.txt", 2), file("b.txt", 1), directory("data")]);
    folders.reported([""]);
    await clock.pass(1000);
    assert.deepEqual(told, [{ type: "changed", path: "a.txt" }]);
    // Another poll follows a change. It finds nothing.
    await clock.pass(60 * minute);
    assert.equal(looks.length, 3);
    reported = [];
    folders.reportsEnded();
    await clock.pass(minute);
    assert.ok(looks.length > 6);
  });

  it("polls once after our own change while changes are reported, which shows what someone else changed then", async () => {
    begin();
    reported = [""];
    folders.reported([""]);
    await clock.pass(minute);
    const before = looks.length;
    folders.changedByUs([{ type: "changed", path: "a.txt" }]);
    server.set("", [file("a.txt", 1), file("b.txt", 2), directory("data")]);
    await clock.pass(minute);
    assert.deepEqual(told, [{ type: "changed", path: "b.txt" }]);
    assert.equal(looks.length, before + 2);
  });

  it("polls again soon if a report arrives while the directory is polled", async () => {
    begin();
    reported = [""];
    whileLooking = () => {
      whileLooking = () => {};
      folders.reported([""]);
    };
    folders.reported([""]);
    await clock.pass(minute);
    assert.equal(looks.length, 2);
  });

  it("polls a visible directory every 10 s", async () => {
    begin();
    await clock.pass(minute);
    assert.deepEqual(
      looks.map((look) => look.at / 1_000),
      [5, 15, 25, 35, 45, 55],
    );
    server.set("", [file("a.txt", 1), file("b.txt", 1), file("new.txt", 1), directory("data")]);
    await clock.pass(10_000);
    assert.deepEqual(told, [{ type: "created", path: "new.txt" }]);
  });

  it("polls others after 5 s, then at increasing intervals up to 5 min, with conditional requests", async () => {
    visible = [];
    begin();
    await clock.pass(30 * minute);
    const at = looks.map((look) => look.at / 1_000);
    assert.deepEqual(at, [5, 15, 35, 75, 155, 315, 615, 915, 1215, 1515]);
    assert.ok(looks.every(({ etag }) => etag === etagOf("")));
    assert.deepEqual(told, []);
  });

  it("stops immediately without the focus, polls immediately when it returns, and then every 5 s", async () => {
    begin();
    await clock.pass(6_000);
    folders.focusChanged(false);
    await clock.pass(60 * minute);
    assert.equal(looks.length, 1);
    folders.focusChanged(true);
    await clock.pass(0);
    assert.equal(looks.length, 2);
    await clock.pass(10_001);
    assert.equal(looks.length, 3);
    for (let round = 0; round < 20; round += 1) {
      folders.focusChanged(false);
      folders.focusChanged(true);
    }
    await clock.pass(900);
    assert.ok(looks.length <= 4, "a window that is switched to and fro asks once a second at most");
  });

  it("reports each created, changed, and deleted item once", async () => {
    begin();
    server.set("", [file("a.txt", 2), file("c.txt", 1), directory("data")]);
    await clock.pass(5_000);
    assert.deepEqual(told, [
      { type: "deleted", path: "b.txt" },
      { type: "changed", path: "a.txt" },
      { type: "created", path: "c.txt" },
    ]);
    await clock.pass(20 * minute);
    assert.equal(told.length, 3);
    assert.equal(looks[1]?.at, 10_000, "after a change the next look comes after 5 s");
  });

  it("reports a change between the editor's first listing and the first poll", async () => {
    const shown = server.get("") ?? [];
    server.delete("");
    begin();
    await clock.pass(1_000);
    server.set("", shown);
    known.set("", { children: shown, etag: etagOf("") });
    folders.update();
    server.set("", [...shown, file("came.txt", 1)]);
    known.set("", { children: server.get("") ?? [], etag: etagOf("") });
    folders.update();
    await clock.pass(5_000);
    assert.deepEqual(told, [{ type: "created", path: "came.txt" }]);
  });

  it("reports a file in place of a directory as deleted and created", async () => {
    begin();
    server.set("", [file("a.txt", 1), file("b.txt", 1), file("data", 1)]);
    await clock.pass(5_000);
    assert.deepEqual(told, [
      { type: "deleted", path: "data" },
      { type: "created", path: "data" },
    ]);
  });

  it("doesn't report our own changes again, and moves the next poll forward to 5 s", async () => {
    begin();
    await clock.pass(200_000);
    const before = looks.length;
    server.set("", [file("a.txt", 9), file("new.txt", 1), directory("data")]);
    folders.changedByUs([
      { type: "changed", path: "a.txt" },
      { type: "created", path: "new.txt" },
      { type: "deleted", path: "b.txt" },
    ]);
    await clock.pass(5_000);
    assert.equal(looks.length, before + 1);
    assert.deepEqual(told, []);
  });

  it("ignores a listing during one of our own changes", async () => {
    begin();
    server.set("", []);
    whileLooking = () => revisions.set("", 7);
    await clock.pass(5_000);
    assert.deepEqual(told, []);
    whileLooking = () => {};
    revisions.set("", undefined);
    await clock.pass(5_000);
    assert.equal(looks.length, 1, "nothing is asked while a change of ours is under way");
    revisions.set("", 8);
    await clock.pass(5_000);
    assert.deepEqual(
      told.map(({ type }) => type),
      ["deleted", "deleted", "deleted"],
    );
  });

  it("polls a failing server at increasing intervals, and reports nothing", async () => {
    begin();
    fail = () => "broken";
    await clock.pass(30 * minute);
    assert.deepEqual(looks.map((look) => look.at / 1_000).slice(0, 5), [5, 15, 35, 75, 155]);
    assert.ok(looks.length <= 11);
    assert.deepEqual(told, []);
  });

  it("doesn't poll a stopped workspace, even with the focus, until another request succeeds", async () => {
    begin();
    fail = () => "stopped";
    await clock.pass(5_000);
    fail = undefined;
    folders.focusChanged(false);
    folders.focusChanged(true);
    await clock.pass(60 * minute);
    assert.equal(looks.length, 1);
    folders.resume();
    await clock.pass(1_000);
    assert.equal(looks.length, 2);
  });

  it("polls immediately after events, even several, but not after our own echo", async () => {
    begin();
    await clock.pass(4_000);
    server.set("", [file("a.txt", 2), file("b.txt", 1), directory("data")]);
    folders.happened(["a.txt"]);
    folders.happened(["a.txt"]);
    folders.happened(["elsewhere/x.txt"]);
    await clock.pass(200);
    assert.equal(looks.length, 1);
    assert.deepEqual(told, [{ type: "changed", path: "a.txt" }]);
    folders.changedByUs([{ type: "changed", path: "a.txt" }]);
    folders.happened(["a.txt"]);
    await clock.pass(3_000);
    assert.equal(looks.length, 1);
  });

  it("polls the visible directories within 2 s after a cell, and once a second at most after many cells", async () => {
    watched = ["", "data", "hidden"];
    server.set("data", []).set("hidden", []);
    visible = ["", "data"];
    begin();
    await clock.pass(minute);
    looks = [];
    server.set("data", [file("data/written.csv", 1)]);
    folders.cellEnded();
    await clock.pass(2_000);
    assert.deepEqual(told, [{ type: "created", path: "data/written.csv" }]);
    assert.deepEqual(looks.map(({ path }) => path).toSorted(), ["", "data"]);
    looks = [];
    for (let cell = 0; cell < 100; cell += 1) {
      folders.cellEnded();
      await clock.pass(50);
    }
    assert.ok(looks.length <= 12, `${looks.length} listings in 5 seconds`);
  });

  it("reports an open file that differs on the server once, even if its listing was already current", async () => {
    begin();
    outdated = ["a.txt"];
    server.set("", [file("a.txt", 1), file("b.txt", 1)]);
    await clock.pass(5_000);
    assert.deepEqual(told, [
      { type: "deleted", path: "data" },
      { type: "changed", path: "a.txt" },
    ]);
    server.set("", [file("a.txt", 1)]);
    await clock.pass(5_000);
    assert.deepEqual(told.at(-1), { type: "deleted", path: "b.txt" });
    assert.equal(told.length, 3);
  });

  it("reports a deleted directory once, and stops watching it", async () => {
    watched = ["", "data"];
    server.set("data", [file("data/x.txt", 1)]);
    begin();
    fail = (path) => (path === "data" ? "gone" : undefined);
    server.set("", [file("a.txt", 1), file("b.txt", 1)]);
    await clock.pass(20 * minute);
    assert.deepEqual(told, [{ type: "deleted", path: "data" }]);
    assert.equal(looks.filter(({ path }) => path === "data").length, 1);
  });

  describe("24 directories of 1,000 files", () => {
    const names = [...Array(24).keys()].map((index) => `folder${index}`);

    beforeEach(async () => {
      watched = [...names];
      visible = ["folder23", "folder7"];
      server = new Map(
        names.map((name) => [name, [...Array(1_000).keys()].map((index) => file(`${name}/${index}.txt`, 1))]),
      );
      begin();
      await clock.pass(20 * minute);
      folders.focusChanged(false);
      await clock.pass(minute);
      looks = [];
    });

    it("take at most a second of the server at once when the window gets the focus, the visible ones first", async () => {
      folders.focusChanged(true);
      await clock.pass(0);
      assert.deepEqual(
        looks.slice(0, 2).map(({ path }) => path),
        ["folder7", "folder23"],
      );
      assert.ok(looks.length <= 4, `${looks.length} listings`);
      await clock.pass(2 * minute);
      assert.deepEqual(new Set(looks.map(({ path }) => path)), new Set(names));
    });

    it("are all polled after events, regardless of the budget", async () => {
      folders.focusChanged(true);
      await clock.pass(0);
      looks = [];
      folders.happened(names.map((name) => `${name}/1.txt`));
      await clock.pass(200);
      assert.equal(looks.length, 24);
    });
  });
});
