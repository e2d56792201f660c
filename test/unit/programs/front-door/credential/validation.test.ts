import assert from "node:assert/strict";
import { dialects } from "../../../../../src/api/http/dialects.ts";
import { silentLog } from "../../../../../src/api/http/log.ts";
import type { Transport } from "../../../../../src/api/http/transport.ts";
import type { Configuration } from "../../../../../src/programs/front-door/config/configuration.ts";
import { validate } from "../../../../../src/programs/front-door/credential/validation.ts";

/** The origins that a validation of a notebook token reaches if the platform reports this address for the workspace. */
async function reached(platform: string, reported: string): Promise<{ origins: readonly string[]; isValid: boolean }> {
  const origins: string[] = [];
  const transport: Transport = {
    async send({ url }) {
      origins.push(url.origin);
      const workspace = { id: "4f7c21aa-1", instances: [{ id: "i", status: "RUNNING", url: reported }] };
      const item = { name: "", path: "", type: "directory", writable: true, content: null };
      const body = url.origin === platform ? { workspaces: [workspace] } : item;
      return { status: 200, headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(body)) };
    },
    async close() {},
  };
  const configuration = {
    platform: { baseUrl: platform, dialect: dialects.documented, contentServer: {} },
    credentials: { slug: "platform", notebookSlug: "notebook-{workspace_short_id}" },
    limits: { callMilliseconds: 60_000, validationStepMilliseconds: 1 },
  } as unknown as Configuration;
  const credentials = { fresh: async () => ({ secret: "stored" }), delete: () => {} };
  const name = { email: "anna@example.com", slug: "notebook-4f7c21aa", tenant: undefined };
  const parts = { configuration, credentials, transport, log: silentLog };
  const verdict = await validate({ name, platformUrl: new URL(platform) }, parts);
  return { origins: [...new Set(origins)], isValid: verdict.valid };
}

describe("front door: addresses of content servers that a validation may reach", () => {
  const platform = "https://acme.example.com";

  it("a server with HTTPS", async () => {
    assert.deepEqual(await reached(platform, "https://notebooks.example.com/user/a/4f7c21aa/"), {
      origins: [platform, "https://notebooks.example.com"],
      isValid: true,
    });
  });

  for (const address of ["http://127.0.0.1:8080", "http://localhost:9090", "http://[::1]:1", "http://example.com"]) {
    it(`not ${address} on behalf of a remote platform`, async () => {
      assert.deepEqual(await reached(platform, `${address}/user/a/4f7c21aa/`), { origins: [platform], isValid: false });
    });
  }

  it("a server on this machine if the platform is there, too", async () => {
    const local = "http://127.0.0.1:1";
    const { origins, isValid } = await reached(local, "http://127.0.0.1:2/user/a/4f7c21aa/");
    assert.deepEqual([origins, isValid], [[local, "http://127.0.0.1:2"], true]);
  });
});
