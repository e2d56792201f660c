import assert from "node:assert/strict";
import { checkBaseUrl } from "../../../src/tenants/base-url.ts";

describe("a tenant's address", () => {
  it("is an origin with an optional path, with HTTPS by default", () => {
    for (const [typed, address] of [
      [" https://acme.example.com/ ", "https://acme.example.com"],
      ["acme.example.com", "https://acme.example.com"],
      ["https://acme.example.com:8443/platform/", "https://acme.example.com:8443/platform"],
      ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
      ["http://localhost:8080/", "http://localhost:8080"],
    ] as const) {
      assert.deepEqual(checkBaseUrl(typed), { valid: true, baseUrl: address });
    }
  });

  it("that can't be used is rejected with a message", () => {
    for (const [typed, words] of [
      ["", /Enter the tenant's address/],
      ["not an address", /isn't an address/],
      ["https://", /isn't an address/],
      ["http://acme.example.com", /unencrypted/],
      ["http://127.0.0.1.example.com", /unencrypted/],
      ["ftp://acme.example.com", /can't be used/],
      ["https://alice:secret@acme.example.com", /user name and password/],
      ["https://acme.example.com/?next=1", /address of a page/],
      ["https://acme.example.com/#top", /address of a page/],
    ] as const) {
      const checked = checkBaseUrl(typed);
      assert.equal(checked.valid, false, typed);
      assert.match(checked.valid ? "" : String(checked.reason), words);
      assert.doesNotMatch(checked.valid ? "" : String(checked.reason), /alice|secret/);
    }
  });
});
