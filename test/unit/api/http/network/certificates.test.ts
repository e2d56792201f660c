// Servers whose certificates aren't valid, directly and through a proxy.
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getWorkspace } from "../../../../../src/api/catalogue/operations/workspace-reading.ts";
import { Client } from "../../../../../src/api/client/client.ts";
import { PlatformCredential } from "../../../../../src/api/http/credentials.ts";
import { dialects } from "../../../../../src/api/http/dialects.ts";
import { environmentNetwork, type NetworkSettings } from "../../../../../src/api/http/network/network-settings.ts";
import { SystemTrust } from "../../../../../src/api/http/network/system-trust.ts";
import { singleUserLimits } from "../../../../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../../../../src/api/http/transport.ts";
import { codeOf, secureConnectionProblem } from "../../../../../src/api/http/transport-errors.ts";
import { makeTestAuthority, type TestAuthority } from "../../../../harness/network/certificates.ts";
import { type ConnectProxy, startConnectProxy } from "../../../../harness/network/connect-proxy.ts";
import { startTlsFront, type TlsFront } from "../../../../harness/network/tls-front.ts";
import { failureOf } from "../../fake-platform.ts";

const sentences = {
  expired:
    "the certificate of {0} has expired (CERT_HAS_EXPIRED). Check the date of this computer. If it's right, ask the administrator of the server for a new certificate. Nothing was sent.",
  otherHost:
    "the certificate of {0} is for another hostname (ERR_TLS_CERT_ALTNAME_INVALID). Check the address. If it's right, ask the administrator of the server for a certificate with this hostname. Nothing was sent.",
  unknown:
    "the certificate of {0} is from a certificate authority that this computer doesn't trust (UNABLE_TO_VERIFY_LEAF_SIGNATURE). Ask your administrator for the certificate of the authority. Add it to the certificates of your system, or name its file in the environment variable NODE_EXTRA_CA_CERTS, then restart. Nothing was sent.",
  notSecure:
    "{0} doesn't respond with https (ERR_SSL_WRONG_VERSION_NUMBER). Check the address: the server may expect http:// or have another port. Nothing was sent.",
};

describe("certificates", () => {
  let authority: TestAuthority;
  let server: Server;
  let requests = 0;
  let fronts: readonly TlsFront[];
  let proxy: ConnectProxy;
  let transports: Transport[];
  /** Addresses of servers, by the name of the sentence that they cause; `good` has a valid certificate. */
  let direct: Readonly<Record<string, string>>;

  before(async () => {
    authority = await makeTestAuthority();
    server = createServer((_, response) => {
      requests += 1;
      response.writeHead(200, { "content-type": "application/json" }).end('{"id":"w","instances":[]}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const plain = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const names = ["localhost", "good.test", "expired.test"];
    const good = await startTlsFront(plain, await authority.issue(names));
    const expired = await startTlsFront(plain, await authority.issue(names, { expired: true }));
    const otherHost = await startTlsFront(plain, await authority.issue(["elsewhere.test"]));
    fronts = [good, expired, otherHost];
    direct = {
      good: `https://localhost:${good.port}`,
      expired: `https://localhost:${expired.port}`,
      otherHost: `https://localhost:${otherHost.port}`,
      notSecure: plain.replace("http:", "https:"),
    };
    proxy = await startConnectProxy({
      hosts: {
        "good.test": good.url,
        "expired.test": expired.url,
        "other-host.test": otherHost.url,
        "plain.test": plain,
      },
    });
  });
  beforeEach(() => {
    transports = [];
    requests = 0;
    proxy.reset();
  });
  afterEach(() => Promise.all(transports.map((transport) => transport.close())));
  after(async () => {
    await proxy.stop();
    for (const front of fronts) await front.stop();
    server.closeAllConnections();
    server.close();
    await authority.remove();
  });

  function read(base: string, changes: Partial<NetworkSettings> = {}): Promise<unknown> {
    const network = { ...environmentNetwork({ proxy: proxy.url }, {}), ...changes };
    const transport = createTransport({ network: async () => network, sleep: async () => {} });
    transports.push(transport);
    const credential = new PlatformCredential(base, "a-token-of-the-test");
    const client = new Client(
      { kind: "platform", base: new URL(base), dialect: dialects.documented, credential, limits: singleUserLimits },
      transport,
    );
    return client.call(getWorkspace, { workspaceId: "w" });
  }

  const trusting = (): Partial<NetworkSettings> => ({
    systemTrust: new SystemTrust(async () => [authority.certificate]),
  });
  const messageOf = async (work: Promise<unknown>): Promise<string> => (await failureOf(work)).message;
  const sentence = (kind: keyof typeof sentences, where: string): string =>
    `Can't read workspace w: ${sentences[kind].replace("{0}", where)}`;

  it("reports each kind of certificate that isn't valid with its remedy, once and without sending anything", async () => {
    const through = {
      expired: "https://expired.test",
      otherHost: "https://other-host.test",
      notSecure: "https://plain.test",
    };
    for (const kind of ["expired", "otherHost", "notSecure"] as const) {
      assert.equal(await messageOf(read(direct[kind] ?? "", trusting())), sentence(kind, direct[kind] ?? ""));
      assert.equal(await messageOf(read(through[kind], trusting())), sentence(kind, through[kind]));
    }
    assert.equal(await messageOf(read(direct.good ?? "")), sentence("unknown", direct.good ?? ""));
    assert.equal(await messageOf(read("https://good.test")), sentence("unknown", "https://good.test"));
    assert.equal(requests, 0);
  });

  it("recognizes a server without https by the messages of other TLS libraries, too", () => {
    const inEditor =
      "write EPROTO 8:error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER:tls_record.cc:231:";
    const inOldNode =
      "write EPROTO 8:error:1408F10B:SSL routines:ssl3_get_record:wrong version number:ssl3_record.c:332:";
    const other =
      "write EPROTO 8:error:10000410:SSL routines:OPENSSL_internal:SSLV3_ALERT_HANDSHAKE_FAILURE:tls_record.cc:592:";
    const codes = [inEditor, inOldNode, other].map((text) =>
      codeOf(Object.assign(new Error(text), { code: "EPROTO" })),
    );
    assert.deepEqual(codes, ["ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_WRONG_VERSION_NUMBER", "EPROTO"]);
    assert.deepEqual(codes.map(secureConnectionProblem), ["notSecure", "notSecure", "protocol"]);
  });

  it("trusts the authorities of the system, directly and through a proxy", async () => {
    let reads = 0;
    const systemTrust = new SystemTrust(async () => {
      reads += 1;
      return [authority.certificate];
    });
    await Promise.all([
      ...Array.from({ length: 4 }, () => read(direct.good ?? "", { systemTrust })),
      ...Array.from({ length: 4 }, () => read("https://good.test", { systemTrust })),
    ]);
    assert.deepEqual([requests, reads], [8, 1]);
    const none = { systemTrust: new SystemTrust(async () => []) };
    assert.equal(await messageOf(read(direct.good ?? "", none)), sentence("unknown", direct.good ?? ""));
  });

  it("trusts what Node trusts without reading those of the system", async () => {
    const distrust = authority.trust();
    try {
      const systemTrust = new SystemTrust(() => Promise.reject(new Error("they must not be read")));
      await read(direct.good ?? "", { systemTrust });
      await read("https://good.test", { systemTrust });
    } finally {
      distrust();
    }
  });

  it("accepts every certificate if the check is off, also behind a proxy", async () => {
    const off = { strictCertificates: false };
    for (const base of [
      direct.good,
      direct.expired,
      direct.otherHost,
      "https://expired.test",
      "https://other-host.test",
    ]) {
      await read(base ?? "", off);
    }
    assert.equal(requests, 5);
  });
});
