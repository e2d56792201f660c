import assert from "node:assert/strict";
import fc from "fast-check";
import { JsonText } from "../../../../src/api/catalogue/models/contents.ts";
import { updateContent } from "../../../../src/api/catalogue/operations/contents.ts";
import {
  bytesOf,
  decodedText,
  inferType,
  isNotebookText,
  updateBodyFor,
} from "../../../../src/api/content-server/content-types.ts";
import { fakePlatform, item, json } from "../fake-platform.ts";

async function sentBody(path: string, bytes: Uint8Array): Promise<string> {
  const fake = fakePlatform(() => json(200, item(path)));
  await fake.content.call(updateContent, { path, body: updateBodyFor(path, bytes) });
  return String(fake.requests[0]?.body);
}

/** What a server would write if it took the body literally. */
function written(body: string): Uint8Array {
  const { format, content } = JSON.parse(body);
  return format === "base64" ? Buffer.from(content, "base64") : Buffer.from(content, "utf8");
}

const notebookText = `{
 "cells": [],
 "metadata": {"run": 9007199254740993, "big": 12345678901234567890, "one": 1.0, "tiny": 1e-7, "$&": "$1 $$"},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

describe("content types", () => {
  const inferred: readonly (readonly [string, string, string | null])[] = [
    ["a.ipynb", "notebook", "json"],
    ["dir.d/A.IPYNB", "notebook", "json"],
    ["a.py", "file", "text"],
    [".gitignore", "file", "text"],
    ["a.tar.gz", "file", "text"],
    ["reports", "directory", null],
    ["dir.d/reports", "directory", null],
    ["", "directory", null],
  ];
  for (const [path, type, format] of inferred) {
    it(`"${path}" is a ${type}`, () => assert.deepEqual(inferType(path), { type, format }));
  }

  const samples: readonly (readonly [string, Uint8Array])[] = [
    ["empty", new Uint8Array()],
    ["text", Buffer.from("print('ü😀')\n")],
    ["byte order mark", Buffer.from("\ufeffa,b\r\n1,2\r\n")],
    ["CRLF and a lone CR", Buffer.from("a\r\nb\rc\n")],
    ["0 to 255", Uint8Array.from({ length: 256 }, (_, index) => index)],
    ["invalid UTF-8", Buffer.from([0x61, 0xc3, 0x28, 0xff])],
    ["half a character", Buffer.from([0xf0, 0x9f, 0x98])],
    ["an encoded surrogate", Buffer.from([0xed, 0xa0, 0x80])],
    ["NUL", Buffer.from("a\0b")],
    ["line separators", Buffer.from("a\u2028b\u2029c\u0085d")],
  ];
  for (const [what, bytes] of samples) {
    for (const path of ["data.bin", "broken.ipynb"]) {
      it(`${what} reaches the wire byte for byte as ${path}`, async () => {
        const body = await sentBody(path, bytes);
        assert.equal(JSON.parse(body).type, "file");
        assert.equal(Buffer.compare(written(body), bytes), 0);
      });
    }
  }

  it("any bytes are restored from their body", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        assert.equal(Buffer.compare(written(await sentBody("x.dat", bytes)), bytes), 0);
      }),
      { numRuns: 200 },
    );
  });

  // Proves 2.3: a notebook's content has cells, metadata, nbformat, and nbformat_minor
  // Proves 4.2: Type and format follow from the extension
  it("sends a valid notebook as a notebook with its unchanged text and every digit of its numbers", async () => {
    const body = await sentBody("a.ipynb", Buffer.from(notebookText));
    assert.equal(body, `{"type":"notebook","format":"json","content":${notebookText}}`);
    assert.equal(JSON.parse(body).content.metadata["$&"], "$1 $$");
  });

  it("inserts a JSON text in its place, even next to similar strings", async () => {
    const fake = fakePlatform(() => json(200, item("a")));
    const content = new JsonText(notebookText);
    await fake.content.call(updateContent, {
      path: "a.ipynb",
      body: { type: "notebook", format: "json", content, before: '"0"', after: new JsonText("1.0") },
    });
    assert.equal(
      fake.requests[0]?.body,
      `{"type":"notebook","format":"json","content":${notebookText},"before":"\\"0\\"","after":1.0}`,
    );
  });

  const notNotebooks: readonly (readonly [string, string])[] = [
    ["invalid JSON", "{"],
    ["conflict marks", `<<<<<<< mine\n${notebookText}`],
    ["NaN", notebookText.replace("1.0", "NaN")],
    ["a byte order mark", `\ufeff${notebookText}`],
    ["nbformat 3", '{"metadata": {}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": []}]}'],
    ["no cells", '{"metadata": {}, "nbformat": 4, "nbformat_minor": 5}'],
    ["cells that are no list", '{"cells": {}, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'],
    ["another JSON", '["nbformat"]'],
    ["a number", "4"],
    ["nothing", ""],
  ];
  for (const [what, text] of notNotebooks) {
    it(`sends an .ipynb with ${what} as an unchanged text file`, async () => {
      assert.equal(isNotebookText(text), false);
      const body = JSON.parse(await sentBody("a.ipynb", Buffer.from(text)));
      assert.deepEqual(body, { type: "file", format: "text", content: text });
    });
  }

  it("sends a notebook's text under another name as a text file", async () => {
    assert.equal(JSON.parse(await sentBody("a.json", Buffer.from(notebookText))).type, "file");
  });

  it("converts content to bytes, and never converts unreliable content to an empty file", () => {
    const pixels = Uint8Array.from({ length: 200 }, (_, index) => index);
    const wrapped = Buffer.from(pixels)
      .toString("base64")
      .replace(/(.{76})/g, "$1\n");
    assert.equal(Buffer.compare(bytesOf({ content: wrapped, format: "base64" }) ?? new Uint8Array(), pixels), 0);
    assert.equal(
      Buffer.from(bytesOf({ content: "\ufeffü\r\n", format: "text" }) ?? []).toString("hex"),
      "efbbbfc3bc0d0a",
    );
    assert.equal(bytesOf({ content: "", format: "text" })?.byteLength, 0);
    assert.equal(Buffer.from(bytesOf({ content: "aGVsbG8", format: "base64" }) ?? []).toString(), "hello");
    for (const content of ["h\u00e9llo", "a", "aGVsbG8=and more", "{}", "<html>"]) {
      assert.equal(bytesOf({ content, format: "base64" }), undefined, content);
    }
    for (const content of [null, undefined, { cells: [] }, [], 7]) {
      assert.equal(bytesOf({ content, format: "json" }), undefined);
    }
  });

  it("distinguishes text from bytes only by UTF-8", () => {
    assert.equal(decodedText(Buffer.from("\ufeffa")), "\ufeffa");
    assert.equal(decodedText(Buffer.from([0xff])), undefined);
  });
});
