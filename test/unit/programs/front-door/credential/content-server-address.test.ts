import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { LookupFunction } from "node:net";
import { NotebookToken } from "../../../../../src/api/http/credentials.ts";
import { environmentNetwork } from "../../../../../src/api/http/network/network-settings.ts";
import { createTransport } from "../../../../../src/api/http/transport.ts";
import { TransportError } from "../../../../../src/api/http/transport-errors.ts";
import { lookupFor } from "../../../../../src/programs/front-door/credential/content-server-address.ts";
import { serveLocally } from "../../../../harness/front-door/local-server.ts";

const platform = "https://acme.example.com";

/** Resolves every name to these addresses. */
function resolvingTo(...addresses: readonly string[]): LookupFunction {
  return (_, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const [first = assert.fail()] = found;
    if (all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}

/** The result for a name in both forms of a lookup, and the names that were refused. */
async function resolved(hostname: string, addresses: readonly string[], baseUrl = platform, origin?: string) {
  const refused: string[] = [];
  const contentServer = origin === undefined ? {} : { origin };
  const lookup = lookupFor({ baseUrl, contentServer }, (name) => refused.push(name), resolvingTo(...addresses));
  assert.ok(lookup !== undefined);
  const results = await Promise.all(
    [true, false].map(
      (all) =>
        new Promise((resolve) => {
          lookup(hostname, { all }, (error, found) => resolve(error?.code ?? found));
        }),
    ),
  );
  return { results, refused };
}

describe("front door: names of content servers", () => {
  for (const address of ["127.0.0.1", "0.0.0.0", "169.254.169.254", "::1", "::", "::ffff:127.0.0.1", "fe80::1%eth0"]) {
    it(`that lead to ${address} don't exist`, async () => {
      const { results, refused } = await resolved("notebooks.example.org", [address]);
      assert.deepEqual(results, ["ENOTFOUND", "ENOTFOUND"]);
      assert.deepEqual(refused, ["notebooks.example.org", "notebooks.example.org"]);
    });
  }

  it("don't exist if one of their addresses is local", async () => {
    assert.equal((await resolved("notebooks.example.org", ["192.0.2.1", "127.0.0.1"])).results[0], "ENOTFOUND");
  });

  it("lead to other addresses, also of private networks", async () => {
    for (const address of ["192.0.2.1", "10.1.2.3", "fd00::1"]) {
      const { results, refused } = await resolved("notebooks.example.org", [address]);
      assert.deepEqual([results[1], refused], [address, []]);
    }
  });

  it("may lead anywhere if the configuration contains them", async () => {
    assert.equal((await resolved("acme.example.com", ["127.0.0.1"])).results[1], "127.0.0.1");
    const template = "https://{tenant}.Example.com:8443/base";
    assert.equal((await resolved("one.example.com", ["127.0.0.1"], template)).results[1], "127.0.0.1");
    assert.equal((await resolved("example.com.evil.org", ["127.0.0.1"], template)).results[1], "ENOTFOUND");
    const origin = "https://notebooks.example.org";
    assert.equal((await resolved("notebooks.example.org", ["::1"], platform, origin)).results[1], "::1");
    for (const local of ["http://127.0.0.1:8080", "https://localhost"]) {
      assert.equal(
        lookupFor({ baseUrl: local, contentServer: {} }, () => {}),
        undefined,
      );
    }
  });

  it("are resolved this way for each connection", async () => {
    let requests = 0;
    const network = async () => environmentNetwork({}, {});
    const server = await serveLocally(
      createServer((_, response) => {
        requests += 1;
        response.end("{}");
      }),
    );
    const send = async (hosts: Parameters<typeof lookupFor>[0]) => {
      const lookup = lookupFor(hosts, () => {}, resolvingTo("127.0.0.1"));
      const transport = createTransport({
        ...(lookup === undefined ? {} : { lookup }),
        network,
        sleep: async () => {},
      });
      const url = new URL(`http://notebooks.example.org:${new URL(server.url).port}/`);
      try {
        return await transport.send({
          method: "GET",
          url,
          credential: new NotebookToken(url.origin, "token"),
          header: { name: "authorization", template: "token {token}" },
          headers: {},
          body: undefined,
          repeat: "repeatable",
          timeLimitMs: 60_000,
          transfer: false,
          signal: undefined,
          maximumBytes: 1000,
        });
      } finally {
        await transport.close();
      }
    };
    try {
      const failure = await send({ baseUrl: platform, contentServer: {} }).catch((error: unknown) => error);
      assert.ok(failure instanceof TransportError);
      assert.equal(requests, 0);
      const trusted = { origin: "http://notebooks.example.org" };
      assert.equal((await send({ baseUrl: platform, contentServer: trusted })).status, 200);
    } finally {
      await server.stop();
    }
  });
});
