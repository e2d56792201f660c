import assert from "node:assert/strict";
import { createDecipheriv, privateDecrypt } from "node:crypto";
import { verdictOf } from "../../../src/api/catalogue/models/front-door.ts";
import * as frontDoor from "../../../src/api/catalogue/operations/front-door.ts";
import { type ContractTenant, storedHere, wrongInternalSecret } from "../tenant.ts";
import type { Cases } from "./cases.ts";

export const frontDoorCases = {
  "frontDoor.credentials.validate": async (tenant) => {
    const verdict = async (body: { email: string; slug: string }): Promise<boolean> =>
      verdictOf(await tenant.internal().call(frontDoor.validateCredential, { body }));
    assert.equal(await verdict(storedHere), true);
    assert.equal(await verdict({ ...storedHere, slug: "expired" }), false);
    assert.equal(await verdict({ ...storedHere, email: "ben@example.com" }), false);
  },
  "frontDoor.entitlements.check": async (tenant) => {
    const entitled = async (email: string, resource: string): Promise<boolean> =>
      verdictOf(await tenant.internal().call(frontDoor.checkEntitlement, { email, resource }));
    assert.equal(await entitled(storedHere.email, "remote-tools"), true);
    assert.equal(await entitled(storedHere.email, "something else"), false);
    assert.equal(await entitled("ben@example.com", "remote-tools"), false);
    const refused = await tenant.failure(
      tenant.internal(wrongInternalSecret).call(frontDoor.checkEntitlement, { email: "a@b.c", resource: "r" }),
    );
    assert.deepEqual([refused.kind, refused.status], ["retrieval", 401]);
  },
  // Proves 5.3: the stored credential is fetched with the same header
  "frontDoor.credentials.get": async (tenant) => {
    const envelope = await tenant.internal().call(frontDoor.getStoredCredential, storedHere);
    assert.equal(JSON.stringify(envelope).includes(tenant.tenant.platformToken), false);
    assert.equal(opened(tenant, envelope), tenant.tenant.platformToken);
    const missing = { ...storedHere, slug: "none" };
    const failure = await tenant.failure(tenant.internal().call(frontDoor.getStoredCredential, missing));
    assert.deepEqual([failure.kind, failure.entity], ["notFound", `${storedHere.email}, none`]);
    for (const email of ["..", "a/../b@c", "a@b/c", "a\\b@c", "a@b?c", "a@b#c"]) {
      const before = tenant.internalProxy.requests.length;
      const refused = tenant.internal().call(frontDoor.getStoredCredential, { ...storedHere, email });
      assert.equal((await tenant.failure(refused)).kind, "request", email);
      assert.equal(tenant.internalProxy.requests.length, before);
    }
  },
} satisfies Cases;

function opened({ privateKey }: ContractTenant, envelope: unknown): string {
  assert.ok(typeof envelope === "object" && envelope !== null);
  const part = (name: string): Buffer => Buffer.from(String(Reflect.get(envelope, name)), "base64url");
  const key = privateDecrypt({ key: privateKey, oaepHash: "sha256" }, part("encrypted_key"));
  const decipher = createDecipheriv("aes-256-gcm", key, part("iv"), { authTagLength: 16 }).setAuthTag(part("tag"));
  return Buffer.concat([decipher.update(part("ciphertext")), decipher.final()]).toString("utf8");
}
