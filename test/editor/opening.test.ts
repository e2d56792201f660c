import assert from "node:assert/strict";
import * as vscode from "vscode";
import { ListingCache } from "../../src/file-system/session/listing-cache.ts";
import { ask, outside, requestsMadeTo } from "./outside.ts";
import { until } from "./time.ts";

describe("opening a window on a workspace folder", () => {
  it("takes at most 2 requests: the location of the content server, and the folder's listing", async () => {
    const shown = outside.tenants.find((tenant) => tenant.tenantId === "jupyter");
    assert.ok(shown !== undefined);
    await vscode.extensions.getExtension("platform-workbench.platform-workbench")?.activate();
    await until("the first request", async () => (await requestsMadeTo(shown)).length > 0);
    await ask(shown, { type: "quiet", milliseconds: 8_000 });
    // A window that takes longer to open than its reads stay fresh may repeat them.
    const counted = new Map<string, number>();
    const requests = (await requestsMadeTo(shown)).filter(({ line, at }) => {
      const before = counted.get(line);
      const isExpired = before !== undefined && at - before >= ListingCache.freshMs;
      counted.set(line, at);
      return !isExpired;
    });
    console.log(
      `      opening the window: ${requests.length} requests (${requests.map(({ line, query }) => `${line} ${query}`).join(", ")})`,
    );
    assert.ok(requests.length >= 1 && requests.length <= 2, JSON.stringify(requests));
  });
});
