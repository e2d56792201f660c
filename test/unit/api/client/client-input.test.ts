import assert from "node:assert/strict";
import {
  createContent,
  getContent,
  renameContent,
  updateContent,
} from "../../../../src/api/catalogue/operations/contents.ts";
import {
  getSettings,
  getWorkspace,
  searchWorkspaces,
  updateWorkspace,
} from "../../../../src/api/catalogue/operations/workspaces.ts";
import { Client } from "../../../../src/api/client/client.ts";
import { createItem } from "../../../../src/api/content-server/contents.ts";
import { deleteTree } from "../../../../src/api/content-server/deletion.ts";
import { listRecursively } from "../../../../src/api/content-server/listing.ts";
import { NotebookToken, PlatformCredential } from "../../../../src/api/http/credentials.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import type { PlatformError } from "../../../../src/api/http/errors.ts";
import { singleUserLimits } from "../../../../src/api/http/response-limits.ts";
import { bodyOf, contentBase, failureOf, fakePlatform, item, json, origin, secret } from "../fake-platform.ts";

const fake = fakePlatform(() => json(200, {}));
/** An input that the compiler would reject, but that a command, a setting, or plain JavaScript may pass anyway. */
const unchecked = (input: object): never => input as never;

interface BadInput {
  readonly what: string;
  readonly field: string;
  readonly message: RegExp;
  run(): Promise<unknown>;
}

const bad: readonly BadInput[] = [
  {
    what: "a path with ..",
    field: "path",
    message: /Can't read \.\.\/secrets: path: .*"\.\."/,
    run: () => fake.content.call(getContent, { path: "../secrets" }),
  },
  { what: "no path", field: "path", message: /string/, run: () => fake.content.call(getContent, unchecked({})) },
  {
    what: "a path that is a number",
    field: "path",
    message: /string/,
    run: () => fake.content.call(getContent, unchecked({ path: 7 })),
  },
  {
    what: "a path with NUL",
    field: "path",
    message: /character/,
    run: () => fake.content.call(getContent, { path: "a\0b" }),
  },
  {
    what: "a path too long for an address",
    field: "path",
    message: /path: it must be at most 16000 characters long/,
    run: () => fake.content.call(getContent, { path: "a".repeat(16_001) }),
  },
  {
    what: "a query parameter too long for an address",
    field: "type",
    message: /type: it must be at most 16000 characters long/,
    run: () => fake.content.call(getContent, unchecked({ path: "a", type: "a".repeat(16_001) })),
  },
  {
    what: "content=2",
    field: "content",
    message: /content: /,
    run: () => fake.content.call(getContent, unchecked({ path: "a", content: 2 })),
  },
  {
    what: "an unknown type",
    field: "type",
    message: /one of notebook, file, directory/,
    run: () => fake.content.call(getContent, unchecked({ path: "a", type: "folder" })),
  },
  { what: "deleting the root", field: "path", message: /empty/, run: () => deleteTree(fake.content, "./") },
  { what: "deleting outside", field: "path", message: /"\.\."/, run: () => deleteTree(fake.content, "a/../..") },
  {
    what: "listing outside",
    field: "contentPath",
    message: /"\.\."/,
    run: () => listRecursively(fake.content, { contentPath: "../x" }),
  },
  {
    what: "creating the root",
    field: "path",
    message: /the workspace root already exists/,
    run: () => createItem(fake.content, "/", undefined),
  },
  {
    what: "creating outside",
    field: "path",
    message: /Can't create \.\.\/x\.py/,
    run: () => createItem(fake.content, "../x.py", undefined),
  },
  {
    what: "creating a name with NUL",
    field: "path",
    message: /character/,
    run: () => createItem(fake.content, "x\0.py", undefined),
  },
  {
    what: "creating a name with half a character",
    field: "path",
    message: /character/,
    run: () => createItem(fake.content, "x\ud83d.py", undefined),
  },
  {
    what: "an unknown create type",
    field: "body.type",
    message: /body/,
    run: () => fake.content.call(createContent, unchecked({ parentPath: "", body: { type: "link", path: "" } })),
  },
  {
    what: "copying from outside",
    field: "body.copy_from",
    message: /isn't a path within the workspace/,
    run: () =>
      fake.content.call(createContent, {
        parentPath: "",
        body: { type: "file", path: "", copy_from: "../../etc/passwd" },
      }),
  },
  {
    what: "renaming to outside",
    field: "body.path",
    message: /isn't a path within the workspace/,
    run: () => fake.content.call(renameContent, { oldPath: "a", body: { path: "../b" } }),
  },
  {
    what: "renaming to nothing",
    field: "body.path",
    message: /empty/,
    run: () => fake.content.call(renameContent, { oldPath: "a", body: { path: "./" } }),
  },
  {
    what: "renaming the root",
    field: "oldPath",
    message: /empty/,
    run: () => fake.content.call(renameContent, { oldPath: "", body: { path: "b" } }),
  },
  {
    what: "an empty workspace id",
    field: "workspaceId",
    message: /empty/,
    run: () => fake.platform.call(getWorkspace, { workspaceId: "" }),
  },
  {
    what: "a workspace id that climbs",
    field: "workspaceId",
    message: /address/,
    run: () => fake.platform.call(getWorkspace, { workspaceId: ".." }),
  },
  {
    what: "a configuration that is a list",
    field: "body",
    message: /record/,
    run: () => fake.platform.call(updateWorkspace, unchecked({ workspaceId: "w", body: [] })),
  },
  {
    what: "no configuration",
    field: "body",
    message: /body/,
    run: () => fake.platform.call(updateWorkspace, unchecked({ workspaceId: "w" })),
  },
  {
    what: "a page of 0",
    field: "body.limit",
    message: /at least 1/,
    run: () => fake.platform.call(searchWorkspaces, { body: { limit: 0 } }),
  },
  {
    what: "a page of 101",
    field: "body.limit",
    message: /at most 100/,
    run: () => fake.platform.call(searchWorkspaces, { body: { limit: 101 } }),
  },
  {
    what: "an unknown search field",
    field: "body",
    message: /unknown fields: page/,
    run: () => fake.platform.call(searchWorkspaces, unchecked({ body: { page: 1 } })),
  },
];

describe("bad input", () => {
  for (const { what, field, message, run } of bad) {
    it(`${what}: is rejected by name, and nothing is sent`, async () => {
      const before = fake.requests.length;
      const failure = await failureOf(run());
      assert.equal(failure.kind, "request");
      assert.deepEqual(failure.failureCause, { type: "input", field });
      assert.match(failure.message, message);
      assert.equal(failure.response, undefined);
      assert.equal(fake.requests.length, before);
    });
  }
});

describe("credential kinds", () => {
  const transport = fakePlatform(() => json(200, {})).transport;
  const platformCredential = new PlatformCredential(origin, secret);
  const token = new NotebookToken(origin, secret);
  const base = contentBase;
  const dialect = dialects.documented;

  async function refused(
    client: { call(...all: readonly never[]): Promise<unknown> },
    operation: object,
  ): Promise<PlatformError> {
    return failureOf(client.call(...([operation, { path: "a" }] as unknown as readonly never[])));
  }

  // Proves 5.2: any other kind of authentication is rejected
  it("a content server never gets a platform credential, even if the types are bypassed", async () => {
    const client = new Client(
      { kind: "notebook", base, dialect, credential: platformCredential as never, limits: singleUserLimits },
      transport,
    );
    const failure = await refused(client, getContent);
    assert.equal(failure.kind, "request");
    assert.deepEqual(failure.failureCause, { type: "credential", expected: "notebook" });
    assert.match(failure.message, /requires the notebook credential, but got the platform credential/);
  });

  // Proves 5.2: the content server takes the notebook token, a kind of its own
  it("the platform never gets a notebook token", async () => {
    const client = new Client(
      { kind: "platform", base, dialect, credential: token as never, limits: singleUserLimits },
      transport,
    );
    assert.deepEqual((await refused(client, getSettings)).failureCause, { type: "credential", expected: "platform" });
  });

  // Proves 5.1: platform endpoints take a credential that belongs to one tenant
  it("other origins get neither, and nothing is sent", async () => {
    const elsewhere = fakePlatform(() => json(200, {}));
    for (const address of ["https://acme.example.com:8443/", "http://acme.example.com/", "https://evil.example.com/"]) {
      const client = new Client(
        { kind: "notebook", base: new URL(address), dialect, credential: token, limits: singleUserLimits },
        elsewhere.transport,
      );
      const platform = new Client(
        { kind: "platform", base: new URL(address), dialect, credential: platformCredential, limits: singleUserLimits },
        elsewhere.transport,
      );
      for (const call of [client.call(getContent, { path: "a" }), platform.call(getSettings, {})]) {
        const failure = await failureOf(call);
        assert.equal(failure.kind, "request");
        assert.equal(failure.failureCause.type, "credential");
        assert.match(failure.message, /confirmed only for https:\/\/acme\.example\.com/);
      }
      const socket = { headers: {}, signal: new AbortController().signal, idleLimit: 1000 };
      await assert.rejects(client.openSocket("api/kernels/k/channels", socket), /confirmed only for/);
    }
    assert.equal(elsewhere.requests.length, 0);
  });
});

describe("bodies", () => {
  // Proves 2.3: the Rename body has the new full path
  it("contain normalized paths", async () => {
    const sent = fakePlatform(() => json(201, { name: "a", path: "a", type: "file" }));
    await sent.content.call(renameContent, { oldPath: "./x", body: { path: "./dir//a.py" } });
    await sent.content.call(createContent, { parentPath: "./dir", body: { type: "file", path: "./dir" } });
    await sent.content.call(createContent, {
      parentPath: "",
      body: { type: "file", path: "dir", copy_from: "/dir/a.py" },
    });
    assert.deepEqual(
      sent.requests.map(({ body }) => body),
      ['{"path":"dir/a.py"}', '{"type":"file","path":"dir"}', '{"type":"file","path":"dir","copy_from":"dir/a.py"}'],
    );
    assert.equal(sent.requests[0]?.headers["content-type"], "application/json");
  });

  // Proves 4.2: A complete Update body is sent unchanged
  it("use the defaults of a search, and a caller's complete Update body unchanged", async () => {
    const sent = fakePlatform(() => json(200, { workspaces: [], name: "a", path: "a", type: "file" }));
    await sent.platform.call(searchWorkspaces, { body: {} });
    const body = { type: "file", format: "text", content: "x", chunk: 1, extra: { kept: [1, null] } } as const;
    await sent.content.call(updateContent, { path: "a.txt", body });
    assert.equal(
      sent.requests[0]?.body,
      '{"limit":50,"offset":0,"sortFieldMap":{"LAST_RUN":"DESC"},"searchFieldMap":{},"filters":[]}',
    );
    assert.equal(sent.requests[1]?.body, JSON.stringify(body));
  });

  // Proves 4.2: A complete Update body is sent unchanged
  it("accept a complete Update body in any other format, unchanged", async () => {
    const sent = fakePlatform(() => json(200, { name: "a", path: "a", type: "file" }));
    const bodies = [
      { type: "notebook", format: "json", content: { cells: "none" } },
      { type: "file", format: "json", content: "" },
      { type: "directory" },
      { content: "x", format: "text", novel: 1, type: "file" },
      { content: [1, { b: null, a: 2 }], novel: true },
      {},
    ];
    for (const body of bodies) {
      await sent.content.call(updateContent, { path: "a", body });
    }
    assert.deepEqual(
      sent.requests.map(({ body }) => body),
      bodies.map((body) => JSON.stringify(body)),
    );
    const failure = await failureOf(sent.content.call(updateContent, unchecked({ path: "a", body: "text" })));
    assert.equal(failure.kind, "request");
  });
});

describe("a raw Create body", () => {
  it("is sent with its unknown members", async () => {
    const raw = fakePlatform(() => json(201, item("untitled.txt")));
    const body = { type: "file", path: "data", template: { id: 7 } } as const;
    await raw.content.call(createContent, { parentPath: "data", body });
    assert.deepEqual(bodyOf(raw.requests[0] ?? assert.fail()), body);
  });
});
