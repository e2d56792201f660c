import assert from "node:assert/strict";
import fc from "fast-check";
import {
  acceptedPath,
  encodeContentPath,
  encodeSegment,
  InputError,
  isContentPath,
  isHiddenPath,
  isNotebookPath,
  joinPath,
  nameOf,
  normalizeContentPath,
  parentOf,
  splitExtension,
} from "../../../../src/api/catalogue/content-path.ts";
import { listCheckpoints, restoreCheckpoint } from "../../../../src/api/catalogue/operations/checkpoints.ts";
import { getContent } from "../../../../src/api/catalogue/operations/contents.ts";
import { updateDataflow } from "../../../../src/api/catalogue/operations/notebooks.ts";
import { getWorkspace, stopInstance } from "../../../../src/api/catalogue/operations/workspaces.ts";
import { Client } from "../../../../src/api/client/client.ts";
import { PlatformCredential } from "../../../../src/api/http/credentials.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { PlatformError } from "../../../../src/api/http/errors.ts";
import { singleUserLimits } from "../../../../src/api/http/response-limits.ts";
import {
  contentBase,
  contentPathOf,
  empty,
  failureOf,
  fakePlatform,
  item,
  json,
  origin,
  secret,
} from "../fake-platform.ts";

const segment = fc
  .string({ unit: "binary", minLength: 1, maxLength: 20 })
  .filter((text) => !/[/\0]/.test(text) && text.isWellFormed() && text !== "." && text !== "..");
const contentPath = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join("/"));
/** Texts that try to leave their position in an address. */
const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "..",
    ".",
    "../..",
    "%2e%2e",
    "a/../b",
    "a\\..\\b",
    "//evil.example.com",
    "?x=1",
    "#f",
    "a;b=c",
    "@x:9",
  ),
  fc
    .array(fc.constantFrom("..", ".", "/", "\\", "?", "#", "%2F", "%", "a", "\0", "\ud800", "é"))
    .map((all) => all.join("")),
);

describe("content paths", () => {
  it("survive a round trip through a URL with any Unicode", () => {
    fc.assert(
      fc.property(contentPath, (path) => {
        const url = new URL(`${contentBase.href}api/contents/${encodeContentPath(path, "path")}`);
        assert.equal(url.pathname.startsWith(`${contentBase.pathname}api/contents/`), true);
        const segments = url.pathname.slice(`${contentBase.pathname}api/contents/`.length).split("/");
        assert.equal(segments.map(decodeURIComponent).join("/"), path);
        assert.equal(url.search + url.hash, "");
      }),
      { numRuns: 500 },
    );
  });

  it("are split into their parts and joined from them", () => {
    fc.assert(fc.property(contentPath, (path) => assert.equal(joinPath(parentOf(path), nameOf(path)), path)));
    assert.equal(parentOf("top.py"), "");
    assert.equal(nameOf("top.py"), "top.py");
  });

  const normalized: readonly (readonly [string, string])[] = [
    ["", ""],
    ["/", ""],
    ["./", ""],
    ["./a/b", "a/b"],
    ["/a//b/", "a/b"],
    ["a", "a"],
    [".hidden/..x/...", ".hidden/..x/..."],
  ];
  for (const [given, expected] of normalized) {
    it(`"${given}" is "${expected}"`, () => assert.equal(normalizeContentPath(given), expected));
  }

  for (const path of ["..", "../a", "a/..", "a/../b", "a/./b", "./../a"]) {
    it(`rejects "${path}" and names the place`, () => {
      assert.throws(
        () => normalizeContentPath(path, "old_path"),
        (error) => {
          assert.equal(error instanceof InputError && error.field === "old_path" && error.message.includes(path), true);
          return true;
        },
      );
      assert.equal(isContentPath(path), false);
    });
  }

  it("rejects NUL, lone surrogates, and an invalid segment", () => {
    for (const text of ["a\0b", "\ud800", "x\udc00y", "", ".", ".."]) {
      assert.throws(() => encodeSegment(text, "id"), InputError, JSON.stringify(text));
    }
    assert.equal(isContentPath("dir/a\0b"), false);
    assert.equal(isContentPath("dir/\ud83d"), false);
    assert.equal(isContentPath("dir/😀"), true);
  });

  it("are accepted in canonical form; others fail like an operation with that name and path", () => {
    const accept = (path: string): string => acceptedPath(path, "contentPath", `Can't list ${path}`, "contents.list");
    assert.equal(accept("./a//b c/"), "a/b c");
    for (const [path, reason] of [
      ["a/../b", 'contentPath: the path "a/../b" contains ".."; enter the path from the workspace root'],
      ["a\0b", "contentPath: it has a character that isn't allowed in names"],
    ] as const) {
      assert.throws(
        () => accept(path),
        (error) => {
          assert.ok(error instanceof PlatformError);
          const { kind, failureCause, entity, operationId } = error;
          assert.deepEqual(
            [kind, failureCause, entity, operationId],
            ["request", { type: "input", field: "contentPath" }, path, "contents.list"],
          );
          assert.deepEqual([error.failure, error.reason], [`Can't list ${path}`, reason]);
          return true;
        },
      );
    }
  });

  it("name the parameter and the segment for which they are rejected", () => {
    assert.throws(() => normalizeContentPath(".."), { name: "InputError", field: "path" });
    assert.throws(() => encodeSegment("..", "id"), { field: "id", message: '".." can\'t be part of an address' });
  });

  // Proves 4.1: Path parameters are strings, each a single segment
  it("keeps a segment a single segment", () => {
    assert.equal(encodeSegment("a/b?c#d%e", "id"), "a%2Fb%3Fc%23d%25e");
  });
});

describe("addresses of operations", () => {
  it("contain every parameter in its position, or are rejected", async () => {
    const fake = fakePlatform(() => json(200, item("a")));
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (path, checkpointId) => {
        const before = fake.requests.length;
        try {
          await fake.content.raw(restoreCheckpoint, { path, checkpointId });
        } catch (error) {
          assert.equal(fake.requests.length, before, "a refused input was sent");
          const failure = await failureOf(Promise.reject(error));
          assert.equal(failure.kind, "request");
          assert.equal(failure.failureCause.type, "input");
          return;
        }
        const sent = fake.requests.at(-1);
        assert.notEqual(sent, undefined);
        const url = new URL(`${sent?.origin}${sent?.path}`);
        assert.equal(`${url.pathname}${url.search}`, sent?.path, "the path is not in its final form");
        const parts = url.pathname.split("/");
        assert.deepEqual(parts.slice(0, 6), ["", "user", "alice", "4f7c21aa", "api", "contents"]);
        assert.equal(parts.at(-2), "checkpoints");
        assert.equal(decodeURIComponent(parts.at(-1) ?? ""), checkpointId);
        assert.equal(parts.slice(6, -2).map(decodeURIComponent).join("/"), normalizeContentPath(path));
      }),
      { numRuns: 600 },
    );
    assert.ok(fake.requests.length > 100 && fake.requests.length < 600, `${fake.requests.length} of 600 were sent`);
  });

  it("contain both ids of an instance in their positions", async () => {
    const fake = fakePlatform(() => empty(204));
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (workspaceId, instanceId) => {
        const before = fake.requests.length;
        try {
          await fake.platform.call(stopInstance, { workspaceId, instanceId });
        } catch (error) {
          assert.equal(fake.requests.length, before);
          assert.equal((await failureOf(Promise.reject(error))).kind, "request");
          return;
        }
        const path = new URL(`${origin}${fake.requests.at(-1)?.path}`).pathname.split("/");
        assert.equal(path.length, 8);
        assert.deepEqual(path.slice(0, 5), ["", "api", "datascience", "v1", "workspaces"]);
        assert.deepEqual(
          [path[5], path[7]].map((part) => decodeURIComponent(part ?? "")),
          [workspaceId, instanceId],
        );
      }),
      { numRuns: 300 },
    );
  });

  // Proves 4.2: A leading `./` is dropped
  it("read the root without a trailing slash, and drop a leading ./", async () => {
    const fake = fakePlatform((request) => json(200, item(contentPathOf(request), "directory", [])));
    await fake.content.call(getContent, { path: "" });
    await fake.content.call(getContent, { path: "./a b/ü%.py", content: 0, type: "file", format: "text", hash: 1 });
    await fake.content.call(listCheckpoints, { path: "x/checkpoints" }).catch(() => {});
    assert.deepEqual(
      fake.requests.map(({ path }) => path),
      [
        "/user/alice/4f7c21aa/api/contents",
        "/user/alice/4f7c21aa/api/contents/a%20b/%C3%BC%25.py?content=0&type=file&format=text&hash=1",
        "/user/alice/4f7c21aa/api/contents/x/checkpoints/checkpoints",
      ],
    );
  });

  // Proves 4.2: PUT a notebook's dataflow takes an object of the API's own form
  it("use the dialect's segment for the dataflow", async () => {
    const fake = fakePlatform(() => json(200, {}));
    await fake.content.call(updateDataflow, { workspaceId: "w/1", notebookId: "n?2", body: {} });
    assert.equal(
      fake.requests[0]?.path,
      "/user/alice/4f7c21aa/services/platform/v1/workspaces/w%2F1/notebooks/n%3F2/dataflow",
    );
  });

  // Proves 1: Paths are relative to the base address of the tenant, one per tenant
  it("keep a base address's own path", async () => {
    for (const [base, path] of [
      [origin, ""],
      [`${origin}/tenants/acme`, "/tenants/acme"],
      [`${origin}/tenants/acme/`, "/tenants/acme"],
    ] as const) {
      const fake = fakePlatform(() => json(200, { id: "w" }));
      const credential = new PlatformCredential(origin, secret);
      const destination = { kind: "platform", base: new URL(base), dialect: dialects.documented, credential } as const;
      const platform = new Client({ ...destination, limits: singleUserLimits }, fake.transport);
      await platform.call(getWorkspace, { workspaceId: "w" });
      assert.equal(fake.requests[0]?.origin, origin);
      assert.equal(fake.requests[0]?.path, `${path}/api/datascience/v1/workspaces/w`);
    }
  });
});

describe("the parts of a content path", () => {
  it("are its name, its parent, and the stem and extension of the name", () => {
    assert.deepEqual([nameOf("a/b/c.tar.gz"), parentOf("a/b/c.tar.gz")], ["c.tar.gz", "a/b"]);
    assert.deepEqual(splitExtension("c.tar.gz"), ["c.tar", ".gz"]);
    assert.deepEqual(splitExtension(".gitignore"), [".gitignore", ""]);
    assert.deepEqual(splitExtension("Makefile"), ["Makefile", ""]);
    assert.deepEqual(splitExtension("end."), ["end", "."]);
  });

  it("identify notebooks and hidden items", () => {
    assert.deepEqual([isNotebookPath("a/B.IPYNB"), isNotebookPath("a.ipynb/b.py")], [true, false]);
    assert.deepEqual(
      ["a/.git/config", ".a", "a/b.c", ""].map((path) => isHiddenPath(path)),
      [true, true, false, false],
    );
  });
});
