import assert from "node:assert/strict";
import { catalogue } from "../../../../src/api/catalogue/operations/catalogue.ts";
import { getContent } from "../../../../src/api/catalogue/operations/contents.ts";
import { getFileset } from "../../../../src/api/catalogue/operations/data.ts";
import { getDesign, listDesignVersions } from "../../../../src/api/catalogue/operations/designs.ts";
import { getNamespace, getSettings, getWorkspace } from "../../../../src/api/catalogue/operations/workspaces.ts";
import { PlatformError } from "../../../../src/api/http/errors.ts";
import { type FakePlatform, failureOf, fakePlatform, json } from "../fake-platform.ts";

type Call = (fake: FakePlatform) => Promise<unknown>;
type Response = Readonly<Record<string, unknown>>;

/** What the client says about a response: its errors and warnings. */
async function complaintsAbout(call: Call, response: unknown): Promise<readonly string[]> {
  const fake = fakePlatform(() => json(200, response));
  try {
    assert.deepEqual(await call(fake), response);
  } catch (error) {
    assert.ok(error instanceof PlatformError, String(error));
    return [error.message];
  }
  return fake.lines.filter((line) => line.startsWith("warn"));
}

/** Accepts the response as it is described, and notices each of these members with a wrong type. */
async function assertTyped(
  call: Call,
  described: Response,
  wrong: Response,
  wrapped = (one: Response): unknown => one,
) {
  assert.deepEqual(await complaintsAbout(call, wrapped(described)), []);
  for (const [name, value] of Object.entries(wrong)) {
    const complaints = (await complaintsAbout(call, wrapped({ ...described, [name]: value }))).join("\n");
    assert.match(complaints, new RegExp(`\\b${name}\\b`), `a wrong ${name} isn't noticed`);
  }
}

const content: Call = ({ content: client }) => client.call(getContent, { path: "a.py" });
const settings: Call = ({ platform }) => platform.call(getSettings, {});
const workspace: Call = ({ platform }) => platform.call(getWorkspace, { workspaceId: "w" });
const design: Call = ({ platform }) => platform.call(getDesign, { designId: "d" });
const versions: Call = ({ platform }) => platform.call(listDesignVersions, { designId: "d" });

describe("fields of the description", () => {
  // Proves 2.1: an item has a name and a path from the workspace root; the type is notebook, file, or directory
  // Proves 2.1: the size is a whole number, and `writable` is a Boolean; hash and hash algorithm are strings or null
  // Proves 2.1: the format is json, text, or null; the media type may be null
  it("of a content item have their types, and may be null as described", async () => {
    const time = "2025-11-18T16:42:05.104233Z";
    const item = {
      ...{ name: "a.py", path: "a.py", last_modified: time, created: time, content: "1", format: "text" },
      ...{ mimetype: "text/x-python", size: 1, writable: true, hash: "ab", hash_algorithm: "sha256", type: "file" },
    };
    await assertTyped(content, item, {
      ...{ name: 1, path: 1, last_modified: 1, created: 1, format: 1, mimetype: 1, size: "1", writable: "true" },
      ...{ hash: 1, hash_algorithm: 1, type: 1 },
    });
    const withoutContent = { ...item, content: null, format: null, mimetype: null, hash: null, hash_algorithm: null };
    assert.deepEqual(await complaintsAbout(content, withoutContent), []);
    for (const type of ["notebook", "directory"]) {
      assert.deepEqual(await complaintsAbout(content, { ...item, type, format: "json", content: [] }), []);
    }
  });

  // Proves 2.4: instance types are objects with CPUs and GB of memory; `isEnabled` is a Boolean
  // Proves 2.4: the signed-in user's instance types are listed next to all of them; kernels are a list of descriptors
  // Proves 2.4: limits, user access, and feature flags are objects of any content
  // Proves 2.4: locale and time zone are strings, and maintenance is an object
  it("of the instance settings have their types", async () => {
    const sizes = [{ cpu: 1, memory: 8 }];
    await assertTyped(
      settings,
      {
        ...{ instanceTypes: sizes, currentUserInstanceTypes: sizes, isEnabled: true, limits: { any: [1] } },
        ...{ userAccess: { any: null }, featureFlags: { any: "thing" }, notebookKernels: [{ kernel: "PYTHON_3_12" }] },
        ...{ locale: "en-US", timeZone: "Europe/Berlin", maintenance: { planned: true } },
      },
      {
        ...{ instanceTypes: [{ cpu: "1", memory: 8 }], currentUserInstanceTypes: [{ cpu: 1 }], isEnabled: "true" },
        ...{
          limits: 1,
          userAccess: 1,
          featureFlags: 1,
          notebookKernels: {},
          locale: 1,
          timeZone: 1,
          maintenance: "no",
        },
      },
    );
  });

  // Proves 2.5: a workspace has an ID, CPUs, and GB of memory; instance types have no name and no label
  it("of a workspace have their types, and its instance types need neither a name nor a label", async () => {
    await assertTyped(
      workspace,
      { id: "w", cpu: 1, memory: 8, notebookKernel: "R_4_1", instanceTypes: [{ cpu: 2, memory: 16 }] },
      { id: 1, cpu: "1", memory: "8", notebookKernel: 3.12, instanceTypes: [{ name: "small" }] },
    );
  });

  // Proves 2.6: the namespace is an object with the segment
  it("of the namespace have their types", async () => {
    await assertTyped(({ platform }) => platform.call(getNamespace, {}), { name: "alice" }, { name: 1 });
  });

  // Proves 2.7: a design has an ID, name, owners, creator, thumbnail, versions, and cards
  // Proves 2.7: an owner has a whole number as ID, and the role of the instance
  it("of a design and its owners have their types", async () => {
    const owner = { id: 7, role: "Admin", roleId: 1 };
    await assertTyped(
      design,
      {
        ...{ id: "d", name: "Invoice", owners: [owner], creator: owner, thumbnail: { url: "/t" } },
        ...{ versions: [{ version: "1.0.0", createdAt: 1 }], cards: [{ id: 1, title: "Sales" }] },
      },
      { id: 1, name: 1, owners: [{ ...owner, roleId: "1" }], creator: "Ada", versions: [{}], cards: {} },
    );
    for (const wrong of [{ ...owner, role: 1 }, { role: "Admin" }]) {
      assert.notDeepEqual(await complaintsAbout(design, { id: "d", owners: [wrong] }), []);
    }
  });

  // Proves 2.7: the fields of a design depend on the requested parts
  it("of a design that were not requested may be missing", async () => {
    const fake = fakePlatform(() => json(200, { id: "d", owners: [] }));
    assert.deepEqual(await fake.platform.call(getDesign, { designId: "d", parts: "owners" }), { id: "d", owners: [] });
    assert.match(fake.requests[0]?.path ?? "", /\?parts=owners$/);
    assert.deepEqual(
      fake.lines.filter((line) => line.startsWith("warn")),
      [],
    );
  });

  // Proves 2.7: a version has the version and the time of its creation
  it("of a version of a design have their types", async () => {
    const version = { version: "1.0.0", createdAt: "2025-11-18T16:42:05Z" };
    await assertTyped(versions, version, { version: 1 }, (one) => [one]);
  });

  // Proves 2.11: each read of section 4.7 has a typed model
  it("have a typed model in each read of section 4.7", async () => {
    const reads = catalogue.filter(({ section }) => section === "4.7");
    assert.ok(reads.length > 20);
    for (const operation of reads) {
      const fields = Object.fromEntries(Object.keys(operation.pathParameters).map((name) => [name, "1"]));
      const { platform } = fakePlatform(() => json(200, 5));
      const failure = await failureOf(platform.call(operation as never, fields as never));
      assert.equal(failure.failureCause.type, "unexpectedResponse", operation.id);
    }
  });

  // Proves 2.11: strings of a fileset may be null
  it("of a fileset may be null", async () => {
    const call: Call = ({ platform }) => platform.call(getFileset, { id: "f" });
    const none = { name: null, description: null, connectorContext: null, connector: null, batchType: null };
    assert.deepEqual(await complaintsAbout(call, { id: "f", ...none }), []);
    assert.match((await complaintsAbout(call, { id: "f", name: 5 })).join(), /\bname\b/);
  });
});
