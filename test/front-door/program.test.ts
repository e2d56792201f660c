// The front door as it is shipped: one bundled file, started as a process, with TLS and a separate internal address.
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect, type SecureVersion } from "node:tls";
import { buildFrontDoor } from "../../scripts/build/bundle.ts";
import { settingDefinitions } from "../../src/programs/front-door/config/setting-definitions.ts";
import { endProcess } from "../harness/end-process.ts";
import { sendRaw } from "../harness/front-door/raw-http.ts";

const secret = "the-internal-secret-of-the-program";
const pem = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });

interface Program {
  readonly url: string;
  readonly internalUrl: string;
  readonly child: ChildProcess;
  /** Its output so far. */
  output(): string;
}

describe("front door: the program", () => {
  let directory: string;
  let program: Program;
  let certificate: string;

  function environment(more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
    return {
      FRONT_DOOR_LISTEN: "127.0.0.1:0",
      FRONT_DOOR_INTERNAL_LISTEN: "127.0.0.1:0",
      FRONT_DOOR_TLS_CERTIFICATE_FILE: join(directory, "tls.crt"),
      FRONT_DOOR_TLS_KEY_FILE: join(directory, "tls.key"),
      // Nothing listens there: these tests need no issuer, and show that the front door responds without one.
      FRONT_DOOR_JWKS_URL: "http://127.0.0.1:9/jwks.json",
      FRONT_DOOR_ISSUER: "https://issuer.example.com",
      FRONT_DOOR_AUDIENCE: "tools",
      FRONT_DOOR_INTERNAL_BASE_URL: "http://127.0.0.1:9",
      FRONT_DOOR_INTERNAL_SECRET_FILE: join(directory, "secret"),
      FRONT_DOOR_ENTITLEMENT_RESOURCE: "remote-tools",
      FRONT_DOOR_PRIVATE_KEY_FILE: `first=${join(directory, "private-key.pem")}`,
      FRONT_DOOR_PLATFORM_BASE_URL: "https://acme.example.com",
      FRONT_DOOR_VALIDATION_STEP_MILLISECONDS: "20",
      ...more,
    };
  }

  const file = (): string => join(directory, "front-door.cjs");

  async function start(): Promise<Program> {
    const child = spawn(process.execPath, [file()], { env: { ...environment() }, stdio: ["ignore", "pipe", "pipe"] });
    let written = "";
    const line = /"url":"([^"]+)","internalUrl":"([^"]+)"/;
    const found = await new Promise<RegExpExecArray>((resolve, reject) => {
      const take = (part: Buffer): void => {
        written += part.toString();
        const match = line.exec(written);
        if (match !== null) resolve(match);
      };
      child.stdout.on("data", take);
      child.stderr.on("data", take);
      child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${written}`)));
    });
    return { url: found[1] ?? "", internalUrl: found[2] ?? "", child, output: () => written };
  }

  /** Sends one request. Returns status and body. */
  async function ask(
    url: string,
    method: string,
    headers: Readonly<Record<string, string>> = {},
    body = "",
  ): Promise<{ readonly status: number; readonly body: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        { method, headers, ca: certificate, servername: "localhost", agent: false },
        (response) => {
          text(response).then((all) => resolve({ status: response.statusCode ?? 0, body: all }), reject);
        },
      );
      sent.once("error", reject);
      sent.end(body);
    });
  }

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-front-door-"));
    await buildFrontDoor({ production: true, outfile: file() });
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    const files = ["-keyout", join(directory, "tls.key"), "-out", join(directory, "tls.crt")];
    const made = spawnSync("openssl", [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      ...files,
      ...subject,
    ]);
    assert.equal(made.status, 0, `openssl makes the certificate of this test: ${made.error?.message ?? made.stderr}`);
    certificate = await readFile(join(directory, "tls.crt"), "utf8");
    await writeFile(join(directory, "private-key.pem"), pem);
    await writeFile(join(directory, "secret"), `${secret}\n`);
    program = await start();
  });

  after(async () => {
    await endProcess(program.child);
    await rm(directory, { recursive: true, force: true });
  });

  it("comes with the notices of the packages that it contains", async () => {
    const notices = await readFile(join(directory, "THIRD_PARTY_NOTICES.txt"), "utf8");
    const names = [
      "@modelcontextprotocol/server",
      "@opentelemetry/sdk-trace",
      "ajv",
      "jose",
      "llhttp",
      "undici",
      "zod",
    ];
    for (const name of names) assert.match(notices, new RegExp(`^${name} \\S.*$`, "m"));
    assert.match(notices, /Apache License\s+Version 2\.0/);
  });

  it("without a configuration, reports all missing settings and exits with 2", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [file()], { env: {}, encoding: "utf8" });
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.equal(stderr.match(/ is missing\./g)?.length, 8, stderr);
  });

  it("a key that doesn't belong to the certificate is a configuration error", () => {
    const env = environment({ FRONT_DOOR_TLS_KEY_FILE: join(directory, "private-key.pem") });
    const { status, stderr } = spawnSync(process.execPath, [file()], { env, encoding: "utf8" });
    assert.equal(status, 2);
    assert.match(stderr, /does not belong to the certificate/);
  });

  it("--help lists every setting and --version the version", () => {
    const run = (flag: string): string => spawnSync(process.execPath, [file(), flag], { encoding: "utf8" }).stdout;
    const help = run("--help");
    assert.match(help, /--jwks-url, FRONT_DOOR_JWKS_URL\n/);
    const listed = [...help.matchAll(/^ +--[a-z0-9-]+, (FRONT_DOOR_[A-Z0-9_]+?)(?:\(_FILE\))?$/gm)].map(
      ([, name]) => name,
    );
    assert.deepEqual(
      listed,
      settingDefinitions.map(({ environment }) => environment),
    );
    assert.match(run("--version"), /^\d+\.\d+\.\d+\n$/);
  });

  it("supports only TLS 1.2 and newer", async () => {
    assert.match(program.url, /^https:/);
    assert.equal((await ask(`${program.url}/healthz`, "GET")).status, 200);
    // The server takes it for a handshake that it can't read, and says nothing.
    assert.equal((await sendRaw(program.url, { method: "GET", target: "/healthz" })).text, "");
    const connected = (version: SecureVersion): Promise<string> =>
      new Promise((resolve) => {
        const { port } = new URL(program.url);
        const options = { minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" };
        const socket = connect({ host: "127.0.0.1", port: Number(port), ca: certificate, ...options }, () => {
          resolve(socket.getProtocol() ?? "");
          socket.destroy();
        });
        socket.once("error", (error) => resolve("code" in error ? String(error.code) : error.message));
      });
    const responses = await Promise.all((["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"] as const).map(connected));
    const refused = "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION";
    assert.deepEqual(responses, [refused, refused, "TLSv1.2", "TLSv1.3"]);
  });

  it("serves the tools at one address, the internal endpoints at the other, and the probes at both", async () => {
    const { url, internalUrl } = program;
    assert.notEqual(url, internalUrl);
    const places = [
      { path: "/mcp", method: "POST", outside: 401, inside: 404 },
      { path: "/internal/validate", method: "POST", outside: 404, inside: 401 },
      { path: "/metrics", method: "GET", outside: 404, inside: 200 },
      { path: "/healthz", method: "GET", outside: 200, inside: 200 },
      { path: "/readyz", method: "GET", outside: 503, inside: 503 },
    ];
    for (const { path, method, outside, inside } of places) {
      assert.equal((await ask(url + path, method)).status, outside, `${path} outside`);
      assert.equal((await ask(internalUrl + path, method)).status, inside, `${path} inside`);
    }
  });

  it("reports why it is not ready, and doesn't validate what it can't test", async () => {
    assert.deepEqual(JSON.parse((await ask(`${program.url}/readyz`, "GET")).body), {
      status: "not ready",
      missing: ["the key set"],
    });
    const headers = { "content-type": "application/json", "x-webui-secret": secret };
    const body = JSON.stringify({ email: "anna@example.com", slug: "platform" });
    const response = await ask(`${program.internalUrl}/internal/validate`, "POST", headers, body);
    assert.deepEqual(response, { status: 200, body: "false" });
  });

  it("exits with 0 on a signal, and has logged no secret and no user's address", async () => {
    const ended = new Promise((resolve) => program.child.once("exit", resolve));
    program.child.kill("SIGTERM");
    assert.equal(await ended, 0);
    const output = program.output();
    assert.match(output, /the front door is closed/);
    for (const line of output.trim().split("\n")) JSON.parse(line);
    assert.ok(!output.includes(secret) && !output.includes("anna@example.com") && !output.includes("PRIVATE KEY"));
  });
});
