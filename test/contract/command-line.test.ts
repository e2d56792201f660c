import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCommandLine } from "../../scripts/build/bundle.ts";
import { catalogue } from "../../src/api/catalogue/operations/catalogue.ts";
import { listDesigns, listDesignVersions } from "../../src/api/catalogue/operations/designs.ts";
import { listRoles } from "../../src/api/catalogue/operations/users.ts";
import { exitCodes } from "../../src/programs/command-line/usage.ts";
import { makeTestAuthority } from "../harness/network/certificates.ts";
import { startConnectProxy } from "../harness/network/connect-proxy.ts";
import { startTlsFront } from "../harness/network/tls-front.ts";
import { type ContractTenant, perDialect, storedHere, wrongPlatformToken } from "./tenant.ts";

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly messages: string;
}

const salesDataset = "7a1d3b52-0f6c-4c19-8e57-d2b4a6c80e11";

perDialect("command line", "the bundled program", (current) => {
  let directory = "";
  let program = "";

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-command-line-"));
    program = join(directory, "platform-workbench.cjs");
    const bytes = await buildCommandLine({ production: true, outfile: program });
    console.log(`      the program has ${(bytes / 1000).toFixed(0)} KB`);
  });
  after(() => rm(directory, { recursive: true }));

  /** Runs the program as a user would. Its output must not contain a secret. */
  async function run(args: readonly string[], more: { input?: string; environment?: object } = {}): Promise<Ended> {
    const environment = { ...environmentOf(current()), ...more.environment };
    const child = spawn(process.execPath, [program, ...args], { env: { PATH: process.env.PATH, ...environment } });
    const [output, messages] = [child.stdout, child.stderr].map(async (stream) => {
      let text = "";
      for await (const part of stream.setEncoding("utf8")) text += part;
      return text;
    });
    child.stdin.end(more.input ?? "");
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    const ended = { code, output: (await output) ?? "", messages: (await messages) ?? "" };
    current().shown.push(ended.output, ended.messages);
    return ended;
  }

  async function responseOf(args: readonly string[], more = {}): Promise<unknown> {
    const { code, output, messages } = await run(args, more);
    assert.deepEqual([code, messages], [0, ""]);
    return JSON.parse(output);
  }

  it("uses the proxy of the environment", async () => {
    const authority = await makeTestAuthority();
    const front = await startTlsFront(current().proxy.url, await authority.issue(["platform.test"]));
    const login = "ada:a password";
    const proxy = await startConnectProxy({ login, hosts: { "platform.test": front.url } });
    try {
      const environment = {
        PLATFORM_WORKBENCH_BASE_URL: "https://platform.test",
        HTTPS_PROXY: proxy.url.replace("//", "//ada:a%20password@"),
        NODE_EXTRA_CA_CERTS: authority.file,
      };
      const designs = await responseOf(["call", "designs.list", "--query", "limit=2"], { environment });
      assert.ok(Array.isArray(designs) && designs.length === 2);
      assert.deepEqual(proxy.requests, [
        { method: "CONNECT", target: "platform.test:443", status: 200, credentials: login },
      ]);
      const bypassed = await run(["call", "designs.list"], { environment: { ...environment, NO_PROXY: ".test" } });
      assert.match(bypassed.messages, /https:\/\/platform\.test can't be reached/);
      assert.equal(proxy.requests.length, 1);
    } finally {
      await proxy.stop();
      await front.stop();
      await authority.remove();
    }
  });

  it("calls a read with path and query parameters, and prints only JSON", async () => {
    const designs = await responseOf(["call", "designs.list", "--query", "limit=2", "--query", "offset=1"]);
    assert.ok(Array.isArray(designs));
    assert.equal(designs.length, 2);
    const schema = await responseOf(["call", "datasets.schema.get", "--path", `id=${salesDataset}`]);
    assert.match(JSON.stringify(schema), /"Region"/);
  });

  it("accepts a body as text, from a file, and from standard input", async () => {
    const body = JSON.stringify({ searchFieldMap: { NAME: "sales" } });
    const file = join(directory, "body.json");
    await writeFile(file, `\uFEFF${body}`);
    for (const [args, more] of [
      [["--body", body], {}],
      [["--body", `@${file}`], {}],
      [["--body", "-"], { input: body }],
    ] as const) {
      const found = await responseOf(["call", "workspaces.search", ...args], more);
      assert.match(JSON.stringify(found), /Sales forecasting/);
    }
  });

  it("calls content servers and the internal service with their own secrets", async () => {
    assert.match(JSON.stringify(await responseOf(["call", "contents.get", "--path", "path=README.md"])), /README\.md/);
    const query = ["--query", `email=${storedHere.email}`, "--query", "resource=remote-tools"];
    assert.deepEqual(await responseOf(["call", "frontDoor.entitlements.check", ...query]), { entitled: true });
  });

  // Proves 4.1: A start reports the text `workspace started`
  // Proves 7: Start, failure during the start: unsuccessful
  it("reports the three outcomes of a start", async () => {
    const tenant = current();
    const start = (id: string) => run(["call", "workspaces.instances.start", "--path", `workspaceId=${id}`]);
    const stopped = tenant.running.id;
    await tenant.tenant.stopWorkspace(stopped);
    try {
      const lost = await tenant.broken({ kind: "cut", when: "after" }, () => start(stopped), { method: "POST" });
      assert.deepEqual(JSON.parse(lost.output), { status: 500, text: "The workspace is starting." });
      assert.equal(lost.code, exitCodes.workspace.code);
      await tenant.tenant.stopWorkspace(stopped);
      const started = await start(stopped);
      assert.deepEqual([started.code, started.messages], [0, "workspace started\n"]);
      assert.match(started.output, /BOOTSTRAPPING/);
      const refused = await start(stopped);
      assert.deepEqual([refused.code, refused.output], [exitCodes.workspace.code, ""]);
      assert.match(refused.messages, /already started/);
    } finally {
      await tenant.tenant.stopWorkspace(stopped);
      await tenant.tenant.startWorkspace(stopped);
    }
  });

  it("reads the token from standard input", async () => {
    const more = { input: `${current().tenant.platformToken}\n`, environment: { PLATFORM_WORKBENCH_TOKEN: "" } };
    assert.ok(Array.isArray(await responseOf(["call", "roles.list", "--token-stdin"], more)));
  });

  it("masks possible secrets of other systems, unless disabled", async () => {
    const { output } = await run(["call", "accounts.list"]);
    assert.match(output, /"privateKey": "\[redacted\]"/);
    const child = await run(["call", "accounts.list", "--unmasked", "--output", join(directory, "accounts.json")]);
    assert.equal(child.code, 0);
    assert.match(await readFile(join(directory, "accounts.json"), "utf8"), /sample-private-key/);
  });

  it("writes an archive's bytes to a file or to standard output", async () => {
    const [design] = await current().platform().call(listDesigns, { limit: 1 });
    const designId = design?.id ?? assert.fail("there is no design");
    const [version] = await current().platform().call(listDesignVersions, { designId });
    const path = [
      "--path",
      `designId=${designId}`,
      "--path",
      `version=${typeof version === "string" ? version : version?.version}`,
    ];
    const file = join(directory, "assets.zip");
    const saved = await run(["call", "designs.versions.assets", ...path, "--output", file]);
    assert.equal(saved.code, 0, saved.messages);
    assert.equal((await readFile(file)).subarray(0, 2).toString(), "PK");
    const printed = await run(["call", "designs.versions.assets", ...path]);
    assert.deepEqual([printed.code, printed.output.slice(0, 2)], [0, "PK"]);
    const missing = await run(["call", "designs.versions.assets", ...path.slice(0, 2), "--path", "version=9.9.9"]);
    assert.equal(missing.code, exitCodes.asset.code, missing.messages);
  });

  it("prints a curl command without the secret, and sends nothing", async () => {
    const before = current().proxy.requests.length;
    const { code, output } = await run(["call", "workspaces.get", "--path", "workspaceId=it's $HOME", "--curl"]);
    assert.equal(code, 0);
    assert.match(
      output,
      /^curl --request GET 'http:\/\/127\.0\.0\.1:\d+\/api\/datascience\/v1\/workspaces\/it'\\''s%20%24HOME'/,
    );
    assert.match(output, /\$PLATFORM_TOKEN"/);
    assert.equal(current().proxy.requests.length, before);
  });

  // Proves 7: A caller can get the response without these checks
  it("prints an error response unchanged with --raw, and its status to standard error", async () => {
    const missing = await run(["call", "cards.get", "--path", "id=1", "--raw"]);
    assert.equal(missing.code, 0);
    assert.equal(JSON.parse(missing.output).status, 404);
    assert.match(missing.messages, /^HTTP 404, application\/json, \d+ bytes\n$/);
    const refused = await run(["call", "users.list", "--raw"], {
      environment: { PLATFORM_WORKBENCH_TOKEN: wrongPlatformToken },
    });
    assert.deepEqual([refused.code, refused.messages.slice(0, 8)], [0, "HTTP 401"]);
    const accounts = await run(["call", "accounts.list", "--raw"]);
    assert.match(accounts.output, /"privateKey": "\[redacted\]"/);
  });

  const failures: readonly (readonly [string, readonly string[], number, RegExp, object?])[] = [
    [
      "an operation that there is not",
      ["call", "designs.lst"],
      2,
      /^Unknown operation "designs\.lst"\. Similar: designs\.list\b/,
    ],
    ["words that no operation has", ["list", "foo"], 1, /^No operation matches "foo"\. To list all operations, /],
    [
      "a missing path parameter",
      ["call", "designs.get"],
      2,
      /^designs\.get requires --path designId=…\. To see its parameters, run platform-workbench describe designs\.get\.$/m,
    ],
    [
      "a missing query parameter",
      ["call", "frontDoor.entitlements.check"],
      2,
      /requires --query email=… --query resource=…/,
    ],
    ["a missing body", ["call", "workspaces.search"], 2, /^workspaces\.search requires --body …\./],
    ["a command that there is not", ["ring", "users.list"], 2, /Unknown command "ring"/],
    ["an option that there is not", ["call", "users.list", "--quick"], 2, /--quick/],
    [
      "a parameter that there is not",
      ["call", "users.list", "--query", "size=1"],
      2,
      /Parameters of users.list in its query: limit, offset/,
    ],
    ["a body that is no JSON", ["call", "workspaces.search", "--body", "{"], 2, /isn't valid JSON/],
    [
      "a number that would arrive changed",
      ["call", "workflows.create", "--body", '{"id":9007199254740993}'],
      2,
      /too large/,
    ],
    ["a body where none is taken", ["call", "users.list", "--body", "{}"], 2, /doesn't accept a body/],
    ["no address", ["call", "users.list"], 2, /Set PLATFORM_WORKBENCH_BASE_URL/, { PLATFORM_WORKBENCH_BASE_URL: "" }],
    ["no secret", ["call", "users.list"], 2, /Set PLATFORM_WORKBENCH_TOKEN/, { PLATFORM_WORKBENCH_TOKEN: "" }],
    ["an open address", ["call", "users.list"], 2, /https/, { PLATFORM_WORKBENCH_BASE_URL: "http://acme.example.com" }],
    [
      "an unknown dialect",
      ["call", "users.list"],
      2,
      /Dialects: documented, domo/,
      { PLATFORM_WORKBENCH_DIALECT: "x" },
    ],
    ["refused input", ["call", "workspaces.search", "--body", '{"limit":1000}'], exitCodes.request.code, /body\.limit/],
    [
      "a wrong credential",
      ["call", "users.list"],
      exitCodes.retrieval.code,
      /Sign in again/,
      { PLATFORM_WORKBENCH_TOKEN: wrongPlatformToken },
    ],
    [
      "what is not there",
      ["call", "cards.get", "--path", "id=1"],
      exitCodes.notFound.code,
      /Card 1 not found \(404\) \(trace /,
    ],
  ];
  for (const [what, args, code, words, environment = {}] of failures) {
    it(`exits with ${code} for ${what}, and prints the reason to standard error`, async () => {
      const ended = await run(args, { environment });
      assert.deepEqual([ended.code, ended.output], [code, ""], ended.messages);
      assert.match(ended.messages, words);
    });
  }

  it("lists and describes every operation, and needs no environment for that", async () => {
    const bare = { environment: { PLATFORM_WORKBENCH_BASE_URL: "", PLATFORM_WORKBENCH_TOKEN: "" } };
    const list = await run(["list"], bare);
    assert.equal(list.output.trim().split("\n").length, catalogue.length);
    const some = await run(["list", "post", "search"], bare);
    assert.match(some.output, /^workspaces\.search +POST /m);
    const described = await responseOf(["list", "--json"], bare);
    assert.equal(Array.isArray(described) && described.length, catalogue.length);
    const one = await run(["describe", "designs.list"], bare);
    assert.match(one.output, /--query limit=… {3}whole number, 1 or more \(default 30\)/);
    const users = await run(["describe", "users.list"], bare);
    assert.equal(users.output.includes("--query limit="), current().dialect === "domo");
  });

  it("lists its exit codes in --help, with every kind of error and no code twice", async () => {
    const { code, output } = await run(["--help"]);
    assert.equal(code, 0);
    for (const [kind, entry] of Object.entries(exitCodes)) {
      assert.match(output, new RegExp(`^ +${entry.code} +${kind}: `, "m"));
    }
    const codes = Object.values(exitCodes).map((entry) => entry.code);
    assert.equal(new Set([0, 1, 2, 130, ...codes]).size, codes.length + 4);
    assert.match((await run(["--version"])).output, /^\d+\.\d+\.\d+\n$/);
  });

  it("prints one line per request on demand, without secrets", async () => {
    const { messages } = await run(["call", "roles.list", "--verbose"]);
    assert.match(messages, /^GET \S+roles 200 \d+ ms \d+ B\n$/);
    await current().platform().call(listRoles, {});
  });
});

function environmentOf(tenant: ContractTenant): Readonly<Record<string, string>> {
  return {
    PLATFORM_WORKBENCH_BASE_URL: tenant.proxy.url,
    PLATFORM_WORKBENCH_TOKEN: tenant.tenant.platformToken,
    PLATFORM_WORKBENCH_DIALECT: tenant.dialect,
    PLATFORM_WORKBENCH_CONTENT_URL: new URL(new URL(tenant.running.contentUrl).pathname, tenant.proxy.url).href,
    PLATFORM_WORKBENCH_NOTEBOOK_TOKEN: tenant.tenant.notebookToken(tenant.running.id),
    PLATFORM_WORKBENCH_INTERNAL_URL: tenant.internalProxy.url,
    PLATFORM_WORKBENCH_INTERNAL_SECRET: tenant.internalService.secret,
  };
}
