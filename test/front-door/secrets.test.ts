// Runs everything with the log at trace: nothing that the front door writes or returns contains a secret.
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bearer, callBody, callHeaders, callWith, prefix } from "../harness/front-door/cases.ts";
import { type CountingPlatform, startCountingPlatform } from "../harness/front-door/counting-platform.ts";
import { jweCompact, makeEnvelopeKeys, plainParts } from "../harness/front-door/envelopes.ts";
import { type InternalService, startInternalService } from "../harness/front-door/internal-service.ts";
import { type Issuer, startIssuer } from "../harness/front-door/issuer.ts";
import { type Program, prepareProgram } from "../harness/front-door/program.ts";
import { type RawRequest, sendRaw } from "../harness/front-door/raw-http.ts";
import { credentialSlug } from "../harness/front-door/rig.ts";

const internalSecret = "internal-secret-canary-4f1c9b7a2e";
const formerSecret = "former-secret-canary-8d3e6a5b1f0c";
const stateSecret = "state-secret-canary-0a9b8c7d6e5f4a3b2c1d";

describe("front door: secrets with everything at trace level", () => {
  const secrets = new Map<string, string>();
  const responses: string[] = [];
  let directory: string;
  let issuer: Issuer;
  let internal: InternalService;
  let platform: CountingPlatform;
  let program: Program;
  const envelopeKeys = makeEnvelopeKeys();

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-secrets-"));
    [issuer, internal, platform] = await Promise.all([
      startIssuer(),
      startInternalService(internalSecret),
      startCountingPlatform(),
    ]);
    const start = await prepareProgram(directory, { issuer, internal, platform, envelopeKeys });
    program = await start({
      FRONT_DOOR_LOG_LEVEL: "trace",
      FRONT_DOOR_INTERNAL_SECRET: `${internalSecret} ${formerSecret}`,
      FRONT_DOOR_STATE_SECRET: stateSecret,
      FRONT_DOOR_READ_ONLY: "false",
      FRONT_DOOR_INTERNAL_TIME_LIMIT_MILLISECONDS: "400",
    });
    secrets.set("the internal secret", internalSecret).set("the former internal secret", formerSecret);
    secrets.set("the state secret", stateSecret);
    for (const [nth, line] of envelopeKeys.privatePem.split("\n").slice(1, -2).entries()) {
      secrets.set(`line ${nth} of the private key`, line);
    }
    for (const name of ["d", "p", "q"] as const) secrets.set(`the issuer's ${name}`, issuer.key.privateJwk[name] ?? "");
  });
  after(async () => {
    await program.stop();
    await Promise.all([issuer.stop(), internal.stop(), platform.stop()]);
    await rm(directory, { recursive: true, force: true });
  });

  async function send(request: RawRequest): Promise<number> {
    const { status, text } = await sendRaw(program.url, request);
    responses.push(text);
    return status;
  }

  /** A user whose token, credential, and envelope are among the secrets. */
  async function person(name: string, seal?: (credential: string) => unknown): Promise<string> {
    const email = `${name}@example.com`;
    const credential = `platform-credential-canary-of-${name}-7c6b5a`;
    const envelope = seal === undefined ? await jweCompact(credential, envelopeKeys.publicKey) : seal(credential);
    internal.entitled.add(email);
    internal.store(email, credentialSlug, envelope);
    platform.credentials.add(credential);
    const token = issuer.sign({ email, sub: `subject-of-${name}`, jti: `id-${name}` });
    secrets.set(`${name}'s credential`, credential);
    secrets.set(`${name}'s token`, token).set(`the signature of ${name}'s token`, token.split(".")[2] ?? "");
    const parts = typeof envelope === "string" ? envelope.split(".").slice(1) : Object.values(envelope as object);
    for (const part of parts)
      if (String(part).length > 15) secrets.set(`a part of ${name}'s envelope: ${part}`, String(part));
    return token;
  }

  const call = (token: string): RawRequest => callWith(bearer(`${prefix}${token}`));
  const tool = (token: string, name: string, given: object): RawRequest => ({
    headers: [
      ...callHeaders.filter(([header]) => header !== "Mcp-Name"),
      ["Mcp-Name", name],
      ...bearer(`${prefix}${token}`),
    ],
    body: callBody(name, given),
  });
  const validation = (secret: string, body: object): RawRequest => ({
    target: "/internal/validate",
    headers: [
      ["X-Webui-Secret", secret],
      ["Content-Type", "application/json"],
    ],
    body: JSON.stringify(body),
  });

  // Proves 4.8: It returns only a Boolean, and never the credential
  it("they appear in no response, no log, and no metric", async () => {
    const anna = await person("anna");
    assert.equal(await send(call(anna)), 200);
    assert.equal(
      await send(call(await person("ben", (credential) => plainParts(credential, envelopeKeys.publicKey)))),
      200,
    );
    assert.equal(await send(call(await person("carla", () => "not.an.envelope.at.all-canary"))), 502);
    assert.equal(await send(call(await person("dora", () => ({ credential: "unencrypted-credential-canary" })))), 502);
    secrets.set("a credential that was stored in the clear", "unencrypted-credential-canary");

    await refusedTokens(anna);
    await dependenciesThatTell(anna);
    await toolsOfAllKinds(anna);
    await validations();
    responses.push(await (await fetch(`${program.url}/metrics`)).text());
    responses.push(await (await fetch(`${program.url}/.well-known/oauth-protected-resource/mcp`)).text());
    assert.equal(await program.stop(), 0);

    const log = program.output();
    assert.ok(log.includes('"level":"trace"') && log.includes('"audit":"/mcp"'), "the log is at trace");
    assert.ok(log.split("\n").length > 100 && responses.length > 30, "everything was done");
    assert.ok(!log.includes("anna@example.com"), "the log names people by their hash alone");
    const prepared = ["front-door.cjs", "private-key.pem", "THIRD_PARTY_NOTICES.txt"];
    const cores = (await readdir(directory)).filter((name) => !prepared.includes(name));
    assert.deepEqual(cores, [], "it wrote no file");
    const bundle = await readFile(join(directory, "front-door.cjs"), "utf8");
    for (const [name, secret] of secrets) {
      assert.ok(secret.length > 7, name);
      for (const form of formsOf(secret)) {
        assert.ok(!log.includes(form), `${name} is in the log: ${lineWith(log, form)}`);
        assert.ok(!responses.some((response) => response.includes(form)), `${name} is in an answer`);
        assert.ok(!bundle.includes(form), `${name} is in the program`);
      }
    }
  }).timeout(60_000);

  async function refusedTokens(anna: string): Promise<void> {
    for (const token of [
      anna.slice(0, -3),
      `${anna}A`,
      anna.replaceAll(".", "_"),
      issuer.sign({ email: "x@example.com", aud: "urn:other" }),
    ]) {
      secrets.set(`a refused token ${token.slice(-12)}`, token.slice(-60));
      assert.equal(await send(call(token)), 401);
    }
    assert.equal(await send(callWith([...bearer(`${prefix}${anna}`), ...bearer(`${prefix}${anna}`)])), 400);
    assert.equal(await send({ ...callWith([]), target: `/mcp?access_token=${prefix}${anna}` }), 400);
    assert.equal(await send({ ...call(anna), target: `/${anna}` }), 404);
    assert.equal(await send({ ...call(anna), method: "GET" }), 405);
    assert.equal(await send({ ...call(anna), body: `{"token":"${anna}` }), 400);
    assert.equal(await send({ ...call(anna), body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: anna }) }), 400);
    assert.equal(
      await send(
        callWith([
          ["Cookie", `session=${anna}`],
          ["Proxy-Authorization", `Bearer ${anna}`],
        ]),
      ),
      401,
    );
  }

  /** Services that repeat what they receive, as a debugging page does. */
  async function dependenciesThatTell(anna: string): Promise<void> {
    const credential = secrets.get("anna's credential") ?? "";
    const repeated = JSON.stringify({
      message: `Bearer ${credential} was refused`,
      headers: { authorization: credential },
    });
    for (const status of [400, 401, 403, 404, 500, 503]) {
      const token = await person(`erin-${status}`);
      const own = secrets.get(`erin-${status}'s credential`) ?? "";
      platform.responseWith({
        status,
        body: JSON.stringify({ message: `Bearer ${own}`, token: own }),
        headers: { "x-authorization": own, "set-cookie": `session=${own}`, "x-trace-id": own },
      });
      assert.equal(await send(call(token)), 200);
    }
    platform.responseWith({ status: 200, body: JSON.stringify([{ id: 1, name: `Bearer ${credential}` }]) });
    assert.equal(await send(call(anna)), 200);
    assert.match(responses.at(-1) ?? "", /\{\\"result\\":\[/);
    platform.responseWith({ status: 200, body: repeated });
    assert.equal(await send(call(anna)), 200);
    platform.responseWith({
      status: 200,
      body: `<html>${credential}</html>`,
      headers: { "content-type": "text/html" },
    });
    assert.equal(await send(call(anna)), 200);
    platform.responseWith({
      status: 302,
      body: "",
      headers: { location: `https://evil.example.com/?token=${credential}` },
    });
    assert.equal(await send(call(anna)), 200);
    platform.responseWith(undefined);
    const told = JSON.stringify({ message: `X-Webui-Secret ${internalSecret} is wrong`, secret: internalSecret });
    for (const endpoint of ["entitlement", "credential"] as const) {
      for (const status of [401, 500]) {
        internal.fail(endpoint, { kind: "status", status, body: told });
        assert.equal(await send(call(await person(`${endpoint}-${status}`))), 503);
      }
      internal.fail(endpoint, {
        kind: "redirect",
        status: 302,
        location: `https://evil.example.com/?s=${internalSecret}`,
      });
      assert.equal(await send(call(await person(`${endpoint}-redirect`))), 503);
      internal.fail(endpoint, { kind: "cut-half-way" });
      assert.equal(await send(call(await person(`${endpoint}-cut`))), 503);
      internal.fail(endpoint, undefined);
    }
    issuer.responseKeySet({ kind: "status", status: 500 });
    assert.equal(await send(call(issuer.sign({ email: "anna@example.com" }, { header: { kid: "other" } }))), 503);
    issuer.responseKeySet({ kind: "serve" });
  }

  async function toolsOfAllKinds(anna: string): Promise<void> {
    const credential = secrets.get("anna's credential") ?? "";
    assert.equal(await send(tool(anna, "roles_list", { token: credential })), 200);
    assert.equal(await send(tool(anna, "no_such_tool", { token: credential })), 200);
    assert.equal(await send(tool(anna, credential, {})), 200);
    assert.equal(await send(tool(anna, "contents_list", { workspaceId: "w", path: "../.." })), 200);
    assert.equal(await send(tool(anna, "users_list", { cursor: credential })), 200);
    assert.equal(await send(tool(anna, "workflows_delete", { modelId: "m" })), 200);
    assert.equal(await send(tool(anna, "pages_get", { id: credential })), 200);
  }

  async function validations(): Promise<void> {
    const anna = { email: "anna@example.com", slug: credentialSlug };
    assert.equal(await send(validation(internalSecret, anna)), 200);
    assert.equal(await send(validation(formerSecret, { ...anna, email: "carla@example.com" })), 200);
    assert.equal(await send(validation(internalSecret, { ...anna, secret: internalSecret })), 400);
    assert.equal(await send(validation(`${internalSecret}x`, anna)), 401);
    assert.equal(
      await send({ ...validation(internalSecret, anna), target: `/internal/validate/${internalSecret}` }),
      404,
    );
  }
});

/** A secret, unchanged and in other encodings. */
function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  return [
    ...new Set([
      secret,
      encodeURIComponent(secret),
      base64,
      Buffer.from(secret).toString("base64url"),
      Buffer.from(secret).toString("hex"),
    ]),
  ];
}

function lineWith(text: string, part: string): string {
  return (text.split("\n").find((line) => line.includes(part)) ?? "").slice(0, 600);
}
