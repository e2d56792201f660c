import assert from "node:assert/strict";
import { readFileContent, readFileText, statContent } from "../../../../src/api/content-server/file-content.ts";
import { contentPathOf, failureOf, fakePlatform, html, item, json, type Responder } from "../fake-platform.ts";

const refused = json(400, { message: "a.ipynb is not a file" });

/** Answers by the kind of the request: `file`, `metadata`, or `notebook`. */
function server(responses: Partial<Record<"file" | "metadata" | "notebook", ReturnType<Responder>>>) {
  const asked: string[] = [];
  const fake = fakePlatform((request) => {
    const query = new URLSearchParams(request.path.split("?")[1]);
    const kind = query.get("type") === "file" ? "file" : query.get("content") === "0" ? "metadata" : "notebook";
    asked.push(`${kind} ${contentPathOf(request)}${query.get("hash") === "1" ? " with hash" : ""}`);
    return responses[kind] ?? json(500, {});
  });
  return { client: fake.content, asked };
}

describe("reading a file", () => {
  it("returns its exact bytes with one request, with their item", async () => {
    const { client, asked } = server({ file: json(200, item("a.txt", "file", "\ufeffl\u00e4uft\r\n")) });
    const read = await readFileContent(client, "a.txt");
    assert.ok(read.type === "file");
    assert.deepEqual([Buffer.from(read.bytes).toString(), read.item.name], ["\ufeffl\u00e4uft\r\n", "a.txt"]);
    assert.deepEqual(asked, ["file a.txt with hash"]);
  });

  it("decodes base64", async () => {
    const { client } = server({ file: json(200, { ...item("a.bin", "file", "/wAB"), format: "base64" }) });
    const read = await readFileContent(client, "a.bin");
    assert.ok(read.type === "file");
    assert.deepEqual([...read.bytes], [255, 0, 1]);
  });

  const notebookText = '{"cells": [],\n "metadata": {"big": 12345678901234567890, "one": 1.0}, "nbformat": 4}';
  const asNotebook = json(200, `{"name":"a.ipynb","path":"a.ipynb","content":${notebookText},"type":"notebook"}`);

  it("extracts a notebook's original JSON from the response of a server that ignores the query", async () => {
    const { client, asked } = server({ file: asNotebook });
    const read = await readFileContent(client, "a.ipynb");
    assert.ok(read.type === "file");
    assert.equal(Buffer.from(read.bytes).toString(), notebookText);
    assert.equal(await readFileText(client, "a.ipynb"), notebookText);
    assert.deepEqual(asked, ["file a.ipynb with hash", "file a.ipynb"]);
  });

  it("requests an item without extra queries after a rejection, and immediately from then on", async () => {
    const { client, asked } = server({ file: refused, notebook: asNotebook, metadata: json(200, item("a.ipynb")) });
    for (let time = 0; time < 2; time += 1) {
      const read = await readFileContent(client, "a.ipynb");
      assert.ok(read.type === "file");
      assert.equal(Buffer.from(read.bytes).toString(), notebookText);
    }
    await statContent(client, "a.ipynb");
    assert.deepEqual(asked, ["file a.ipynb with hash", "notebook a.ipynb", "notebook a.ipynb", "metadata a.ipynb"]);
    await statContent(client, "a.txt").catch(() => undefined);
    assert.equal(asked[4], "file a.txt with hash", "other kinds of files are asked for with all queries");
  });

  it("requests items with all queries although one can't be read with them, such as a broken link", async () => {
    for (const isFirst of [true, false]) {
      const asked: string[] = [];
      const { content } = fakePlatform((request) => {
        const [path, isWhole] = [contentPathOf(request), request.path.includes("hash=1")];
        asked.push(`${path}${isWhole ? " with hash" : ""}`);
        return path === "link.txt" && isWhole ? json(400, { message: "not a regular file" }) : json(200, item(path));
      });
      const paths = isFirst ? ["link.txt", "a.txt", "link.txt", "b.txt"] : ["a.txt", "link.txt", "b.txt"];
      for (const path of paths) await statContent(content, path);
      assert.deepEqual(
        asked,
        paths.flatMap((path) => (path === "link.txt" ? [`${path} with hash`, path] : [`${path} with hash`])),
      );
    }
  });

  it("requests no item with all queries after two were rejected", async () => {
    const asked: string[] = [];
    const { content } = fakePlatform((request) => {
      const [path, isWhole] = [contentPathOf(request), request.path.includes("hash=1")];
      asked.push(`${path}${isWhole ? " with hash" : ""}`);
      return isWhole ? json(400, { message: "unknown argument" }) : json(200, item(path));
    });
    for (const path of ["a.txt", "a.txt", "b.txt", "c.txt"]) await statContent(content, path);
    assert.deepEqual(asked, ["a.txt with hash", "a.txt", "a.txt", "b.txt with hash", "b.txt", "c.txt"]);
  });

  it("rejects text for bytes that aren't text", async () => {
    const damaged = { ...item("a.bin", "file", "\uFFFD\uFFFD"), size: 2 };
    assert.equal((await readFileContent(server({ file: json(200, damaged) }).client, "a.bin")).type, "unreadable");
    const { client } = server({ file: json(200, { ...damaged, size: 6 }) });
    assert.equal((await readFileContent(client, "a.bin")).type, "file");
  });

  it("reports a directory, whether the server returns it or rejects it as a file", async () => {
    const directory = json(200, item("a", "directory"));
    for (const responses of [{ file: directory }, { file: refused, notebook: directory }]) {
      assert.equal((await readFileContent(server(responses).client, "a")).type, "directory");
    }
  });

  it("never converts content of an unknown format to bytes", async () => {
    for (const content of [null, { cells: [] }, [1]]) {
      const { client } = server({ file: json(200, item("a.txt", "file", content)) });
      assert.equal((await readFileContent(client, "a.txt")).type, "unreadable");
    }
  });

  it("keeps the server's error if no other request returns the bytes", async () => {
    for (const path of ["a.ipynb", "a.txt"]) {
      const { client, asked } = server({ file: refused, notebook: json(400, { message: "no" }) });
      assert.equal((await failureOf(readFileContent(client, path))).serverMessage, "a.ipynb is not a file");
      assert.equal(asked[0], `file ${path} with hash`);
      for (const notebook of [json(500, {}), html(200), json(200, { name: "a" })]) {
        const failure = await failureOf(readFileContent(server({ file: refused, notebook }).client, path));
        assert.notEqual(failure.status, 400, "what failed then is the failure");
      }
    }
    const empty = server({ file: refused, notebook: json(200, item("a.ipynb", "notebook")) });
    assert.equal((await readFileContent(empty.client, "a.ipynb")).type, "unreadable");
  });

  it("sends no more requests after any other failure", async () => {
    for (const status of [403, 404, 500]) {
      const { client, asked } = server({ file: json(status, {}) });
      assert.equal((await failureOf(readFileContent(client, "a.txt"))).status, status);
      assert.equal(new Set(asked).size, 1);
    }
  });
});

describe("reading an item's metadata", () => {
  it("returns a file's metadata with its hash, or without it on request", async () => {
    const { client, asked } = server({ file: json(200, item("a.txt")) });
    assert.equal((await statContent(client, "a.txt"))?.name, "a.txt");
    await statContent(client, "a.txt", { withHash: false });
    assert.deepEqual(asked, ["file a.txt with hash", "file a.txt"]);
  });

  it("makes a second request for an item that is rejected as a file, and one for a known directory", async () => {
    const directory = json(200, item("a", "directory"));
    const { client, asked } = server({ file: refused, metadata: directory });
    assert.equal((await statContent(client, "a"))?.type, "directory");
    assert.equal((await statContent(client, "a", { expected: "directory" }))?.type, "directory");
    assert.deepEqual(asked, ["file a with hash", "metadata a", "metadata a"]);
  });

  it("returns undefined only for a real 404, even on the second request", async () => {
    const gone = json(404, {});
    assert.equal(await statContent(server({ file: gone }).client, "a"), undefined);
    assert.equal(await statContent(server({ file: refused, metadata: gone }).client, "a"), undefined);
    for (const status of [400, 403, 500]) {
      const response = json(status, {});
      const failure = await failureOf(statContent(server({ file: response, metadata: response }).client, "a"));
      assert.equal(failure.status, status);
    }
  });
});
