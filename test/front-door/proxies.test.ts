// The front door as it is shipped, on a host that reaches the issuer and the platform only through an HTTP proxy.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withCaller } from "../harness/front-door/calls.ts";
import { prepareProgram } from "../harness/front-door/program.ts";
import { type Rig, startRig } from "../harness/front-door/rig.ts";
import { makeTestAuthority, type TestAuthority } from "../harness/network/certificates.ts";
import { type ConnectProxy, startConnectProxy } from "../harness/network/connect-proxy.ts";
import { startTlsFront, type TlsFront } from "../harness/network/tls-front.ts";

const login = "door:a password";

describe("front door: behind an HTTP proxy", () => {
  let rig: Rig;
  let directory: string;
  let authority: TestAuthority;
  let fronts: readonly [TlsFront, TlsFront];
  let proxy: ConnectProxy;

  before(async () => {
    rig = await startRig();
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-front-door-proxy-"));
    authority = await makeTestAuthority();
    const certificate = await authority.issue(["platform.test", "issuer.test"]);
    fronts = [await startTlsFront(rig.platform.url, certificate), await startTlsFront(rig.issuer.url, certificate)];
    proxy = await startConnectProxy({
      login,
      hosts: { "platform.test": fronts[0].url, "issuer.test": fronts[1].url },
    });
  });
  after(async () => {
    await proxy.stop();
    for (const front of fronts) await front.stop();
    await authority.remove();
    await rig.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it("reads its keys and calls the platform through HTTPS_PROXY, but not what NO_PROXY names", async () => {
    const start = await prepareProgram(directory, rig);
    const internal = new URL(rig.internal.url);
    const program = await start({
      HTTPS_PROXY: proxy.url.replace("//", `//${login.split(":").map(encodeURIComponent).join(":")}@`),
      HTTP_PROXY: proxy.url,
      NO_PROXY: internal.host,
      NODE_EXTRA_CA_CERTS: authority.file,
      FRONT_DOOR_PLATFORM_BASE_URL: "https://platform.test",
      FRONT_DOOR_JWKS_URL: new URL(new URL(rig.issuer.keySetUrl).pathname, "https://issuer.test").href,
    });
    try {
      const token = rig.token(await rig.person());
      const { status, failed } = await withCaller(program.url, (call) => call(token));
      assert.deepEqual([status, failed], [200, undefined]);
    } finally {
      await program.stop();
    }
    const targets = proxy.requests.map(({ method, target, status, credentials }) => {
      assert.deepEqual([method, status, credentials], ["CONNECT", 200, login]);
      return target;
    });
    assert.deepEqual([...new Set(targets)].sort(), ["issuer.test:443", "platform.test:443"]);
    assert.ok(!program.output().includes(login.split(":")[1] ?? ""), "the proxy's password is in the log");
  });
});
