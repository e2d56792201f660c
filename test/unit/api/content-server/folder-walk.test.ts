import assert from "node:assert/strict";
import type { ContentItem } from "../../../../src/api/catalogue/models/contents.ts";
import {
  type FolderLinks,
  type LeftOut,
  type ListedFolder,
  maxWalkDepth,
  walkFolder,
} from "../../../../src/api/content-server/folder-walk.ts";

/** A folder's entries: a file, a folder of its own, or a link to another folder. */
interface Entries {
  readonly [name: string]: "file" | Entries | (() => Entries);
}

/** The time of an item: another one for each, or the same for all. */
type Times = (folder: Entries, index: number) => string;

const folders: Entries[] = [];
const exactTimes: Times = (folder, index) => {
  const known = folders.indexOf(folder);
  const place = known < 0 ? folders.push(folder) - 1 : known;
  return `2026-01-02T03:04:05.${String(place * 100 + index + 1).padStart(6, "0")}Z`;
};
const sameTimes: Times = () => "2026-01-02T03:04:05.004Z";

/** Walks through a folder of a server. Resolves with the paths of the files, what was left out, and the listings. */
async function walk(root: Entries, start: string, times: Times, links?: FolderLinks) {
  const listings: string[] = [];
  const list = async (path: string): Promise<ListedFolder> => {
    listings.push(path);
    let folder = root;
    for (const name of path.split("/").filter(Boolean)) {
      const entry = folder[name];
      folder = typeof entry === "function" ? entry() : typeof entry === "object" ? entry : {};
    }
    const children = Object.entries(folder).map(([name, entry], index): ContentItem => {
      const time = times(folder, index);
      const type = entry === "file" ? "file" : "directory";
      return { name, path: path === "" ? name : `${path}/${name}`, type, created: time, last_modified: time };
    });
    return { directory: { name: "", path, type: "directory" }, children, rejected: [] };
  };
  const files: string[] = [];
  const leftOut: LeftOut[] = [];
  await walkFolder(await list(start), {
    list,
    links,
    onFolder: ({ children }) => children,
    onFile: async ({ path }) => void files.push(path),
    onLeftOut: (left) => leftOut.push(left),
  });
  return { files: files.sort(), leftOut: leftOut.map(({ type, path }) => `${type} ${path}`).sort(), listings };
}

const inner: Entries = { "deep.txt": "file" };
const chosen: Entries = { "good.txt": "file", inner, up: () => root, self: () => chosen, again: () => inner };
const other: Entries = { "other.txt": "file", chosen };
const root: Entries = { other, "root.txt": "file" };

describe("a walk through a folder", () => {
  it("doesn't follow links to the folder and to folders above it, and names them", async () => {
    const { files, leftOut, listings } = await walk(root, "other/chosen", exactTimes);
    const expected = ["again/deep.txt", "good.txt", "inner/deep.txt"].map((path) => `other/chosen/${path}`);
    assert.deepEqual(files, expected);
    assert.deepEqual(leftOut, ["cycle other/chosen/self", "cycle other/chosen/up"]);
    assert.equal(listings.length, 7);
  });

  it("follows known links only to the folder's own items, and compares nothing", async () => {
    const found = (path: string, isFollowed: boolean) => ({
      path: `other/chosen/${path}`,
      isDirectory: true,
      isFollowed,
    });
    const known = { isLink: false, links: [found("up", false), found("self", false), found("again", true)] };
    const { files, leftOut, listings } = await walk(root, "other/chosen", sameTimes, known);
    const expected = ["again/deep.txt", "good.txt", "inner/deep.txt"].map((path) => `other/chosen/${path}`);
    assert.deepEqual(files, expected);
    assert.deepEqual(leftOut, ["link other/chosen/self", "link other/chosen/up"]);
    assert.equal(listings.length, 3);
    const file = { path: "other/chosen/good.txt", isDirectory: false, isFollowed: false };
    const without = await walk(root, "other/chosen", sameTimes, { isLink: false, links: [...known.links, file] });
    assert.equal(without.files.includes("other/chosen/good.txt"), false);
    assert.equal(without.leftOut.includes("link other/chosen/good.txt"), true);
  });

  it("recognizes a cycle without exact times after some levels, and keeps folders that only look the same", async () => {
    const same: Entries = { a: { "__init__.py": "file" }, b: { "__init__.py": "file" }, n: { n: { n: "file" } } };
    const { files, leftOut } = await walk(same, "", sameTimes);
    assert.deepEqual([files, leftOut], [["a/__init__.py", "b/__init__.py", "n/n/n"], []]);
    const endless: Entries = { "x.txt": "file", loop: () => endless };
    const looped = await walk(endless, "", sameTimes);
    assert.deepEqual(looped.leftOut, ["cycle loop/loop/loop"]);
  });

  it("ends for a server that invents folders", async () => {
    const invented = (depth: number): Entries => ({ [`f${depth}`]: () => invented(depth + 1) });
    const { leftOut, listings } = await walk(invented(0), "", exactTimes);
    assert.equal(listings.length, maxWalkDepth + 1);
    assert.equal(leftOut.length === 1 && leftOut[0]?.startsWith("limit "), true);
  });
});
