import assert from "node:assert/strict";
import { type FailureCause, PlatformError } from "../../../../src/api/http/errors.ts";
import type { CopyKind } from "../../../../src/file-system/versions/editor-versions.ts";
import { UnconfirmedSaves } from "../../../../src/file-system/write/unconfirmed-saves.ts";

const base = { lastModified: "2026-01-01T00:00:00Z", size: 1 };
const newer = { lastModified: "2026-01-02T00:00:00Z", size: 2 };
const broken: FailureCause = { type: "network", reachedServer: true, code: "ECONNRESET" };
const unsent: FailureCause = { type: "network", reachedServer: false, code: "ECONNREFUSED" };

function failure(cause: FailureCause): PlatformError {
  return new PlatformError({
    kind: "request",
    cause,
    failure: "Can't save book.ipynb",
    entity: "book.ipynb",
    operationId: "contents.update",
    reason: "the connection broke",
  });
}

describe("saves with an unknown outcome", () => {
  let saves: UnconfirmedSaves;

  beforeEach(() => {
    saves = new UnconfirmedSaves();
  });

  async function save(path: string, text: string, cause?: FailureCause): Promise<void> {
    const sent = { bytes: Buffer.from(text), kind: "notebook" as const, base };
    const write = async (): Promise<string> => {
      if (cause !== undefined) throw failure(cause);
      return "written";
    };
    const saving = saves.follow(path, sent, write);
    await (cause === undefined ? saving : assert.rejects(saving, { reason: "the connection broke" }));
  }
  const sent = (path: string, from = base, kind: CopyKind | undefined = "notebook"): string | undefined =>
    saves.sentFrom(path, kind, from)?.toString();

  it("are kept until the file is written", async () => {
    await save("a", "one", broken);
    await save("a", "two", broken);
    assert.deepEqual([sent("a"), sent("b")], ["two", undefined]);
    await save("a", "three", unsent);
    assert.equal(sent("a"), "two");
    await save("a", "four");
    assert.equal(sent("a"), undefined);
  });

  it("apply only to the copy from which they were sent", async () => {
    await save("a", "one", broken);
    assert.deepEqual([sent("a", newer), saves.sentFrom("a", "notebook", undefined)], [undefined, undefined]);
    assert.deepEqual([sent("a", base, "text"), saves.sentFrom("a", undefined, base)], [undefined, undefined]);
    assert.equal(sent("a"), "one");
  });

  it("aren't needed for a version that differs from a base without hash only in its date", async () => {
    const later = { ...base, lastModified: "2026-01-03T00:00:00Z" };
    const hash = { algorithm: "sha256", value: "ab" };
    for (const [from, server, now, isOwn] of [
      [base, later, "base", true],
      [base, later, "other", false],
      [base, newer, "base", false],
      [{ ...base, hash }, later, "base", true],
      [{ ...base, hash }, later, "other", false],
      [{ ...base, hash }, { ...later, hash: { ...hash, value: "cd" } }, "base", false],
    ] as const) {
      const rebased: unknown[] = [];
      const parts = {
        contents: { peek: async () => ({ bytes: Buffer.from(now), version: server, item: { name: "a", path: "a" } }) },
        models: { includes: () => false },
        versions: {
          baseContent: () => Buffer.from("base"),
          baseOf: () => from,
          rebase: (_: string, version: unknown) => rebased.push(version),
        },
      };
      assert.equal(await saves.takeOwn(parts, "a", server, { kind: "notebook" }), isOwn);
      assert.deepEqual(rebased, isOwn ? [server] : []);
    }
  });

  it("are not kept if the request never reached the server", async () => {
    await save("a", "one", unsent);
    assert.equal(sent("a"), undefined);
  });

  it("are limited in number and size", async () => {
    for (let index = 0; index < 25; index += 1) {
      await save(`${index}`, "small", broken);
    }
    assert.deepEqual([sent("4"), sent("5"), sent("24")], [undefined, "small", "small"]);
    await save("5", "x".repeat(16_000_001), broken);
    assert.equal(sent("5"), undefined);
  });
});
