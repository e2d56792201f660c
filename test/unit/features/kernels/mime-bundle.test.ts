import assert from "node:assert/strict";
import { mimeItems, sizeOf } from "../../../../src/features/kernels/output/mime-bundle.ts";

const decoded = (data: Uint8Array): string => new TextDecoder().decode(data);

describe("the items of a MIME bundle", () => {
  it("are in the editor's order, richest first", () => {
    const items = mimeItems({
      "text/plain": "p",
      "application/x-custom": "c",
      "image/png": "aGk=",
      "text/html": "h",
      "application/vnd.plotly.v1+json": { data: [] },
      "text/markdown": "m",
      "image/svg+xml": "<svg/>",
    });
    assert.deepEqual(
      items.map(({ mime }) => mime),
      [
        "application/vnd.plotly.v1+json",
        "text/html",
        "text/markdown",
        "image/png",
        "image/svg+xml",
        "text/plain",
        "application/x-custom",
      ],
    );
  });

  it("have an empty vendor type last, because it shows nothing", () => {
    const items = mimeItems({ "application/vnd.holoviews_load.v0+json": "", "text/html": "<b>" });
    assert.equal(items[0]?.mime, "text/html");
  });

  it("are bytes: images from base64, SVG and text as text, JSON as JSON", () => {
    const items = new Map(
      mimeItems({
        "image/png": Buffer.from([137, 80, 78, 71]).toString("base64"),
        "image/svg+xml": "<svg/>",
        "text/plain": ["a\n", "b"],
        "application/json": [1, "two"],
      }).map(({ mime, data }) => [mime, data]),
    );
    assert.deepEqual([...(items.get("image/png") ?? [])], [137, 80, 78, 71]);
    assert.equal(decoded(items.get("image/svg+xml") ?? new Uint8Array()), "<svg/>");
    assert.equal(decoded(items.get("text/plain") ?? new Uint8Array()), "a\nb");
    assert.equal(decoded(items.get("application/json") ?? new Uint8Array()), '[1,"two"]');
  });

  it("accept any value from a server instead of text", () => {
    const items = mimeItems({ "text/plain": null, "image/png": { no: "image" }, "text/html": 7 });
    assert.equal(items.length, 3);
    assert.equal(sizeOf({ "text/plain": null, "text/html": ["ab", "c"] }), 7);
  });
});
