import assert from "node:assert/strict";
import { lacksPictures, withoutPictures } from "../../../../../src/programs/front-door/mcp/notebook-pictures.ts";
import { pictureFrom, pictureOf } from "../../../../../src/programs/front-door/mcp/pictures.ts";

const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(100, 7)]);
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(50, 8)]);
const base64 = png.toString("base64");

describe("front door: pictures", () => {
  it("are recognized by their bytes, and not by what they are called", () => {
    assert.deepEqual(pictureOf(png), { mimeType: "image/png", data: base64 });
    assert.equal(pictureOf(jpeg)?.mimeType, "image/jpeg");
    assert.equal(pictureOf(Buffer.from("GIF89a\x01\x00", "latin1"))?.mimeType, "image/gif");
    assert.equal(pictureOf(Buffer.from("RIFF\x01\x02\x03\x04WEBPVP8 ", "latin1"))?.mimeType, "image/webp");
    for (const other of ["", "<svg/>", "RIFF\x01\x02\x03\x04WAVEfmt ", "\x89PNG"]) {
      assert.equal(pictureOf(Buffer.from(other, "latin1")), undefined, other);
    }
    assert.deepEqual(pictureFrom(`${base64.slice(0, 76)}\n${base64.slice(76)}\n`), {
      mimeType: "image/png",
      data: base64,
    });
    assert.equal(pictureFrom("bm90IGEgcGljdHVyZSBhdCBhbGw="), undefined);
  });

  it("of a notebook are left out of its text and numbered, and everything else stays as it is", () => {
    const notebook = (first: string, second: string): string =>
      `{"cells": [{"outputs": [{"data": {"image/png":${first}, "text/plain": "a"}, "n": 1.0}],
        "source": "x = '{\\"image/png\\": \\"${base64}\\"}'"},
        {"attachments": {"a.jpg": {"image/jpeg" : ${second}}}}], "big": 9007199254740993, "nbformat": 4}`;
    const lines = JSON.stringify([`${base64.slice(0, 76)}\n`, base64.slice(76)]).replace(",", " , ");
    const { text, pictures } = withoutPictures(notebook(lines, JSON.stringify(jpeg.toString("base64"))));
    assert.equal(
      text,
      notebook(
        '"[picture 1 left out by contents_read: image/png, 108 bytes]"',
        '"[picture 2 left out by contents_read: image/jpeg, 54 bytes]"',
      ),
    );
    assert.deepEqual(
      pictures.map(({ mimeType, data }) => [mimeType, data]),
      [
        ["image/png", base64],
        ["image/jpeg", jpeg.toString("base64")],
      ],
    );
    assert.equal(lacksPictures(text), true);
    assert.equal(lacksPictures(notebook('"a"', '"b"')), false);
  });

  it("that are something else stay in the text", () => {
    for (const value of ['"not base64!"', '"bm90IGEgcGljdHVyZQ=="', "[]", '""', "{}", "null", "[1]"]) {
      const text = `{"cells":[{"outputs":[{"data":{"image/png":${value}}}]}]}`;
      assert.deepEqual(withoutPictures(text), { text, pictures: [] });
    }
  });

  it("are found in linear time", () => {
    const hostile = [
      `{"image/png":${'["a" '.repeat(200_000)}`,
      `${"{ ".repeat(500_000)}`,
      `{"image/png":"${"A".repeat(3_000_000)}`,
      `{"image/png":[${'"AAAA",'.repeat(300_000)}`,
      `${`{"image/png":${" ".repeat(1000)}`.repeat(2000)}`,
    ];
    for (const text of hostile) assert.equal(withoutPictures(text).text, text);
  });
});
