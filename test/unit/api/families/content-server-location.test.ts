import assert from "node:assert/strict";
import { getContent } from "../../../../src/api/catalogue/operations/contents.ts";
import { Client, type ContentClient } from "../../../../src/api/client/client.ts";
import {
  type ContentServerOverrides,
  findContentServer,
  readContentServer,
} from "../../../../src/api/families/content-server-location.ts";
import { withInstancesSeen } from "../../../../src/api/families/running-check.ts";
import { NotebookToken, PlatformCredential } from "../../../../src/api/http/credentials.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import type { DispatchResponse } from "../../../../src/api/http/dispatch.ts";
import { PlatformError } from "../../../../src/api/http/errors.ts";
import { singleUserLimits } from "../../../../src/api/http/response-limits.ts";
import { fakePlatform, item, json as response } from "../fake-platform.ts";

const body = new Uint8Array();

const workspaceId = "4f7c21aa-90d3-4b6e-8a51-2e6d0b9f3c10";

describe("a workspace of a platform that doesn't report instances", () => {
  const origin = "https://notebooks.example.com";
  const base = `${origin}/user/ada/4f7c21aa/`;
  const silent = { id: workspaceId, cpu: 1 };

  it("is located by the tenant's settings, and unknown without them", async () => {
    const { platform } = fakePlatform(() => response(200, { name: "ada" }));
    assert.deepEqual(await findContentServer(platform, silent, { origin }), { type: "found", base: new URL(base) });
    const unknown = await findContentServer(platform, silent);
    assert.match(unknown.type === "unknown" ? String(unknown.reason) : unknown.type, /contentServer\.origin/);
  });

  it("is running if its content server responds, regardless of the token", async () => {
    const { platform } = fakePlatform(() => response(200, { name: "ada" }));
    const seen = async (content: DispatchResponse): Promise<unknown> => {
      const contentAt = (): ContentClient => fakePlatform(() => content).content;
      const workspace = await withInstancesSeen({ platform, contentAt, contentServer: { origin } }, silent);
      return workspace.instances;
    };
    const running = [{ status: "RUNNING", url: base }];
    assert.deepEqual(await seen(response(403, { message: "Forbidden" })), running);
    assert.deepEqual(await seen(response(200, item("", "directory"))), running);
    assert.deepEqual(await seen({ status: 302, headers: { location: "/hub/user/ada/4f7c21aa/" }, body }), []);
    await assert.rejects(seen(response(500, {})), PlatformError);
    const contentAt = (): ContentClient => assert.fail("nobody knows where to ask");
    assert.deepEqual(await withInstancesSeen({ platform, contentAt, contentServer: {} }, silent), silent);
  });
});

describe("finding the content server", () => {
  const host = "https://acme.notebook-prod1.example.com";
  const target = `${host}/user/acme-dev-48/4f7c21aa/`;
  const refresh = `${host}/hub/auth_refresh?user=acme-dev-48&next=`;

  async function found(url: string | undefined, overrides?: ContentServerOverrides): Promise<string> {
    const fake = fakePlatform(() => response(200, { name: "ali ce" }));
    const instance = { id: "i", status: "RUNNING", ...(url === undefined ? {} : { url }) };
    const location = await findContentServer(fake.platform, { id: workspaceId, instances: [instance] }, overrides);
    const asked = fake.requests.length === 0 ? "" : ` after ${fake.requests.length}`;
    return location.type === "found"
      ? location.base.href + asked
      : location.type + (location.type === "unknown" ? `: ${location.reason}` : "");
  }

  const addresses: readonly (readonly [string, string, string])[] = [
    ["an encoded next=", `${refresh}${encodeURIComponent(target)}`, target],
    ["an unencoded next=", `${refresh}${target}`, target],
    ["a next= encoded twice", `${refresh}${encodeURIComponent(encodeURIComponent(target))}`, target],
    ["a relative next=", `${refresh}%2Fuser%2Facme-dev-48%2F4f7c21aa%2F`, target],
    ["a relative next= encoded twice", `${refresh}%252Fuser%252Facme-dev-48%252F4f7c21aa%252F`, target],
    ["a page below the prefix", `${refresh}${encodeURIComponent(`${target}lab/tree/user/a/b`)}`, target],
    ["no slash at the end", `${refresh}${encodeURIComponent(target.slice(0, -1))}`, target],
    ["a query behind it", `${refresh}${encodeURIComponent(`${target}?redirects=1#x`)}`, target],
    ["the bare address", target, target],
    [
      "a prefix before /user",
      `${refresh}${encodeURIComponent(`${host}/jupyter/user/a%20b/4f7c21aa/lab`)}`,
      `${host}/jupyter/user/a%20b/4f7c21aa/`,
    ],
    [
      "another host in next=",
      `${refresh}${encodeURIComponent("https://n2.example.com:8443/user/a/b/")}`,
      "https://n2.example.com:8443/user/a/b/",
    ],
    [
      "a path that looks like a host",
      `${refresh}${encodeURIComponent(`${host}//evil.example.net/user/a/b/`)}`,
      `${host}//evil.example.net/user/a/b/`,
    ],
    ["no prefix to be seen", `${host}/somewhere`, `${host}/user/ali%20ce/4f7c21aa/ after 1`],
  ];
  for (const [what, url, expected] of addresses) {
    it(`from ${what}`, async () => assert.equal(await found(url), expected));
  }

  it("never at an address that would send the token unencrypted", async () => {
    for (const url of [
      "http://notebooks.example.com/user/a/b/",
      `${refresh}${encodeURIComponent("http://notebooks.example.com/user/a/b/")}`,
      "ftp://127.0.0.1/user/a/b/",
      "http://127.0.0.1.example.com/user/a/b/",
      "http://127.0.0.1@example.com/user/a/b/",
    ]) {
      assert.match(await found(url), /^unknown: /, url);
    }
  });

  it("on this computer only if the user set it, or if the platform is there, too", async () => {
    const local = "http://127.0.0.1:8888/user/a/b/";
    for (const url of [local, "http://localhost:8888/user/a/b/", `${refresh}${encodeURIComponent(local)}`]) {
      assert.match(await found(url), /^unknown: .*a server on this computer.*contentServer\.origin/, url);
    }
    const { origin } = new URL(local);
    assert.equal(await found(local, { origin }), local);
    assert.equal(await found(target, { origin }), `${origin}/user/acme-dev-48/4f7c21aa/`);
    assert.match(await found(local, { prefix: "/user/a/b/" }), /^unknown: /);
    const base = new URL("http://localhost:9000");
    const platform = new Client(
      {
        kind: "platform",
        base,
        dialect: dialects.documented,
        limits: singleUserLimits,
        credential: new PlatformCredential(base.origin, "a-token-of-the-test"),
      },
      fakePlatform(() => response(200, {})).transport,
    );
    const workspace = { id: workspaceId, instances: [{ status: "RUNNING", url: local }] };
    assert.deepEqual(await findContentServer(platform, workspace), { type: "found", base: new URL(local) });
  });

  describe("with the spelling of a name that the hub has", () => {
    const names: readonly (readonly [name: string, segment: string])[] = [
      ["vera (test)", "vera%20%28test%29"],
      ["o'neil", "o%27neil"],
      ["last, first", "last%2C%20first"],
      ["anna@example.invalid", "anna@example.invalid"],
      ["user+tag", "user%2Btag"],
      ["größe", "gr%C3%B6%C3%9Fe"],
      ["100%", "100%25"],
      ["a*b!~_-.", "a%2Ab%21~_-."],
    ];
    for (const segment of [...names.map(([, encoded]) => encoded), "anna%40example.invalid"]) {
      const path = `/user/${segment}/gpu%202/`;
      it(path, async () => {
        const expected = `${host}${path}`;
        const spellings = [
          expected,
          `${refresh}${encodeURIComponent(expected)}`,
          `${refresh}${encodeURIComponent(path)}`,
          `${refresh}${encodeURIComponent(encodeURIComponent(path))}`,
          `${refresh}${path}`,
          `${refresh}${expected}&other=1`,
          `${refresh}${encodeURIComponent(path).replaceAll("%2F", "/")}`,
        ];
        for (const url of spellings) assert.equal(await found(url), expected, url);
        assert.equal(await found(target, { prefix: path }), expected);
      });
    }

    it("in the default prefix and in every request", async () => {
      for (const [name, segment] of names) {
        const { platform } = fakePlatform(() => response(200, { name }));
        const workspace = { id: workspaceId, instances: [{ status: "RUNNING", url: `${host}/somewhere` }] };
        const location = await findContentServer(platform, workspace);
        assert.ok(location.type === "found");
        const prefix = `/user/${segment}/4f7c21aa/`;
        assert.equal(location.base.pathname, prefix);
        const sent: string[] = [];
        const { transport, requests } = fakePlatform(() => response(200, item("a (b)", "directory")));
        const content = new Client(
          {
            kind: "notebook",
            base: location.base,
            dialect: dialects.documented,
            limits: singleUserLimits,
            credential: new NotebookToken(host, "a-token-of-the-test"),
          },
          {
            ...transport,
            openSocket: async ({ path }) => {
              sent.push(path);
              return undefined;
            },
          },
        );
        await content.call(getContent, { path: "a (b)" });
        const signal = new AbortController().signal;
        await content.openSocket("api/kernels/k/channels", { headers: {}, idleLimit: 1000, signal });
        sent.push(...requests.map((request) => request.path));
        assert.equal(sent.length, 2);
        assert.ok(
          sent.every((path) => path.startsWith(`${prefix}api/`)),
          sent.join(" "),
        );
      }
    });
  });

  it("never from an invalid address", async () => {
    for (const url of [undefined, "", "not an address", "/user/a/b/", "javascript:alert(1)", "data:text/html,x"]) {
      assert.match(await found(url), /^unknown: /, String(url));
    }
  });

  it("with the tenant's overrides first", async () => {
    const origin = "https://proxy.example.com";
    const template = "/hub-a/user/{namespace}/{workspace_short_id}/{workspace_id}";
    assert.equal(await found(target, { origin }), `${origin}/user/acme-dev-48/4f7c21aa/`);
    assert.equal(await found(target, { prefix: "/p/{workspace_short_id}" }), `${host}/p/4f7c21aa/`);
    assert.equal(await found(target, { prefix: "p//" }), `${host}/p/`);
    assert.equal(
      await found(undefined, { origin, prefix: template }),
      `${origin}/hub-a/user/ali%20ce/4f7c21aa/${workspaceId}/ after 1`,
    );
    assert.equal(await found(undefined, { origin }), `${origin}/user/ali%20ce/4f7c21aa/ after 1`);
    assert.match(await found(undefined, { origin: "http://proxy.example.com" }), /^unknown: .*doesn't use https/);
    assert.match(await found(undefined, { origin: "nonsense" }), /^unknown: /);
  });

  it("only of a running workspace", async () => {
    const fake = fakePlatform(() =>
      response(200, { id: workspaceId, instances: [{ status: "BOOTSTRAPPING", url: target }] }),
    );
    const { workspace, location } = await readContentServer(fake.platform, workspaceId, { origin: host });
    assert.equal(workspace.id, workspaceId);
    assert.deepEqual(location, { type: "notRunning" });
    assert.equal(fake.requests.length, 1);
  });
});
