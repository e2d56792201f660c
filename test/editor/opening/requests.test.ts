import assert from "node:assert/strict";
import * as vscode from "vscode";
import { outside, requestsOf } from "../outside.ts";

describe("opening a window on a workspace folder", () => {
  it("costs at most 2 requests: where the content server is, and the folder's listing", async () => {
    const shown = outside.tenants.find((tenant) => tenant.tenantId === "jupyter");
    assert.ok(shown !== undefined);
    await vscode.extensions.getExtension("platform-workbench.platform-workbench")?.activate();
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    const requests = await requestsOf(shown);
    console.log(`      opening the window: ${requests.length} requests (${requests.join(", ")})`);
    assert.ok(requests.length >= 1 && requests.length <= 2, requests.join("\n"));
  });
});
