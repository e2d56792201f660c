import assert from "node:assert/strict";
import {
  addDesignAdmin,
  getDesign,
  getDesignPermissions,
  listDesigns,
} from "../../../../src/api/catalogue/operations/designs.ts";
import { addDesignAdmins, allDesigns, cardsOf, createdOf, versionsOf } from "../../../../src/api/families/designs.ts";
import { empty, failureOf, fakePlatform, json, type Responder } from "../fake-platform.ts";

const owners = [{ id: 30 }, { id: "4" }, { id: 100, displayName: "Ada" }, { id: "group-x" }];
const granting: Responder = ({ method }) => (method === "GET" ? json(200, { id: "d", owners }) : empty(204));

describe("design admins", () => {
  // Proves 4.3: Rule 3: the owners are read, merged as whole
  it("are merged with the current owners: whole numbers, sorted numerically, without duplicates", async () => {
    const fake = fakePlatform(granting);
    const result = await addDesignAdmins(fake.platform, "d", [5, "30", " 7 ", 5, 2000]);
    assert.deepEqual(
      fake.requests.map(({ method, path, body }) => [method, path, body]),
      [
        ["GET", "/api/apps/v1/designs/d?parts=owners", undefined],
        ["POST", "/api/apps/v1/designs/d/permissions/ADMIN", "[4,5,7,30,100,2000]"],
      ],
    );
    assert.deepEqual(result, {
      text: "Requested admin access to app design d for users 5, 7, 30, 2000. The platform accepted the request without returning the access list.",
      userIds: [5, 7, 30, 2000],
      added: [5, 7, 2000],
      sent: [4, 5, 7, 30, 100, 2000],
    });
  });

  // Proves 4.3: Rule 4: the success text is built from the input, and not read back
  it("are reported from the input without another read", async () => {
    const fake = fakePlatform(granting);
    const { text } = await addDesignAdmins(fake.platform, "d", [8]);
    assert.match(text, /for user 8\. The platform accepted the request/);
    assert.equal(fake.requests.length, 2);
  });

  it("are rejected before a request if an id is invalid", async () => {
    const fake = fakePlatform(granting);
    for (const ids of [[], ["x"], [1.5], [0], [-1], [Number.NaN], ["1e3"], [""], [2 ** 60], ["9".repeat(30)]]) {
      const failure = await failureOf(addDesignAdmins(fake.platform, "d", ids));
      assert.deepEqual([failure.kind, failure.failureCause], ["request", { type: "input", field: "userIds" }]);
      assert.match(failure.message, /userIds: /);
    }
    assert.equal(fake.requests.length, 0);
  });

  it("are not sent if the owners are unknown", async () => {
    const fake = fakePlatform(() => json(200, { id: "d" }));
    const failure = await failureOf(addDesignAdmins(fake.platform, "d", [1]));
    assert.deepEqual([failure.kind, failure.failureCause.type], ["appGet", "unexpectedResponse"]);
    assert.match(failure.message, /Nothing was changed\.$/);
    assert.equal(fake.requests.length, 1);
  });

  it("fail with the kind of the step that failed", async () => {
    const reading = fakePlatform(() => json(500, { message: "no" }));
    assert.equal((await failureOf(addDesignAdmins(reading.platform, "d", [1]))).kind, "appGet");
    const posting = fakePlatform((request) => (request.method === "GET" ? granting(request, 1) : json(403, {})));
    const failure = await failureOf(addDesignAdmins(posting.platform, "d", [1]));
    assert.deepEqual([failure.kind, failure.operationId], ["appCrud", addDesignAdmin.id]);
  });
});

describe("designs", () => {
  // Proves 4.3: GET a design requests owners, cards, versions, and creator by default
  // Proves 8: 10 seconds for the list of designs
  it("are listed with a limit of 10 s, and read with their own parts", async () => {
    const fake = fakePlatform(() => json(200, []));
    await fake.platform.call(listDesigns, {});
    assert.deepEqual([fake.requests[0]?.idleLimit, listDesigns.timeLimitMs], [10_000, 10_000]);
    await failureOf(fake.platform.call(getDesign, { designId: "a/b" }));
    assert.equal(fake.requests[1]?.path, "/api/apps/v1/designs/a%2Fb?parts=owners%2Ccards%2Cversions%2Ccreator");
  });

  // Proves 4.3: The list requests designs as an administrator; The list requests owners, creator, thumbnail
  it("are requested with the given values instead of the defaults", async () => {
    const fake = fakePlatform(() => json(200, []));
    const query = { checkAdminAuthority: false, deleted: true, search: "ä&b", withPermission: "READ" } as const;
    for await (const page of allDesigns(fake.platform, query)) {
      assert.deepEqual(page, []);
    }
    const sent = new URLSearchParams(fake.requests[0]?.path.split("?")[1]);
    assert.deepEqual(
      ["checkAdminAuthority", "deleted", "direction", "search", "withPermission", "limit", "offset"].map((name) =>
        sent.get(name),
      ),
      ["false", "true", "desc", "ä&b", "READ", "30", "0"],
    );
  });

  // Proves 2.7: a version has the version and the time of its creation
  it("are read with unknown and wrong fields, and with cards and times under either name", async () => {
    const response: unknown = {
      id: "d",
      novel: { deep: [1] },
      trusted: "yes",
      versions: [{ version: "1.0.0", createdDate: "2025-01-01", size: 7 }, "0.9.0"],
      referencingCards: [{ id: 1 }],
    };
    const fake = fakePlatform(() => json(200, response));
    const design = await fake.platform.call(getDesign, { designId: "d" });
    assert.deepEqual(design, response);
    assert.deepEqual(cardsOf(design), [{ id: 1 }]);
    assert.deepEqual(cardsOf({ id: "d", cards: [{ id: 2 }], referencingCards: [{ id: 1 }] }), [{ id: 2 }]);
    const versions = versionsOf(design.versions);
    assert.deepEqual(
      versions.map((version) => [version.version, createdOf(version)]),
      [
        ["1.0.0", "2025-01-01"],
        ["0.9.0", undefined],
      ],
    );
    const warnings = fake.lines.filter((line) => line.startsWith("warn"));
    assert.equal(warnings.length, 2);
    assert.match(warnings.join("\n"), /the field trusted.*\n.*the field versions\.0\.size/);
  });

  // Proves 4.3: Rule 2: GET permissions returns 405
  it("have unreadable permissions, and report why", async () => {
    const fake = fakePlatform(() => json(405, { message: "Request method 'GET' is not supported" }));
    const failure = await failureOf(fake.platform.call(getDesignPermissions, { designId: "d", level: "ADMIN" }));
    assert.match(
      failure.message,
      /not supported \(405\)\. The platform doesn't provide the permissions of app designs\. Read the owners instead/,
    );
  });
});
