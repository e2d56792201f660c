// Third-party programs against the whole front door: the protocol's client, its inspector, and its conformance suite.
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { projectDirectory } from "../../scripts/set-up/paths.ts";
import { type ProgramOutcome, runProgram } from "../../scripts/set-up/run-program.ts";
import { startDemo } from "../../scripts/start/front-door-demo.ts";
import { type SampleTenant, startSampleTenant } from "../../src/programs/sample-tenant/server.ts";
import { startHeaderProxy } from "../harness/front-door/header-proxy.ts";
import type { LocalServer } from "../harness/front-door/local-server.ts";
import { type Person, prefix, type Rig, startRig } from "../harness/front-door/rig.ts";
import { scenariosOf } from "./conformance-scenarios.ts";

const revisions = ["2026-07-28", "2025-11-25"] as const;
type Revision = (typeof revisions)[number];

describe("front door: third-party clients", () => {
  let directory: string;
  let tenant: SampleTenant;
  let rig: Rig;
  let anna: Person;
  /** For the suite, which can't send a token. */
  let proxy: LocalServer;
  let authorization = "";

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-clients-"));
    tenant = await startSampleTenant({ dataDirectory: join(directory, "tenant"), bootSeconds: 0 });
    proxy = await startHeaderProxy(() => ({ origin: rig.frontDoor.url, added: { authorization } }));
    const proxyOrigins = [proxy.url, proxy.url.replace("127.0.0.1", "localhost")];
    rig = await startRig({
      configure: (usual) => ({
        ...usual,
        public: { ...usual.public, allowedOrigins: new Set(proxyOrigins) },
        platform: { ...usual.platform, baseUrl: tenant.url, contentServer: { origin: tenant.url } },
      }),
    });
    anna = await rig.person({ credential: tenant.platformToken });
    authorization = `Bearer ${prefix}${await rig.issuer.token(anna.email)}`;
  });
  after(async () => {
    await proxy.stop();
    await rig.stop();
    await tenant.stop();
    await rm(directory, { recursive: true, force: true });
  });

  function clientWith(revision: Revision, token: string): { client: Client; connect: () => Promise<void> } {
    const client = new Client(
      { name: "test", version: "1.0.0" },
      { versionNegotiation: { mode: revision === "2026-07-28" ? { pin: revision } : "legacy" } },
    );
    const headers = { authorization: `Bearer ${prefix}${token}` };
    const transport = new StreamableHTTPClientTransport(new URL(`${rig.frontDoor.url}/mcp`), {
      requestInit: { headers },
    });
    return { client, connect: () => client.connect(transport) };
  }

  for (const revision of revisions) {
    it(`the protocol's client connects, lists and calls (${revision})`, async () => {
      const { client, connect } = clientWith(revision, await rig.issuer.token(anna.email));
      await connect();
      const { tools } = await client.listTools();
      assert.ok(tools.length > 50);
      const reads = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
      assert.equal(reads.length, tools.length, "tools may only read by default");
      const designs = await client.callTool({ name: "designs_list", arguments: { limit: 3 } });
      assert.notEqual(designs.isError, true);
      assert.match(JSON.stringify(designs.content), /\{\\"result\\":\[/);
      await client.close();
    });

    it(`the protocol's client gets an error for an invalid token (${revision})`, async () => {
      const { connect } = clientWith(revision, "garbage");
      await assert.rejects(connect(), /401|[Uu]nauthorized|token is invalid/);
    });

    it(`the inspector's command line lists and calls (${revision})`, async () => {
      const token = await rig.issuer.token(anna.email);
      const list = await inspect(revision, token, ["--method", "tools/list"]);
      assert.equal(list.code, 0, list.output);
      assert.match(list.output, /"designs_list"/);
      const call = await inspect(revision, token, [
        ...["--method", "tools/call", "--tool-name", "designs_list"],
        ...["--tool-args-json", '{"limit":2}'],
      ]);
      assert.equal(call.code, 0, call.output);
      assert.match(call.output, /\{\\"result\\":\[/);
    });
  }

  it("the inspector accepts all schemas", async () => {
    const token = await rig.issuer.token(anna.email);
    const { code, output } = await inspect("2026-07-28", token, ["--method", "tools/list", "--strict"]);
    assert.equal(code, 0, output.slice(-3000));
  });

  async function inspect(revision: Revision, token: string, more: readonly string[]): Promise<ProgramOutcome> {
    const program = join(projectDirectory, "node_modules", ".bin", "mcp-inspector");
    return runProgram(
      program,
      [
        ...["--cli", "--server-url", `${rig.frontDoor.url}/mcp`, "--transport", "http", "--format", "json", "--quiet"],
        ...["--protocol-era", revision === "2026-07-28" ? "modern" : "legacy", "--stored-auth-only"],
        ...["--header", `Authorization: Bearer ${prefix}${token}`, ...more],
      ],
      { cwd: directory, environment: { HOME: directory, NO_COLOR: "1" }, timeLimitMs: 60_000 },
    );
  }

  describe("the conformance suite", () => {
    for (const revision of revisions) {
      it(`passes all tests without a fixture, and skips none (${revision})`, async () => {
        const checks = await conformance(`${proxy.url}/mcp`, ["--requirements", revision]);
        const { passed, inapplicable, partly } = scenariosOf[revision];
        const listed = [
          ...passed,
          ...inapplicable.flatMap(({ scenarios }) => scenarios),
          ...partly.map(({ scenario }) => scenario),
        ];
        assert.deepEqual([...new Set(checks.map(({ scenario }) => scenario))].toSorted(), listed.toSorted());
        const of = (scenario: string, status: string): readonly Check[] =>
          checks.filter((check) => check.scenario === scenario && check.status === status);
        for (const scenario of passed) {
          assert.deepEqual(of(scenario, "FAILURE"), []);
          assert.ok(of(scenario, "SUCCESS").length > 0, `${scenario} checks something`);
        }
        for (const { scenario, checks: failing, says } of partly) {
          const failed = of(scenario, "FAILURE");
          assert.deepEqual(failed.map(({ id }) => id).toSorted(), failing.toSorted());
          for (const { message } of failed) assert.match(message, says);
          assert.ok(of(scenario, "SUCCESS").length > 0, `${scenario} checks something`);
        }
        for (const { scenarios, says } of inapplicable) {
          for (const scenario of scenarios) {
            const own = checks.filter((check) => check.scenario === scenario);
            assert.ok(
              own.some(({ status }) => status !== "SUCCESS"),
              `${scenario} passes`,
            );
            for (const { id, message } of of(scenario, "FAILURE")) assert.match(message, says, id);
          }
        }
        const stateless = of("server-stateless", "SUCCESS").length;
        assert.ok(revision === "2025-11-25" || stateless >= 20, `${stateless} checks of a stateless server passed`);
      });
    }

    it("the demo is protected from DNS rebinding", async () => {
      const demo = await startDemo({ tenant, mayChange: false, logLevel: "silent" });
      const toDemo = await startHeaderProxy(() => ({
        origin: demo.frontDoor.url,
        added: { authorization: `Bearer ${demo.token}` },
      }));
      try {
        for (const revision of revisions) {
          const checks = await conformance(`${toDemo.url}/mcp`, [
            ...["--scenario", "dns-rebinding-protection", "--spec-version", revision],
          ]);
          const statuses = checks.map(({ id, status }) => `${id} ${status}`);
          assert.deepEqual(statuses.toSorted(), [
            "localhost-host-rebinding-rejected SUCCESS",
            "localhost-host-valid-accepted SUCCESS",
          ]);
        }
      } finally {
        await toDemo.stop();
        await demo.stop();
      }
    });

    /** Runs the suite and returns its output. Its exit code also depends on fixtures. */
    async function conformance(url: string, more: readonly string[]): Promise<Check[]> {
      const program = join(projectDirectory, "node_modules", ".bin", "conformance");
      const results = await mkdtemp(join(directory, "conformance-"));
      await runProgram(program, ["server", "--url", url, ...more, "-o", results], {
        cwd: directory,
        environment: { NO_COLOR: "1" },
        timeLimitMs: 120_000,
      });
      return checksIn(results);
    }
  });
});

interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly status: string;
  readonly message: string;
}

/** The output of the suite: a folder for each scenario, named `server-SCENARIO-TIME`. */
async function checksIn(directory: string): Promise<Check[]> {
  const checks: Check[] = [];
  for (const folder of await readdir(directory)) {
    const scenario = folder.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, "");
    const read: { id: string; status: string; errorMessage?: string }[] = JSON.parse(
      await readFile(join(directory, folder, "checks.json"), "utf8"),
    );
    checks.push(...read.map(({ id, status, errorMessage: message = "" }) => ({ scenario, id, status, message })));
  }
  return checks;
}
