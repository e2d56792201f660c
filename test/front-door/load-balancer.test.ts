// Two front doors behind nginx with the shipped configuration: any of them can answer any request.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { type Agent, Agent as HttpsAgent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { bearer, callBody, callHeaders } from "../harness/front-door/cases.ts";
import { type CountingPlatform, startCountingPlatform } from "../harness/front-door/counting-platform.ts";
import { jweCompact, makeEnvelopeKeys } from "../harness/front-door/envelopes.ts";
import { type InternalService, startInternalService } from "../harness/front-door/internal-service.ts";
import { type Issuer, startIssuer } from "../harness/front-door/issuer.ts";
import { type LoadBalancer, startLoadBalancer } from "../harness/front-door/load-balancer.ts";
import { type Environment, type Program, prepareProgram } from "../harness/front-door/program.ts";
import { credentialSlug, prefix } from "../harness/front-door/rig.ts";
import { until } from "../harness/until.ts";

type Headers = readonly (readonly [string, string])[];

describe("front door: two behind nginx", () => {
  let directory: string;
  let issuer: Issuer;
  let internal: InternalService;
  let platform: CountingPlatform;
  let start: (more?: Environment) => Promise<Program>;
  let instances: Program[] = [];
  let balancer: LoadBalancer;
  let agent: Agent;
  const envelopeKeys = makeEnvelopeKeys();
  const shared: Environment = {
    FRONT_DOOR_TRUSTED_PROXIES: "127.0.0.1",
    FRONT_DOOR_STATE_SECRET: "the-state-secret-that-both-have-0123456789",
    FRONT_DOOR_READ_ONLY: "false",
    FRONT_DOOR_REQUESTS_PER_MINUTE: "1000000",
    FRONT_DOOR_DRAIN_SECONDS: "1",
    // On a slow machine, the calls take longer than its default.
    FRONT_DOOR_CREDENTIAL_CACHE_SECONDS: "300",
  };

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-balancer-"));
    [issuer, internal, platform] = await Promise.all([
      startIssuer(),
      startInternalService("the-internal-secret-of-both-0123456789"),
      startCountingPlatform(),
    ]);
    start = await prepareProgram(directory, { issuer, internal, platform, envelopeKeys });
    const [first, second] = await Promise.all([start(shared), start(shared)]);
    instances = [first, second];
    balancer = await startLoadBalancer(directory, [first.url, second.url]);
    agent = new HttpsAgent({ keepAlive: true, maxSockets: 20, ca: balancer.certificate });
    internal.entitled.add("anna@example.com");
    internal.store("anna@example.com", credentialSlug, await jweCompact("the-credential", envelopeKeys.publicKey));
    platform.credentials.add("the-credential");
  });
  after(async () => {
    agent?.destroy();
    await balancer?.stop();
    await Promise.all(instances.map((one) => one.stop()));
    await Promise.all([issuer.stop(), internal.stop(), platform.stop()]);
    await rm(directory, { recursive: true, force: true });
  });

  function send(
    path: string,
    headers: Headers,
    body: string,
    method = "POST",
  ): Promise<{ readonly status: number; readonly body: string }> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        `${balancer.url}${path}`,
        { method, headers: Object.fromEntries(headers), agent, servername: "localhost" },
        (response) => {
          text(response).then((all) => resolve({ status: response.statusCode ?? 0, body: all }), reject);
        },
      );
      outgoing.once("error", reject);
      outgoing.end(body);
    });
  }

  const token = (): Headers => bearer(`${prefix}${issuer.sign()}`);
  const call = (more: Headers = []): ReturnType<typeof send> =>
    send("/mcp", [...callHeaders, ...token(), ...more], callBody());
  const calls = (program: Program): number => program.output().split('"audit":"/mcp"').length - 1;

  it("both serve requests, without sticky sessions", async () => {
    const responses = await Promise.all(Array.from({ length: 60 }, () => call()));
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200]);
    assert.ok(responses.every(({ body }) => body.includes('"text":"{\\"result\\":[]}"')));
    // Log lines come after the responses, and for seconds, nginx skips a server that took too long to connect.
    const haveServed = async (): Promise<boolean> => {
      if (instances.every((one) => calls(one) > 0)) return true;
      await call();
      return false;
    };
    const seen = (): string => instances.map(calls).join(" and ");
    await until("calls at both", haveServed, { seconds: 60, interval: 100, seen });
    assert.equal(internal.count("credential"), 2);
  });

  it("a streamed response of the previous revision is forwarded", async () => {
    const headers: Headers = [...callHeaders.slice(0, 2), ["MCP-Protocol-Version", "2025-11-25"], ...token()];
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const response = await send("/mcp", headers, body);
    assert.equal(response.status, 200);
    assert.match(response.body, /^event: message\ndata: .*"roles_list"/);
  });

  it("one carries out what the other asked to confirm, because they share the state secret", async () => {
    const name = "workflows_delete";
    const named: Headers = [...callHeaders.filter(([header]) => header !== "Mcp-Name"), ["Mcp-Name", name], ...token()];
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
    };
    const params = { name, arguments: { modelId: "a-model" }, _meta: meta };
    const ask = async (more: object): Promise<Record<string, unknown>> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...params, ...more } });
      const response = await send("/mcp", named, body);
      const { result }: { result?: Record<string, unknown> } = JSON.parse(response.body);
      assert.ok(result !== undefined, response.body);
      return result;
    };
    const before = instances.map(calls);
    const deletions = (): number => platform.requests.filter(({ method }) => method === "DELETE").length;
    for (let nth = 0; nth < 3; nth += 1) {
      const { resultType, requestState, inputRequests } = await ask({});
      assert.equal(resultType, "input_required");
      const [question = ""] = Object.keys(inputRequests ?? {});
      await ask({ requestState, inputResponses: { [question]: { action: "accept", content: { confirm: true } } } });
    }
    assert.equal(deletions(), 3);
    assert.deepEqual(
      instances.map((one, nth) => calls(one) > (before[nth] ?? 0)),
      [true, true],
    );
  });

  it("only the tools are reachable from outside", async () => {
    const secret: Headers = [
      ["X-Webui-Secret", internal.secret],
      ["Content-Type", "application/json"],
    ];
    const about = JSON.stringify({ email: "anna@example.com", slug: credentialSlug });
    for (const path of [
      "/internal/validate",
      "/mcp/../internal/validate",
      "//internal/validate",
      "/internal%2Fvalidate",
      "/mcp/",
    ]) {
      assert.equal((await send(path, secret, about)).status, 404, path);
    }
    for (const path of ["/metrics", "/healthz", "/readyz", "/"])
      assert.equal((await send(path, [], "", "GET")).status, 404, path);
    assert.equal((await send("/.well-known/oauth-protected-resource/mcp", [], "", "GET")).status, 200);
  });

  it("rejections are forwarded unchanged, and a client's own address header is ignored", async () => {
    const missing = await send("/mcp", callHeaders, callBody());
    assert.equal(missing.status, 401);
    assert.match(missing.body, /"reason":"missing_token"/);
    assert.equal((await call([["X-Forwarded-For", "192.0.2.1"]])).status, 200);
    for (const one of instances) {
      assert.match(one.output(), /"audit":"\/mcp".*"client":"127\.0\.0\.1"/);
      assert.ok(!one.output().includes("192.0.2.1"));
    }
    const large = await send("/mcp", [...callHeaders, ...token()], "x".repeat(1_100_000));
    assert.equal(large.status, 413);
  });

  it("one of them ends during calls: each call gets its response, except for those that arrive at that moment", async () => {
    let ending: Promise<number | null> | undefined;
    let isOver = false;
    const statuses: number[] = [];
    const lane = async (): Promise<void> => {
      while (!isOver || statuses.length < 200) {
        statuses.push((await call()).status);
        if (statuses.length === 20) {
          ending = instances[0]?.stop().finally(() => {
            isOver = true;
          });
        }
      }
    };
    const lanes = 4;
    await Promise.all(Array.from({ length: lanes }, lane));
    const others = statuses.filter((status) => status !== 200);
    // The system resets connections that wait to be accepted at the moment when listening ends. This can't be
    // prevented.
    assert.ok(
      others.length <= lanes && others.every((status) => status === 502),
      `${others} of ${statuses.length} calls`,
    );
    assert.equal(await ending, 0);
  });
});
