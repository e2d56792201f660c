import assert from "node:assert/strict";
import { assertError, type ContentServer, call, contents } from "./client.ts";
import { currentServers, type Folder, newFolder } from "./servers.ts";

const output = { output_type: "execute_result", execution_count: 1, metadata: {} };
const notebook = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { kernelspec: { name: "python3", display_name: "Python 3" }, signature: "x", "10": 1, "9": 2, é: "ü" },
  cells: [
    { cell_type: "markdown", id: "a", metadata: {}, source: "# Title\nText" },
    {
      cell_type: "code",
      id: "b",
      metadata: { trusted: true, tags: [] },
      execution_count: 1,
      source: "1 + 1\n2 + 2",
      outputs: [
        { ...output, data: { "text/plain": "a\nb", "image/png": "aGk=\n", "application/json": { b: 1, a: [] } } },
        { output_type: "stream", name: "stdout", text: "one\ntwo\n" },
      ],
    },
  ],
};
const onDisk = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "a",
   "metadata": {},
   "source": [
    "# Title\\n",
    "Text"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "b",
   "metadata": {
    "tags": []
   },
   "outputs": [
    {
     "data": {
      "application/json": {
       "a": [],
       "b": 1
      },
      "image/png": "aGk=\\n",
      "text/plain": [
       "a\\n",
       "b"
      ]
     },
     "execution_count": 1,
     "metadata": {},
     "output_type": "execute_result"
    },
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "one\\n",
      "two\\n"
     ]
    }
   ],
   "source": [
    "1 + 1\\n",
    "2 + 2"
   ]
  }
 ],
 "metadata": {
  "10": 1,
  "9": 2,
  "kernelspec": {
   "display_name": "Python 3",
   "name": "python3"
  },
  "é": "ü"
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

for (const { name, start } of currentServers) {
  describe(`${name}: notebooks`, () => {
    let server: ContentServer;
    let folder: Folder;
    const get = async (path: string, query = "") => await call(server, "GET", contents(folder.at(path)) + query);
    const save = async (path: string, content: unknown) =>
      await call(server, "PUT", contents(folder.at(path)), { body: { type: "notebook", format: "json", content } });

    before(async () => {
      server = await start();
    });
    beforeEach(async () => {
      folder = await newFolder(server);
    });

    it("writes a notebook with sorted keys, one space of indentation, and strings as lists of lines", async () => {
      assert.equal((await save("n.ipynb", notebook)).status, 201);
      assert.equal(await folder.read("n.ipynb"), onDisk);
    });

    it("returns a notebook with joined strings, and marks each code cell as trusted or not", async () => {
      await save("n.ipynb", notebook);
      const response = await get("n.ipynb");
      const { type, format, mimetype, content } = response.json;
      assert.deepEqual({ type, format, mimetype }, { type: "notebook", format: "json", mimetype: null });
      const { signature: _, ...metadata } = notebook.metadata;
      assert.deepEqual(content, { ...notebook, metadata });
      await folder.write("foreign.ipynb", onDisk.replace('"Text"', '"Other text"'));
      assert.match((await get("foreign.ipynb")).text, /"trusted": ?false/);
    });

    it("preserves 64-bit integers and 1.0 from a notebook save to a text read, and in a notebook read", async () => {
      const body =
        '{"type":"notebook","format":"json","content":{"cells":[],"nbformat":4,"nbformat_minor":5,"metadata":{"big":9007199254740993123,"negative":-0.0,"one":1.0,"small":-9223372036854775808}}}';
      assert.equal((await call(server, "PUT", contents(folder.at("n.ipynb")), { text: body })).status, 201);
      const asText = await get("n.ipynb", "?type=file&format=text");
      const expected =
        '"metadata": {\n  "big": 9007199254740993123,\n  "negative": -0.0,\n  "one": 1.0,\n  "small": -9223372036854775808\n }';
      assert.ok(String(asText.json.content).includes(expected), String(asText.json.content));
      const response = await get("n.ipynb");
      for (const member of [/"big": ?9007199254740993123\b/, /"one": ?1\.0\b/, /"negative": ?-0\.0\b/]) {
        assert.match(response.text, member);
      }
    });

    it("doesn't change a notebook that is saved as text", async () => {
      const odd = '{"nbformat": 4,"nbformat_minor":5,   "metadata":{"one":1.0},\r\n"cells":[]}';
      const saved = await call(server, "PUT", contents(folder.at("n.ipynb")), {
        body: { type: "file", format: "text", content: odd },
      });
      assert.deepEqual([saved.status, saved.json.type], [201, "notebook"]);
      assert.equal((await get("n.ipynb", "?type=file&format=text")).json.content, odd);
    });

    it("creates a checkpoint with the first save", async () => {
      await save("n.ipynb", notebook);
      assert.deepEqual(await folder.names(".ipynb_checkpoints"), ["n-checkpoint.ipynb"]);
    });

    it("refuses to read an invalid notebook, except for its metadata or as a file", async () => {
      const bodies = { "a.ipynb": "{not json", "b.ipynb": "[]", "c.ipynb": "{}", "d.ipynb": "" };
      for (const [path, body] of Object.entries(bodies)) {
        await folder.write(path, body);
        assertError(await get(path), 400, /^Unreadable Notebook: /);
        assert.deepEqual((await get(path, "?content=0")).json.type, "notebook");
        assert.equal((await get(path, "?type=file&format=text")).json.content, body);
      }
      await folder.write("e.ipynb", Buffer.from([0x7b, 0xe4, 0x7d]));
      assertError(await get("e.ipynb"), 400, /is not UTF-8 encoded$/, "bad format");
    });

    it("refuses to save an invalid notebook, and doesn't change the file", async () => {
      await save("n.ipynb", notebook);
      const { metadata: _, ...withoutMetadata } = notebook;
      for (const content of [
        {},
        null,
        [],
        "text",
        withoutMetadata,
        { ...notebook, cells: [{}] },
        { ...notebook, nbformat: 5 },
      ]) {
        assertError(await save("n.ipynb", content), 500, /^Unexpected error while saving file: /);
        assert.equal(await folder.read("n.ipynb"), onDisk);
      }
    });

    it("saves a notebook that doesn't match the schema, and reports the problem", async () => {
      const { nbformat_minor: _, ...withoutMinor } = { ...notebook, cells: [] };
      const faulty = [
        withoutMinor,
        { ...notebook, nbformat_minor: 4 },
        { ...notebook, cells: [{ cell_type: "other", id: "x", metadata: {}, source: "" }] },
        { ...notebook, cells: [{ cell_type: "raw", id: "not an id!", metadata: {}, source: "" }] },
      ];
      for (const [index, content] of faulty.entries()) {
        const response = await save(`n${index}.ipynb`, content);
        assert.equal(response.status, 201);
        assert.match(String(response.json.message), /^Notebook validation failed: /);
      }
      assert.equal((await save("sound.ipynb", notebook)).json.message, undefined);
    });

    it("assigns ids to cells whose id is missing or duplicated", async () => {
      const cell = { cell_type: "raw", metadata: {}, source: "" };
      await save("n.ipynb", { ...notebook, cells: [{ ...cell, id: "same" }, { ...cell, id: "same" }, cell] });
      const ids = [...(await folder.read("n.ipynb")).matchAll(/"id": "([^"]+)"/g)].map(([, id]) => id);
      assert.deepEqual([ids[0], new Set(ids).size], ["same", 3]);
    });

    it("keeps a string that was sent as lines, and reads it as a single string", async () => {
      const cell = { cell_type: "markdown", id: "a", metadata: {}, source: ["one\n", "two\u2028three"] };
      await save("n.ipynb", { ...notebook, cells: [cell] });
      const { content } = (await get("n.ipynb")).json;
      assert.ok(typeof content === "object" && content !== null && "cells" in content && Array.isArray(content.cells));
      assert.equal(content.cells[0].source, "one\ntwo\u2028three");
    });
  });
}
