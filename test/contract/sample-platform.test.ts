import assert from "node:assert/strict";
import { access, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type SamplePlatform,
  startLines,
  startSamplePlatform,
  tenantLines,
} from "../../scripts/start/sample-platform.ts";
import { Client } from "../../src/api/client/client.ts";
import { readWorkspacePage } from "../../src/api/families/workspaces.ts";
import { PlatformCredential } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";

describe("the platform that npm start starts", () => {
  let dataDirectory: string;
  let platform: SamplePlatform;
  let transport: Transport;

  before(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), "platform-workbench-start-"));
    platform = await startSamplePlatform({ dataDirectory, contentServer: "embedded" });
    transport = createTransport();
  });
  after(async () => {
    await transport?.close();
    await platform?.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  /** Lists the workspaces with a token, as signing in does. */
  async function namesWith(url: string, token: string): Promise<readonly string[]> {
    const credential = new PlatformCredential(url, token);
    const target = { kind: "platform", base: new URL(url), dialect: dialects.documented, credential } as const;
    const client = new Client({ ...target, limits: singleUserLimits }, transport);
    const { items } = await readWorkspacePage(client, { limit: 50, offset: 0 });
    return items.map(({ name }) => name ?? "");
  }

  it("prints the address, the token to sign in again with, and the file with the notebook tokens", async () => {
    const [about = "", signIn = "", ...others] = startLines(platform, "embedded");
    assert.deepEqual(others, []);
    const [, url = "", logFile = ""] = /^Sample tenant at (\S+)\. Log: (.+)$/.exec(about) ?? assert.fail(about);
    const line = /^To sign in again after signing out, use the token (\S+)\. The notebook tokens are in (.+)$/;
    const [, token = "", tenantFile = ""] = line.exec(signIn) ?? assert.fail(signIn);
    assert.ok((await namesWith(url, token)).includes("Sales forecasting"));
    await assert.rejects(namesWith(url, `${token.slice(1)}0`), /401/);
    await access(logFile);
    assert.equal((await stat(tenantFile)).mode & 0o077, 0, "only the owner can read it");
    const { notebookTokens } = JSON.parse(await readFile(tenantFile, "utf8"));
    const { tenant } = platform;
    assert.deepEqual(
      notebookTokens,
      Object.fromEntries(tenant.workspaces.map(({ id }) => [id, tenant.notebookToken(id)])),
    );
    assert.match(startLines(platform, "jupyter")[0] ?? "", /, with a Jupyter Server for every workspace\. Log: /);
  });

  it("prints for npm run sample-tenant the address, a token that signs in, and whether notebooks can run", async () => {
    const printed = (name: string, server: "embedded" | "jupyter"): string => {
      const line = tenantLines(platform, server).find((one) => one.startsWith(`${name}:`));
      return line?.slice(name.length + 1).trim() ?? assert.fail(`no line ${name}`);
    };
    const names = await namesWith(printed("Sample tenant", "embedded"), printed("Token", "embedded"));
    assert.ok(names.includes("Sales forecasting"));
    assert.match(printed("Kernels", "embedded"), /^none, .*--content-server jupyter\.$/);
    assert.match(printed("Kernels", "jupyter"), /Jupyter Server for every workspace$/);
    assert.equal(printed("Notebook tokens", "embedded"), platform.tenantFile);
  });

  it("leaves no file with tokens behind", async () => {
    await platform.stop();
    await assert.rejects(access(platform.tenantFile), { code: "ENOENT" });
  });

  it("accepts the token of an earlier start with the same data", async () => {
    const { platformToken } = platform.tenant;
    platform = await startSamplePlatform({ dataDirectory, contentServer: "embedded" });
    assert.ok((await namesWith(platform.tenant.url, platformToken)).includes("Sales forecasting"));
    assert.equal((await stat(join(dataDirectory, "token-seed"))).mode & 0o077, 0, "only the owner can read it");
  });
});
