import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { Uri } from "vscode";
import { MergeResults } from "../../../../src/file-system/merge/merge-results.ts";
import { SimulatedClock } from "../simulated-clock.ts";

const minute = 60_000;

describe("results of merges", () => {
  let clock: SimulatedClock;
  let shown: Set<string>;
  let emptied: number;
  let results: MergeResults;
  let add: (name: string, onSave?: (bytes: Uint8Array) => Promise<void>) => vscode.Uri;

  beforeEach(() => {
    clock = new SimulatedClock();
    shown = new Set();
    emptied = 0;
    results = new MergeResults({
      clock,
      isShown: (uri) => shown.has(uri.path.slice(1)),
      onEmpty: () => {
        emptied += 1;
      },
    });
    add = (name, onSave = async () => {}) =>
      results.add(
        Uri.from({ scheme: "platform-contents", authority: "sales.acme", path: `/${name}` }),
        Buffer.from(name),
        onSave,
      );
  });
  afterEach(() => results.dispose());

  const isKept = (uri: vscode.Uri): boolean => {
    try {
      return results.readFile(uri).byteLength > 0;
    } catch {
      return false;
    }
  };

  it("keeps results that an editor shows, and the last written content", async () => {
    const saved: string[] = [];
    const uri = add("a.txt", async (bytes) => void saved.push(Buffer.from(bytes).toString()));
    shown.add("a.txt");
    await clock.pass(60 * minute);
    await results.writeFile(uri, Buffer.from("merged"));
    assert.deepEqual(saved, ["merged"]);
    assert.equal(Buffer.from(results.readFile(uri)).toString(), "merged");
    assert.equal(emptied, 0);
  });

  it("removes a result ten minutes after no editor shows it anymore, and reports when none is left", async () => {
    const uri = add("a.txt");
    shown.add("a.txt");
    await clock.pass(30 * minute);
    shown.clear();
    await clock.pass(9 * minute);
    assert.equal(isKept(uri), true);
    await clock.pass(2 * minute);
    assert.equal(isKept(uri), false);
    assert.equal(emptied, 1);
  });

  it("keeps ten results that no editor shows, the newest ones", async () => {
    shown.add("shown.txt");
    const open = add("shown.txt");
    const uris: vscode.Uri[] = [];
    for (let number = 1; number <= 12; number += 1) {
      await clock.pass(1_000);
      uris.push(add(`${number}.txt`));
    }
    assert.deepEqual(
      uris.map(isKept),
      uris.map((_, index) => index >= 2),
    );
    assert.equal(isKept(open), true);
  });

  it("keeps the result if it can't be saved", async () => {
    const uri = add("a.txt", () => Promise.reject(new Error("edited meanwhile")));
    await assert.rejects(results.writeFile(uri, Buffer.from("merged")), /edited meanwhile/);
    assert.equal(Buffer.from(results.readFile(uri)).toString(), "a.txt");
  });

  it("is newer for the editor after each save, even within a millisecond", async () => {
    const uri = add("a.txt");
    const dates = [results.stat(uri).mtime];
    for (const content of ["one", "other"]) {
      await results.writeFile(uri, Buffer.from(content));
      const { mtime, size } = results.stat(uri);
      assert.equal(size, content.length);
      dates.push(mtime);
    }
    assert.deepEqual(dates, [...new Set(dates)].toSorted());
    assert.equal(dates.length, 3);
  });

  it("replaces the earlier result of a file, and reports that to the editor", () => {
    const changed: string[] = [];
    const listener = results.onDidChangeFile((events) =>
      changed.push(...events.map(({ type, uri }) => `${type} ${uri}`)),
    );
    const uri = add("a.txt");
    assert.equal(uri.scheme, "platform-merge-result");
    assert.equal(add("a.txt").toString(), uri.toString());
    listener.dispose();
    assert.deepEqual(changed, [`1 ${uri}`, `1 ${uri}`]);
  });

  it("doesn't exist after it was deleted, nor after the end", async () => {
    const [deleted, other] = [add("a.txt"), add("b.txt")];
    results.delete(deleted);
    assert.throws(() => results.stat(deleted), { code: "FileNotFound" });
    await assert.rejects(results.writeFile(deleted, Buffer.from("a")), { code: "FileNotFound" });
    results.dispose();
    assert.throws(() => results.readFile(other), { code: "FileNotFound" });
    await clock.pass(60 * minute);
    assert.equal(emptied, 0);
  });
});
