import assert from "node:assert/strict";
import { previewHtml } from "../../../../src/features/export/preview.ts";

describe("the preview of an exported page", () => {
  it("has the page in a frame without any permission, and loads nothing", () => {
    const page = '</iframe><script src="https://example.com/a.js"></script>"><img src=x onerror=alert(1)>';
    const html = previewHtml(page, '<b>"a".ipynb');
    assert.match(html, /content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:;/);
    assert.match(html, /<iframe sandbox title="/);
    assert.doesNotMatch(html, /<script|<img|<b>|allow-/);
    assert.equal(html.match(/<\/iframe>/g)?.length, 1);
  });
});
