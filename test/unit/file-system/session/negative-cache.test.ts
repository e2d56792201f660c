import assert from "node:assert/strict";
import type { ContentItem } from "../../../../src/api/catalogue/models/contents.ts";
import { PlatformError } from "../../../../src/api/http/errors.ts";
import { FileError } from "../../../../src/file-system/errors.ts";
import { ExplorerRevalidation } from "../../../../src/file-system/session/explorer-revalidation.ts";
import { ListingCache } from "../../../../src/file-system/session/listing-cache.ts";
import { isProbe, NegativeCache } from "../../../../src/file-system/session/negative-cache.ts";

function item(path: string, type: string): ContentItem {
  return { name: path, path, type, last_modified: "2026-01-01T00:00:00Z", size: 1 };
}

describe("the negative cache", () => {
  let now: number;
  let cache: ListingCache;
  let revalidation: ExplorerRevalidation;
  let negativeCache: NegativeCache;

  beforeEach(() => {
    now = 1_000_000;
    cache = new ListingCache(() => now);
    revalidation = new ExplorerRevalidation(() => now);
    negativeCache = new NegativeCache(cache, revalidation);
    cache.setListing(item("", "directory"), [item("a.txt", "file"), item("folder", "directory")], now);
  });

  it("treats paths with a leading dot in a segment as probes", () => {
    const paths = [".mcp.json", ".vscode/settings.json", "folder/.git/config", "a.txt", "folder/b.c"];
    assert.deepEqual(paths.map(isProbe), [true, true, true, false, false]);
  });

  it("uses old entries for folders and probes while the editor revalidates, but not for files", () => {
    now += ListingCache.freshMs + 1;
    assert.equal(negativeCache.lookUp(".mcp.json").type, "unknown");
    revalidation.fileOpened("folder/b.txt");
    assert.equal(negativeCache.lookUp("folder").type, "present");
    revalidation.filesChanged([{ type: "created", path: "c.txt" }]);
    assert.equal(negativeCache.lookUp(".mcp.json").type, "absent");
    assert.equal(negativeCache.lookUp("a.txt").type, "unknown");
  });

  it("caches a 404, but no other failure", async () => {
    const failWith = (status: number): Promise<never> =>
      Promise.reject(
        new PlatformError({
          kind: "retrieval",
          cause: { type: "status", status },
          failure: "Can't read a.txt",
          entity: "a.txt",
          operationId: "contents.items.get",
          reason: `status ${status}`,
        }),
      );
    await assert.rejects(
      negativeCache.request("a.txt", () => failWith(503)),
      PlatformError,
    );
    assert.equal(negativeCache.lookUp("a.txt").type, "present");
    await assert.rejects(
      negativeCache.request("a.txt", () => failWith(404)),
      (error) => error instanceof FileError && error.kind === "notFound" && error.path === "a.txt",
    );
    assert.equal(negativeCache.lookUp("a.txt").type, "absent");
    assert.equal(await negativeCache.request("a.txt", async () => "content"), "content");
  });
});
