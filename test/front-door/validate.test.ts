import assert from "node:assert/strict";
import type { Configuration } from "../../src/programs/front-door/config/configuration.ts";
import { type Case, describeCases } from "../harness/front-door/cases.ts";
import { jweCompact, spoiled } from "../harness/front-door/envelopes.ts";
import type { InternalFault } from "../harness/front-door/internal-service.ts";
import type { RawRequest, RawResponse } from "../harness/front-door/raw-http.ts";
import { credentialSlug, type Person, prefix, type Rig, startRig } from "../harness/front-door/rig.ts";

const refused = { status: 401, code: "wrong_secret", challenge: "none" } as const;
const malformed = { status: 400, code: "invalid_request" } as const;

/** The response is only a boolean, with the same headers for both values, and without an ID of the user. */
function verdict(
  wanted: boolean,
  reached: Case["expected"]["reached"] = { credential: 1, platform: 1 },
): Case["expected"] {
  const also = ({ body, headers }: RawResponse): void => {
    assert.equal(body, String(wanted));
    assert.match(headers.get("content-type")?.[0] ?? "", /^application\/json/);
    assert.deepEqual(headers.get("cache-control"), ["no-store"]);
    const names = [...headers.keys()].filter((name) => !["date", "connection", "keep-alive"].includes(name)).sort();
    assert.deepEqual(names, [
      "cache-control",
      "content-length",
      "content-type",
      "x-content-type-options",
      "x-request-id",
    ]);
  };
  return { status: 200, reached, also };
}

function asking(secrets: readonly string[], body: unknown, more: RawRequest["headers"] = []): RawRequest {
  const headers = [
    ...secrets.map((secret) => ["X-Webui-Secret", secret] as const),
    ["Content-Type", "application/json"] as const,
  ];
  return {
    method: "POST",
    target: "/internal/validate",
    headers: [...headers, ...more],
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

const about = ({ email }: Person, slug: string = credentialSlug): object => ({ email, slug });

/** With these secrets, about the case's user. */
function secrets(name: string, given: (rig: Rig) => readonly string[]): Omit<Case, "expected"> {
  return { name, send: (rig, person) => asking(given(rig), about(person)) };
}

function body(name: string, make: (person: Person) => unknown): Case {
  return { name, send: (rig, person) => asking([rig.internal.secret], make(person)), expected: malformed };
}

function failing(name: string, fault: (rig: Rig) => InternalFault): Omit<Case, "expected"> {
  return {
    name,
    send: (rig, person) => {
      rig.internal.fail("credential", fault(rig));
      return asking([rig.internal.secret], about(person));
    },
  };
}

const guards: readonly Case[] = [
  // Proves 4.8: It returns only a Boolean, and never the credential
  { ...secrets("the right secret", (rig) => [rig.internal.secret]), expected: verdict(true) },
  {
    name: "an address with capitals",
    send: (rig, person) => asking([rig.internal.secret], { ...about(person), email: person.email.toUpperCase() }),
    expected: verdict(true),
  },
  {
    ...secrets("the secret before it, while both count", () => ["the-internal-secret-before-it-0123456789"]),
    expected: verdict(true),
  },
  { ...secrets("no secret", () => []), expected: refused },
  { ...secrets("an empty secret", () => [""]), expected: refused },
  // Proves 4.8: POST /internal/validate is protected by X-Webui-Secret
  { ...secrets("another secret", () => ["another-secret-0123456789"]), expected: refused },
  { ...secrets("the beginning of the secret", (rig) => [rig.internal.secret.slice(0, -1)]), expected: refused },
  { ...secrets("the secret and more", (rig) => [`${rig.internal.secret}x`]), expected: refused },
  { ...secrets("the secret in capitals", (rig) => [rig.internal.secret.toUpperCase()]), expected: refused },
  { ...secrets("another secret of the same length", (rig) => [`X${rig.internal.secret.slice(1)}`]), expected: refused },
  { ...secrets("the secret twice", (rig) => [rig.internal.secret, rig.internal.secret]), expected: refused },
  { ...secrets("the secret and another", (rig) => [rig.internal.secret, "x"]), expected: refused },
  {
    ...secrets("both secrets with a comma", (rig) => [
      `${rig.internal.secret}, the-internal-secret-before-it-0123456789`,
    ]),
    expected: refused,
  },
  { ...secrets("the secret with letters beyond ASCII", (rig) => [`${rig.internal.secret}é`]), expected: refused },
  // Proves 5.3: /internal/validate is protected only by the secret, not by a token
  {
    name: "a good token in place of the secret",
    send: (rig, person) => asking([], about(person), [["Authorization", `Bearer ${prefix}${rig.token(person)}`]]),
    expected: refused,
  },
  {
    name: "the secret as a token",
    send: (rig, person) => asking([], about(person), [["Authorization", `Bearer ${rig.internal.secret}`]]),
    expected: refused,
  },
  {
    name: "the secret in the query",
    send: (rig, person) => ({
      ...asking([], about(person)),
      target: `/internal/validate?secret=${rig.internal.secret}`,
    }),
    expected: refused,
  },
  {
    name: "a bad body and no secret: the secret is judged first",
    send: () => asking([], "{not json"),
    expected: refused,
  },
  {
    name: "a bad token beside the right secret, which alone counts",
    send: (rig, person) => asking([rig.internal.secret], about(person), [["Authorization", "Bearer garbage"]]),
    expected: verdict(true),
  },
];

const bodies: readonly Case[] = [
  body("no body", () => ""),
  body("no JSON", () => "{not json"),
  body("a list", () => []),
  body("null", () => "null"),
  body("a text", () => '"anna@example.com"'),
  body("no e-mail address", () => ({ slug: credentialSlug })),
  body("no slug", ({ email }) => ({ email })),
  body("a tenant that is no label of a host name", (person) => ({ ...about(person), tenant: "a.example.com/" })),
  body("a tenant that is a number", (person) => ({ ...about(person), tenant: 1 })),
  body("a member more", (person) => ({ ...about(person), credential: "x" })),
  body("an address that is a list", ({ email }) => ({ email: [email], slug: credentialSlug })),
  body("an address that leads upwards", () => ({ email: "../entitlements", slug: credentialSlug })),
  body("an address with a slash", () => ({ email: "a/b@example.com", slug: credentialSlug })),
  body("an address with a line break", () => ({ email: "a@example.com\n", slug: credentialSlug })),
  body("an address of 255 letters", () => ({ email: `${"a".repeat(243)}@example.com`, slug: credentialSlug })),
  body("a slug that leads upwards", (person) => about(person, "..")),
  body("a slug with a slash", (person) => about(person, "a/b")),
  body("a slug in capitals", (person) => about(person, "Platform")),
  body("an empty slug", (person) => about(person, "")),
  body("a slug of 65 letters", (person) => about(person, "a".repeat(65))),
  body("a slug with a percent sign", (person) => about(person, "%2e%2e")),
  body("a slug that is a number", ({ email }) => ({ email, slug: 7 })),
  {
    name: "a body that is a form",
    send: (rig, person) => ({
      ...asking([rig.internal.secret], about(person)),
      headers: [
        ["X-Webui-Secret", rig.internal.secret],
        ["Content-Type", "text/plain"],
      ],
    }),
    expected: { status: 415, code: "unsupported_media_type" },
  },
  {
    name: "a body over the limit",
    send: (rig) => asking([rig.internal.secret], `{"email":"${"a".repeat(1_100_000)}"}`),
    expected: { status: 413, code: "too_large" },
  },
];

const verdicts: readonly Case[] = [
  {
    ...secrets("somebody without the entitlement, who has a credential", (rig) => [rig.internal.secret]),
    person: { entitled: false },
    expected: verdict(true),
  },
  {
    ...secrets("nothing stored", (rig) => [rig.internal.secret]),
    person: { envelope: null },
    expected: verdict(false, { credential: 1 }),
  },
  {
    name: "a credential that the platform refuses",
    send: (rig, person) => {
      rig.platform.credentials.delete(person.credential);
      return asking([rig.internal.secret], about(person));
    },
    expected: verdict(false),
  },
  {
    name: "a platform that fails",
    send: (rig, person) => {
      rig.platform.responseWith({ status: 500, body: "{}" });
      return asking([rig.internal.secret], about(person));
    },
    expected: verdict(false, { credential: 1, platform: 1 }),
  },
  {
    name: "a platform that redirects to a stranger",
    send: (rig, person) => {
      rig.platform.responseWith({ status: 302, body: "", headers: { location: rig.stranger.url } });
      return asking([rig.internal.secret], about(person));
    },
    expected: verdict(false),
  },
  {
    name: "an envelope that can't be opened",
    person: { envelope: "not.an.envelope.at.all" },
    send: (rig, person) => asking([rig.internal.secret], about(person)),
    expected: verdict(false, { credential: 1 }),
  },
  {
    name: "an envelope with a changed tag",
    person: (rig) => ({
      seal: async (credential) => {
        return spoiled(await jweCompact(credential, rig.envelopeKeys.publicKey), 0.999);
      },
    }),
    send: (rig, person) => asking([rig.internal.secret], about(person)),
    expected: verdict(false, { credential: 1 }),
  },
  {
    ...failing("an internal service that fails", () => ({ kind: "status", status: 500 })),
    expected: verdict(false, { credential: 1 }),
  },
  { ...failing("an internal service that cuts", () => ({ kind: "cut" })), expected: verdict(false, { credential: 1 }) },
  {
    ...failing("an internal service that does not answer", () => ({ kind: "hang" })),
    expected: verdict(false, { credential: 1 }),
  },
  {
    ...failing("an internal service that redirects to a stranger", (rig) => ({
      kind: "redirect",
      status: 307,
      location: `${rig.stranger.url}/envelope`,
    })),
    expected: verdict(false, { credential: 1 }),
  },
];

describeCases("front door: /internal/validate, callers", guards);
describeCases("front door: /internal/validate, input", bodies);
describeCases("front door: /internal/validate, verdicts", verdicts);

describe("front door: /internal/validate with a tenant in the platform's address", () => {
  let rig: Rig;
  before(async () => {
    // The last number of 127.0.0.1 identifies the tenant.
    const configure = (usual: Configuration): Configuration => ({
      ...usual,
      platform: { ...usual.platform, baseUrl: usual.platform.baseUrl.replace("127.0.0.1", "127.0.0.{tenant}") },
    });
    rig = await startRig({ configure });
  });
  after(() => rig.stop());

  async function responseTo(asked: object): Promise<{ readonly status: number; readonly text: string }> {
    const headers = { "x-webui-secret": rig.internal.secret, "content-type": "application/json" };
    const url = `${rig.frontDoor.internalUrl}/internal/validate`;
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(asked) });
    return { status: response.status, text: await response.text() };
  }

  it("uses the tenant in the body", async () => {
    const anna = await rig.person();
    rig.takeReached();
    assert.deepEqual(await responseTo({ ...about(anna), tenant: "1" }), { status: 200, text: "true" });
    const { credential, platform } = rig.takeReached();
    assert.deepEqual({ credential, platform }, { credential: 1, platform: 1 });
  });

  it("rejects a body without a tenant as malformed, without a request", async () => {
    const anna = await rig.person();
    rig.takeReached();
    const { status, text } = await responseTo(about(anna));
    assert.equal(status, 400);
    assert.match(text, /"reason":"invalid_request"/);
    assert.deepEqual(rig.takeReached(), { keySet: 0, entitlement: 0, credential: 0, platform: 0, stranger: 0 });
  });
});
