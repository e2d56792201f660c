import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Design } from "../../../src/api/catalogue/models/designs.ts";
import * as designs from "../../../src/api/catalogue/operations/designs.ts";
import { transferDesign } from "../../../src/api/catalogue/operations/ownership.ts";
import { fetchDesignAssets } from "../../../src/api/families/design-assets.ts";
import { addDesignAdmins, allDesigns, cardsOf, createdOf, versionsOf } from "../../../src/api/families/designs.ts";
import { dialects } from "../../../src/api/http/dialects.ts";
import { designQuery, filterFromText, filterText } from "../../../src/features/designs/design-filter.ts";
import type { ContractTenant } from "../tenant.ts";
import type { Cases } from "./cases.ts";

async function named(tenant: ContractTenant, name: string): Promise<Design> {
  const found = await tenant.platform().call(designs.listDesigns, { search: name });
  return found[0] ?? assert.fail(`there is no design ${name}`);
}

export const designCases = {
  "designs.list": async (tenant) => {
    const before = tenant.proxy.requests.length;
    const first = await tenant.platform().call(designs.listDesigns, {});
    assert.equal(first.length, 30);
    const query = new URLSearchParams(tenant.proxy.requests[before]?.query);
    assert.deepEqual(Object.fromEntries(query), {
      checkAdminAuthority: "true",
      deleted: "false",
      direction: "desc",
      parts: "owners,creator,thumbnail,versions,cards",
      search: "",
      withPermission: "ADMIN",
      limit: "30",
      offset: "0",
    });
    const pages: Design[][] = [];
    for await (const page of allDesigns(tenant.platform())) {
      pages.push([...page]);
    }
    assert.deepEqual(
      pages.map(({ length }) => length),
      [30, 10],
    );
    assert.equal(new Set(pages.flat().map(({ id }) => id)).size, 40);
    const updates = pages.flat().map(({ updatedDate }) => String(updatedDate));
    assert.deepEqual(updates, updates.toSorted().toReversed());
    const boards = [];
    for await (const page of allDesigns(tenant.platform(), { search: "BOARD", direction: "asc" })) {
      boards.push(...page.map(({ name }) => name));
    }
    assert.equal(boards.length, 10);
    const namesFor = async (filter: Parameters<typeof filterText>[0]): Promise<readonly unknown[]> =>
      (await tenant.platform().call(designs.listDesigns, designQuery(filterText(filter)))).map(({ name }) => name);
    const usual = filterFromText("");
    assert.deepEqual(await namesFor({ ...usual, deleted: true }), ["Budget form (old)"]);
    assert.deepEqual(await namesFor({ ...usual, search: "travel" }), []);
    assert.deepEqual(await namesFor({ ...usual, search: "travel", withPermission: "READ" }), ["Travel board"]);
    assert.equal((await namesFor({ ...usual, direction: "asc" }))[0], pages.flat().at(-1)?.name);
    const bare = await tenant.platform().call(designs.listDesigns, { parts: "owners", limit: 1, offset: 39 });
    assert.deepEqual([bare.length, bare[0]?.versions, bare[0]?.owners?.[0]?.id], [1, undefined, 481_516_234]);
  },
  "designs.get": async (tenant) => {
    const { id } = await named(tenant, "Order board");
    const design = await tenant.platform().call(designs.getDesign, { designId: id });
    assert.deepEqual([design.id, design.name, design.thumbnail], [id, "Order board", undefined]);
    assert.equal(typeof design.owners?.[0]?.id, "number");
    const { designCards, versionCreated } = dialects[tenant.dialect].fields;
    assert.equal(Array.isArray(design[designCards]), true);
    assert.deepEqual(cardsOf(design), design[designCards]);
    const [version] = versionsOf(design.versions);
    assert.equal(version === undefined ? undefined : createdOf(version), version?.[versionCreated]);
    assert.match(String(version?.[versionCreated]), /^20\d\d-/);
    const owners = await tenant.platform().call(designs.getDesign, { designId: id, parts: "owners" });
    assert.deepEqual([owners.creator, owners.versions], [undefined, undefined]);
  },
  "designs.versions.list": async (tenant) => {
    const { id, versions } = await named(tenant, "Invoice planner");
    const listed = versionsOf(await tenant.platform().call(designs.listDesignVersions, { designId: id }));
    assert.equal(listed.length > 0, true);
    assert.deepEqual(
      listed.map(({ version }) => version),
      versionsOf(versions).map(({ version }) => version),
    );
  },
  "designs.versions.assets": async (tenant) => {
    const { id, latestVersion } = await named(tenant, "Campaign form");
    const source = { designId: id, version: latestVersion ?? "" };
    const whole = await tenant.platform().call(designs.getDesignAssets, source);
    assert.equal(Buffer.from(whole).toString("latin1", 0, 4), "PK\x03\x04");
    const directory = await mkdtemp(join(tmpdir(), "platform-workbench-assets-"));
    try {
      const progress: (number | undefined)[][] = [];
      const target = { archiveDirectory: directory, unpackDirectory: join(directory, "source") };
      const fetched = await fetchDesignAssets(tenant.platform(), source, target, {
        onReceived: (received, total) => progress.push([received, total]),
      });
      assert.deepEqual(progress.at(-1), [whole.byteLength, whole.byteLength]);
      assert.deepEqual(await readFile(join(directory, "archive.zip")), Buffer.from(whole));
      assert.equal(fetched.unpacked?.files, 6);
      const manifest: unknown = JSON.parse(await readFile(join(directory, "source", "manifest.json"), "utf8"));
      assert.equal(typeof manifest === "object" && manifest !== null && "id" in manifest && manifest.id, id);
    } finally {
      await rm(directory, { recursive: true });
    }
  },
  "designs.admins.add": async (tenant) => {
    const { id } = await named(tenant, "Supplier explorer");
    const ownersOf = async () =>
      (await tenant.platform().call(designs.getDesign, { designId: id, parts: "owners" })).owners?.map((one) => one.id);
    const before = (await ownersOf()) ?? assert.fail("it has no owners");
    const result = await addDesignAdmins(tenant.platform(), id, ["700000002", 700_000_001, 700_000_002]);
    assert.deepEqual(result.userIds, [700_000_001, 700_000_002]);
    assert.match(
      result.text,
      /^Requested admin access .* for users 700000001, 700000002\. The platform accepted the request/,
    );
    const after = await ownersOf();
    assert.deepEqual(after?.map(Number).toSorted(), [...before, ...result.userIds].map(Number).toSorted());
    await tenant.platform().call(designs.addDesignAdmin, { designId: id, body: [700_000_003] });
    assert.equal((await ownersOf())?.length, before.length + 3, "somebody lost access");
  },
  "designs.permissions.get": async (tenant) => {
    const { id } = await named(tenant, "Ticket board");
    for (const level of ["ADMIN", "WRITE", "READ"]) {
      const failure = await tenant.failure(
        tenant.platform().call(designs.getDesignPermissions, { designId: id, level }),
      );
      assert.deepEqual([failure.kind, failure.status, failure.entity], ["appGet", 405, id]);
      assert.match(failure.message, /Read the owners instead: they are everyone with access\.$/);
    }
  },
  "designs.owner.update": async (tenant) => {
    const all = await tenant.platform().call(designs.listDesigns, { limit: 100 });
    const design = all.findLast(({ owner }) => owner === "481516234") ?? assert.fail("no design is the user's own");
    await tenant.platform().call(transferDesign, { designId: String(design.id), body: { newOwner: "481516235" } });
    const missing = await tenant.failure(
      tenant.platform().call(transferDesign, { designId: String(design.id), body: { newOwner: "481516234" } }),
    );
    assert.deepEqual([missing.kind, missing.status], ["appCrud", 404], "the previous owner has no access anymore");
  },
} satisfies Cases;
