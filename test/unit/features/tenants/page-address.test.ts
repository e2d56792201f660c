import assert from "node:assert/strict";
import { originOfPage } from "../../../../src/features/tenants/page-address.ts";

describe("a pasted address", () => {
  it("of a page, with a query or a fragment, is reduced to its origin", () => {
    for (const [typed, origin] of [
      ["https://acme.example.com/page/1?next=2", "https://acme.example.com"],
      [" acme.example.com/page#top", "https://acme.example.com"],
      ["http://127.0.0.1:8080/#", undefined],
      ["https://acme.example.com/platform", undefined],
      ["https://alice:secret@acme.example.com/?a=1", undefined],
      ["not an address?", undefined],
    ] as const) {
      assert.equal(originOfPage(typed), origin, typed);
    }
  });
});
