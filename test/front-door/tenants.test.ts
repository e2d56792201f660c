// A tenant in the platform's address: access to one tenant, and its stored credentials, do not apply to any other.
import assert from "node:assert/strict";
import type { Configuration } from "../../src/programs/front-door/config/configuration.ts";
import { callOnce, expectCall } from "../harness/front-door/calls.ts";
import { jweCompact } from "../harness/front-door/envelopes.ts";
import { type Person, type Rig, startRig } from "../harness/front-door/rig.ts";

/** The last number of 127.0.0.1 identifies the tenant; nothing listens at 127.0.0.2. */
function withTenants(usual: Configuration, credentials: Partial<Configuration["credentials"]>): Configuration {
  return {
    ...usual,
    platform: { ...usual.platform, baseUrl: usual.platform.baseUrl.replace("127.0.0.1", "127.0.0.{tenant}") },
    internal: { ...usual.internal, tenantParameter: "tenant" },
    credentials: { ...usual.credentials, ...credentials },
  };
}

const bindings = {
  "in the slug": { slug: "platform-{tenant}", notebookSlug: "notebook-{tenant}-{workspace_short_id}" },
  "in the envelope": { envelopeTenantRequired: true },
};

for (const [where, credentials] of Object.entries(bindings)) {
  describe(`front door: a credential that is bound to its tenant ${where}`, () => {
    const slugOf = (tenant: string): string => (where === "in the slug" ? `platform-${tenant}` : "platform");
    let rig: Rig;
    before(async () => {
      rig = await startRig({ configure: (usual) => withTenants(usual, credentials) });
    });
    after(() => rig.stop());

    const tokenOf = (person: Person, tenant: string): string => rig.issuer.sign({ ...rig.claims(person), tenant });
    const targets = (endpoint: "entitlement" | "credential"): readonly string[] =>
      rig.internal.requests.filter((request) => request.endpoint === endpoint).map(({ target }) => target);

    /** A user who is entitled for tenant 1 and has a credential for it. */
    async function personOfOne(): Promise<Person> {
      const person = await rig.person({ entitled: false, envelope: null });
      rig.internal.entitled.add(`${person.email} 1`);
      const header = where === "in the slug" ? {} : { tenant: "1" };
      rig.internal.store(
        person.email,
        slugOf("1"),
        await jweCompact(person.credential, rig.envelopeKeys.publicKey, { header }),
      );
      rig.takeReached();
      return person;
    }

    it("serves its tenant", async () => {
      const anna = await personOfOne();
      await expectCall(rig, anna, { status: 200 }, tokenOf(anna, "1"));
      assert.match(targets("entitlement").join(), /[?&]tenant=1(?:&|$)/);
      assert.match(targets("credential").join(), new RegExp(`/${slugOf("1")}$`));
      assert.equal(rig.takeReached().platform, 1);
    });

    it("an entitlement applies only to its tenant, also from the cache", async () => {
      const anna = await personOfOne();
      await expectCall(rig, anna, { status: 200 }, tokenOf(anna, "1"));
      rig.takeReached();
      await expectCall(rig, anna, { status: 403, reason: "not_entitled" }, tokenOf(anna, "2"));
      assert.deepEqual(rig.takeReached(), { keySet: 0, entitlement: 1, credential: 0, platform: 0, stranger: 0 });
    });

    it("a credential is never sent to another tenant, also from the cache", async () => {
      const anna = await personOfOne();
      rig.internal.entitled.add(`${anna.email} 2`);
      await expectCall(rig, anna, { status: 200 }, tokenOf(anna, "1"));
      rig.takeReached();
      const response = await callOnce(rig, anna, tokenOf(anna, "2"));
      const expected = where === "in the slug" ? [403, "no_credential"] : [502, "unreadable_credential"];
      assert.deepEqual([response.status, response.reason], expected);
      assert.deepEqual(rig.takeReached(), { keySet: 0, entitlement: 1, credential: 1, platform: 0, stranger: 0 });
    });

    it("is validated only for its tenant", async () => {
      const anna = await personOfOne();
      const validate = async (tenant: string, slug: string): Promise<string> => {
        const response = await fetch(`${rig.frontDoor.internalUrl}/internal/validate`, {
          method: "POST",
          headers: { "x-webui-secret": rig.internal.secret, "content-type": "application/json" },
          body: JSON.stringify({ email: anna.email, slug, tenant }),
        });
        const text = await response.text();
        return response.status === 200 ? text : String(response.status);
      };
      assert.equal(await validate("1", slugOf("1")), "true");
      assert.equal(await validate("2", slugOf("2")), "false");
      assert.equal(rig.takeReached().platform, 1);
      if (where === "in the slug") {
        assert.equal(await validate("2", slugOf("1")), "400");
        assert.equal(await validate("2", "notebook-1-4f7c21aa"), "400");
        assert.equal(await validate("2", "notebook-2-1-4f7c21aa"), "400");
        assert.equal(rig.takeReached().credential, 0);
      }
    });
  });
}

describe("front door: slugs that name their tenant", () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig({ configure: (usual) => withTenants(usual, bindings["in the slug"]) });
  });
  after(() => rig.stop());

  // A slug has at most 64 characters.
  for (const [length, expected, fetches] of [
    [55, { status: 200, failed: true }, 1],
    [56, { status: 403, reason: "no_credential" }, 0],
  ] as const) {
    it(`of ${length} letters: ${fetches === 0 ? "a slug that is too long has no credential" : "the credential is found"}`, async () => {
      const tenant = "a".repeat(length);
      const anna = await rig.person({ entitled: false, envelope: null });
      rig.internal.entitled.add(`${anna.email} ${tenant}`);
      const envelope = await jweCompact(anna.credential, rig.envelopeKeys.publicKey);
      rig.internal.store(anna.email, `platform-${tenant}`, envelope);
      rig.takeReached();
      // No platform has the address of such a tenant.
      await expectCall(rig, anna, expected, rig.issuer.sign({ ...rig.claims(anna), tenant }));
      const reached = { keySet: 0, entitlement: 1, credential: fetches, platform: 0, stranger: 0 };
      assert.deepEqual(rig.takeReached(), reached);
    });
  }
});

describe("front door: envelopes that must name their tenant", () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig({ configure: (usual) => withTenants(usual, bindings["in the envelope"]) });
  });
  after(() => rig.stop());

  const seals: readonly (readonly [name: string, text: (token: string) => string, header: object, status: number])[] = [
    ["in the header", (token) => token, { tenant: "1" }, 200],
    ["in what it holds", (token) => JSON.stringify({ token, tenant: "1" }), {}, 200],
    ["in both", (token) => JSON.stringify({ token, tenant: "1" }), { tenant: "1" }, 200],
    ["nowhere", (token) => token, {}, 502],
    ["nowhere, in JSON", (token) => JSON.stringify({ token }), {}, 502],
    ["as another one", (token) => JSON.stringify({ token, tenant: "2" }), {}, 502],
    ["as two different ones", (token) => JSON.stringify({ token, tenant: "2" }), { tenant: "1" }, 502],
    ["as no text", (token) => JSON.stringify({ token, tenant: ["1"] }), {}, 502],
    ["as null", (token) => JSON.stringify({ token, tenant: null }), {}, 502],
  ];
  for (const [name, text, header, status] of seals) {
    it(`${name}: ${status}`, async () => {
      const anna = await rig.person({
        seal: (credential) => jweCompact(text(credential), rig.envelopeKeys.publicKey, { header: { ...header } }),
      });
      rig.internal.entitled.add(`${anna.email} 1`);
      const token = rig.issuer.sign({ ...rig.claims(anna), tenant: "1" });
      const response = await callOnce(rig, anna, token);
      assert.deepEqual([response.status, response.failed], [status, undefined], response.text);
    });
  }
});
