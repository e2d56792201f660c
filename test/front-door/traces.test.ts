// Traces of the shipped program, sent to a receiver on this machine: the spans, their content, and the cost of a
// failing receiver.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withCaller } from "../harness/front-door/calls.ts";
import { bearer, callBody, callHeaders, callWith } from "../harness/front-door/cases.ts";
import { type Environment, type Program, prepareProgram } from "../harness/front-door/program.ts";
import { type RawResponse, sendRaw } from "../harness/front-door/raw-http.ts";
import { credentialSlug, type Person, prefix, type Rig, startRig } from "../harness/front-door/rig.ts";
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from "../harness/front-door/trace-receiver.ts";
import { until } from "../harness/until.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const callerSpan = "b7ad6b7169203331";
const collectorSecret = "the-secret-of-the-collector";

describe("front door: traces", () => {
  let directory: string;
  let rig: Rig;
  let receiver: TraceReceiver;
  let start: (more?: Environment) => Promise<Program>;
  let program: Program;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-traces-"));
    [rig, receiver] = await Promise.all([startRig(), startTraceReceiver()]);
    const prepared = await prepareProgram(directory, rig);
    start = (more) =>
      prepared({
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${collectorSecret}`,
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=tests",
        OTEL_SERVICE_NAME: "the-front-door-of-the-tests",
        OTEL_BSP_SCHEDULE_DELAY: "20",
        ...more,
      });
    program = await start();
  });
  after(async () => {
    await program?.stop();
    await receiver?.stop();
    await rig?.stop();
    await rm(directory, { recursive: true, force: true });
  });
  beforeEach(() => {
    receiver.mode = "answered";
    receiver.reset();
    rig.takeReached();
  });
  afterEach(() => rig.repair());

  const callAs = (person: Person, more: readonly (readonly [string, string])[] = []): Promise<RawResponse> =>
    sendRaw(program.url, callWith([...bearer(`${prefix}${rig.token(person)}`), ...more]));

  /** The spans of the next complete request after those of `count` have arrived. A request's own span ends last. */
  async function untilRequest(
    route = "/mcp",
    count = 1,
  ): Promise<{ readonly root: ReceivedSpan; readonly spans: readonly ReceivedSpan[] }> {
    const firstOfAll = (): ReceivedSpan | undefined => {
      const roots = receiver.spans.filter(({ name }) => name === `POST ${route}`);
      return roots.length < count ? undefined : roots[0];
    };
    const seen = (): string => receiver.spans.map(({ name }) => name).join();
    const root = await until(`spans of ${count} requests`, firstOfAll, { seen });
    return { root, spans: receiver.spans.filter(({ traceId: own }) => own === root.traceId) };
  }

  /** Names by their parents' names. */
  function treeOf(spans: readonly ReceivedSpan[], parent: ReceivedSpan): unknown {
    const below = spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
    return below.length === 0
      ? parent.name
      : { [parent.name]: below.map((one) => treeOf(spans, one)).toSorted(byName) };
  }

  function byName(one: unknown, other: unknown): number {
    return JSON.stringify(one).localeCompare(JSON.stringify(other));
  }

  function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
    const found = spans.find((one) => one.name === name);
    assert.ok(found !== undefined, name);
    return found;
  }

  it("has a span for each stage, within the caller's trace; the internal service continues it, the platform does not", async () => {
    const person = await rig.person();
    const response = await callAs(person, [
      ["traceparent", `00-${traceId}-${callerSpan}-01`],
      ["tracestate", "vendor=value"],
    ]);
    assert.equal(response.status, 200);
    const { root, spans } = await untilRequest();
    assert.deepEqual([root.traceId, root.parentSpanId], [traceId, callerSpan]);
    assert.deepEqual(treeOf(spans, root), {
      "POST /mcp": [
        "authenticate",
        "limit",
        "read body",
        "revocation",
        { "tool call": ["platform request"] },
        { credential: ["internal request"] },
        { entitlement: ["internal request"] },
      ].toSorted(byName),
    });
    assert.ok(spans.every(({ error }) => error === undefined));
    assert.equal(root.attributes["http.response.status_code"], 200);
    assert.equal(root.attributes["frontdoor.request_id"], response.headers.get("x-request-id")?.[0]);
    assert.equal(named(spans, "tool call").attributes["gen_ai.tool.name"], "roles_list");
    const outgoing = spans
      .filter(({ name }) => name === "internal request")
      .map(({ spanId }) => `00-${traceId}-${spanId}-01`);
    assert.deepEqual(rig.internal.requests.map(({ headers }) => headers.traceparent).toSorted(), outgoing.toSorted());
    assert.ok(rig.internal.requests.every(({ headers }) => headers.tracestate === "vendor=value"));
    assert.equal(rig.platform.requests.length, 1);
    assert.ok(rig.platform.requests.every(({ headers }) => !("traceparent" in headers) && !("tracestate" in headers)));
    assert.equal(receiver.resource["service.name"], "the-front-door-of-the-tests");
    assert.equal(receiver.resource["deployment.environment"], "tests");
  });

  for (const traceparent of [
    "00-00000000000000000000000000000000-b7ad6b7169203331-01",
    `00-${traceId}-0000000000000000-01`,
    `ff-${traceId}-${callerSpan}-01`,
    `00-${traceId.toUpperCase()}-${callerSpan}-01`,
    "planted",
  ]) {
    it(`starts a new trace if the caller's is ${traceparent}`, async () => {
      await callAs(await rig.person(), [["traceparent", traceparent]]);
      const { root } = await untilRequest();
      assert.notEqual(root.traceId, traceId);
      assert.equal(root.parentSpanId, "");
    });
  }

  it("records nothing if the caller doesn't record the trace", async () => {
    await callAs(await rig.person(), [["traceparent", `00-${traceId}-${callerSpan}-00`]]);
    await callAs(await rig.person());
    const { root } = await untilRequest();
    assert.notEqual(root.traceId, traceId);
    assert.ok(receiver.spans.every((one) => one.traceId !== traceId));
  });

  it("records what failed and of what kind: at the platform, at the internal service, at the gate", async () => {
    rig.platform.responseWith({ status: 500, body: '{"message":"planted-message"}' });
    await callAs(await rig.person());
    const first = await untilRequest();
    assert.equal(named(first.spans, "platform request").error, "500");
    assert.equal(named(first.spans, "tool call").error, "retrieval");
    assert.equal(first.root.error, "failed");

    rig.repair();
    receiver.reset();
    rig.internal.fail("entitlement", { kind: "status", status: 500 });
    await callAs(await rig.person());
    const second = await untilRequest();
    assert.equal(named(second.spans, "entitlement").error, "unavailable");
    assert.equal(second.root.error, "unavailable");

    rig.repair();
    receiver.reset();
    await sendRaw(program.url, callWith(bearer(`${prefix}x.y.z`)));
    const third = await untilRequest();
    assert.equal(named(third.spans, "authenticate").error, "invalidToken");
    // A client's error is not a failure of this server.
    assert.deepEqual([third.root.error, third.root.attributes["error.type"]], [undefined, "invalidToken"]);
  });

  it("contains no token, user, credential, argument, or response; the log doesn't contain the receiver's secret", async () => {
    const person = await rig.person();
    const token = rig.issuer.sign({ ...rig.claims(person), jti: "planted-token-id" });
    rig.platform.responseWith({ status: 200, body: '[{"id":1,"name":"planted-answer"}]' });
    const headers = [
      ...callHeaders,
      ...bearer(`${prefix}${token}`),
      ["X-Planted", "planted-header"],
      ["tracestate", "planted=planted-state"],
    ] as const;
    for (const body of [
      callBody("roles_list"),
      callBody("roles_list", { "planted-name": "planted-argument" }),
      callBody("planted-tool"),
      JSON.stringify({ jsonrpc: "2.0", id: "planted-id", method: "planted/method" }),
      '{"planted-member": ',
    ]) {
      receiver.reset();
      await sendRaw(program.url, { method: "POST", target: "/mcp?planted-query", headers, body });
      const withoutQuery = await sendRaw(program.url, { method: "POST", target: "/mcp", headers, body });
      // The first body is a call that is served, the others are refused.
      assert.equal(withoutQuery.text.includes("planted-answer"), body === callBody("roles_list"), withoutQuery.text);
      // Later spans would be missing here, and be attributed to the next request.
      await untilRequest("/mcp", 2);
      const sent = receiver.received();
      assert.ok(sent.includes("authenticate"));
      for (const secret of [
        ...["planted", person.email, person.credential, rig.internal.secret, String(rig.claims(person).sub)],
        ...token.split("."),
      ]) {
        assert.ok(!sent.includes(secret), secret);
      }
    }
    receiver.reset();
    await sendRaw(program.url, {
      target: "/internal/validate",
      headers: [
        ["X-Webui-Secret", rig.internal.secret],
        ["Content-Type", "application/json"],
      ],
      body: JSON.stringify({ email: person.email, slug: credentialSlug }),
    });
    await untilRequest("/internal/validate");
    assert.ok(!receiver.received().includes(person.email));
    // The receiver gets its own secret, and no one else does.
    assert.ok(receiver.received().includes(collectorSecret));
    assert.ok(!program.output().includes(collectorSecret));
  });

  for (const mode of ["refused", "hanging"] as const) {
    it(`a receiver that is ${mode} doesn't fail calls or delay the exit of the program`, async () => {
      receiver.mode = mode;
      const other = await start({
        OTEL_BSP_MAX_QUEUE_SIZE: "32",
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "8",
        // Waiting for the receiver would take longer than the test.
        OTEL_EXPORTER_OTLP_TIMEOUT: "3600000",
        OTEL_BSP_EXPORT_TIMEOUT: "3600000",
      });
      try {
        const person = await rig.person();
        const statuses = await withCaller(other.url, async (call) => {
          const all: number[] = [];
          for (let nth = 0; nth < 40; nth += 1) all.push((await call(rig.token(person))).status);
          return all;
        });
        assert.deepEqual([...new Set(statuses)], [200]);
        assert.equal(await other.stop(), 0, other.output());
        assert.ok(!other.output().includes("no room"));
      } finally {
        await other.stop();
      }
    });
  }

  it("without a listener at the endpoint, serves calls, and logs once that traces are dropped", async () => {
    const gone = await startTraceReceiver();
    await gone.stop();
    const other = await start({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${gone.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_TIMEOUT: "300",
    });
    try {
      const person = await rig.person();
      for (let nth = 0; nth < 10; nth += 1) {
        const response = await withCaller(other.url, (call) => call(rig.token(person)));
        assert.equal(response.status, 200);
      }
      await until("the log line", () => other.output().includes("traces can't be sent"), { seen: other.output });
      assert.equal(other.output().split("traces can't be sent").length, 2);
    } finally {
      await other.stop();
    }
  });
});
