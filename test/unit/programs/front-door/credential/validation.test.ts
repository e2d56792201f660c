import assert from "node:assert/strict";
import { dialects } from "../../../../../src/api/http/dialects.ts";
import { silentLog } from "../../../../../src/api/http/log.ts";
import type { Transport } from "../../../../../src/api/http/transport.ts";
import type { Configuration } from "../../../../../src/programs/front-door/config/configuration.ts";
import { validate } from "../../../../../src/programs/front-door/credential/validation.ts";

/**
 * The origins that a validation of a notebook token reaches if the platform reports this address for the workspace. `origin`: of
 * the content servers, if it is configured.
 */
async function reached(
  platform: string,
  reported: string,
  origin?: string,
): Promise<{ origins: readonly string[]; isValid: boolean }> {
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
    platform: {
      baseUrl: platform,
      dialect: dialects.documented,
      contentServer: origin === undefined ? {} : { origin },
    },
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

  const local = [
    ...[
      "127.0.0.1",
      "127.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "0.0.0.0",
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
    ],
    ...["localhost", "localhost.", "127.0.0.1.", "LOCALHOST", "a.localhost", "[::127.0.0.1]", "anna:secret@127.0.0.1"],
    ...["169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]", "255.255.255.255", "224.0.0.1", "[ff02::1]"],
  ].flatMap((host) => [`http://${host}:8080`, `https://${host}:8443`]);
  for (const address of [...local, "http://example.com", "http://10.0.0.1"]) {
    it(`not ${address} on behalf of a remote platform`, async () => {
      assert.deepEqual(await reached(platform, `${address}/user/a/4f7c21aa/`), { origins: [platform], isValid: false });
    });
  }

  it("not the same within the address of a sign-in", async () => {
    const next = encodeURIComponent("https://127.0.0.1:8443/user/a/4f7c21aa/");
    const { origins } = await reached(platform, `https://notebooks.example.com/login?next=${next}`);
    assert.deepEqual(origins, [platform]);
  });

  it("any server that the configuration names", async () => {
    for (const origin of ["http://127.0.0.1:8080", "https://localhost:8443"]) {
      const { origins, isValid } = await reached(platform, "https://other.example.com/user/a/4f7c21aa/", origin);
      assert.deepEqual([origins, isValid], [[platform, origin], true]);
    }
  });

  it("a server on this machine if the platform is there, too", async () => {
    const local = "http://127.0.0.1:1";
    const { origins, isValid } = await reached(local, "http://127.0.0.1:2/user/a/4f7c21aa/");
    assert.deepEqual([origins, isValid], [[local, "http://127.0.0.1:2"], true]);
  });
});
