// Random input from all peers of a front door: its callers, the internal service, the platform, and content servers.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { toolsFor } from "../../../src/programs/front-door/mcp/all-tools.ts";
import { bearer, callBody, callHeaders } from "./cases.ts";
import { jweCompact, makeEnvelopeKeys } from "./envelopes.ts";
import { startInternalService } from "./internal-service.ts";
import { startIssuer } from "./issuer.ts";
import { serveLocally } from "./local-server.ts";
import { type LongInput, longInputs, longValueOf } from "./long-inputs.ts";
import { boundedMemory, prepareProgram } from "./program.ts";
import { type RawResponse, sendRaw } from "./raw-http.ts";
import { credentialSlug, prefix } from "./rig.ts";

export interface FuzzOptions {
  readonly seed: number;
  /** Number of inputs. */
  readonly runs: number;
}

export interface FuzzFigures {
  readonly calls: number;
  /** Reported, but not limited, because it depends on the machine. */
  readonly worstLoopDelayMilliseconds: number;
  /** The processor time of the most expensive input, for each of its calls, as a multiple of a large ordinary response. */
  readonly worstProcessorTimeRatio: number;
  readonly megabytesAboveRest: number;
  /** The maximum during calls that several users send at once. */
  readonly crowdedMegabytesAboveRest: number;
}

/** The response of a platform or content server. */
interface HostileResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string | LongInput;
  /** Repeats the body until the connection is closed. */
  readonly endless: boolean;
}

/** An input: the hostile peer and what it sends. */
type Input =
  | { readonly from: "token"; readonly token: string; readonly keep: number }
  | { readonly from: "envelope"; readonly envelope: unknown; readonly cut: number }
  | { readonly from: "body"; readonly body: string }
  /** `at`: the arguments as a whole, or the argument of that name. */
  | {
      readonly from: "longArguments";
      readonly tool: string;
      readonly at: string | undefined;
      readonly value: LongInput;
    }
  | { readonly from: "arguments"; readonly tool: string; readonly given: Readonly<Record<string, unknown>> }
  | { readonly from: "platform"; readonly tool: string; readonly hostileResponse: HostileResponse }
  | { readonly from: "content"; readonly tool: string; readonly hostileResponse: HostileResponse }
  /** Calls that some users send at once. */
  | {
      readonly from: "crowd";
      readonly tool: string;
      readonly hostileResponse: HostileResponse;
      readonly calls: number;
      readonly users: number;
    };

const tools = toolsFor({ toolsets: [], readOnly: false }).map(({ listed }) => listed);
const workspaceTools = ["contents_list", "contents_read", "contents_write", "contents_checkpoints_list"];
const platformTools = ["roles_list", "designs_list", "workspaces_search", "workflows_list", "users_list", "pages_get"];
const wanted: Readonly<Record<string, unknown>> = {
  workspaceId: "w",
  path: "a.ipynb",
  content: "text",
  designId: "d",
  pageId: "1",
  body: {},
};

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom("__proto__", "constructor", "../..", "%2e%2e%2f", "\u0000", "\ud800", "1e400", "-0", ""),
  fc.tuple(fc.string({ minLength: 1, maxLength: 6 }), fc.nat({ max: 5000 })).map(([part, times]) => part.repeat(times)),
);
const smallJson = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value));
const parts = ["[", "{}", "[{}],", '{"a":', '"', "\\", ",", "null,", '{"id":"a"},', '["\\u0000"],', "1e9,", " "];
const largeJson = fc
  .tuple(fc.constantFrom(...parts), fc.integer({ min: 1, max: 2_000_000 }), fc.constantFrom("", "[", '{"content":['))
  .map(([part, times, start]) => `${start}${part.repeat(times)}`.slice(0, 9_000_000));
const lists = fc
  .tuple(fc.constantFrom("{}", '{"id":"a","name":7}', '{"name":"a","path":"a","type":"directory"}'), fc.nat(99_000))
  .map(([item, count]) => `[${Array(count).fill(item).join(",")}]`.slice(0, 9_000_000));
const responses: fc.Arbitrary<HostileResponse> = fc.record({
  status: fc.constantFrom(200, 200, 200, 200, 200, 200, 200, 200, 200, 204, 301, 400, 401, 403, 404, 429, 500, 503),
  type: fc.constantFrom("application/json", "text/html", "application/octet-stream", ""),
  body: fc.oneof(
    smallJson,
    text,
    largeJson,
    lists,
    lists.map((list) => `{"type":"directory","content":${list}}`),
    { arbitrary: longInputs, weight: 5 },
  ),
  endless: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
});
const given = fc.constantFrom(...tools).chain(({ name, inputSchema }) => {
  const members = Object.keys(inputSchema.properties).map(
    (member) => [member, fc.oneof(fc.jsonValue(), text)] as const,
  );
  return fc
    .record(Object.fromEntries(members), { requiredKeys: [...(inputSchema.required ?? [])] })
    .map((value) => ({ from: "arguments" as const, tool: name, given: value }));
});
const longArguments = fc.constantFrom(...tools).chain(({ name, inputSchema }) =>
  fc.record({
    from: fc.constant("longArguments" as const),
    tool: fc.constant(name),
    value: longInputs,
    at: fc.constantFrom(undefined, ...Object.keys(inputSchema.properties)),
  }),
);
const inputs: fc.Arbitrary<Input> = fc.oneof(
  longArguments,
  fc.record({ from: fc.constant("token" as const), token: text, keep: fc.nat(900) }),
  fc.record({ from: fc.constant("envelope" as const), envelope: fc.oneof(fc.jsonValue(), text), cut: fc.nat(600) }),
  fc.record({
    from: fc.constant("body" as const),
    body: fc.oneof(
      smallJson,
      largeJson.map((one) => one.slice(0, 900_000)),
    ),
  }),
  given,
  fc.record({
    from: fc.constant("platform" as const),
    tool: fc.constantFrom(...platformTools),
    hostileResponse: responses,
  }),
  fc.record({
    from: fc.constant("content" as const),
    tool: fc.constantFrom(...workspaceTools),
    hostileResponse: responses,
  }),
);

const crowds: fc.Arbitrary<Input> = fc.record({
  from: fc.constant("crowd" as const),
  tool: fc.constantFrom(...workspaceTools, ...platformTools),
  hostileResponse: responses,
  calls: fc.integer({ min: 2, max: 30 }),
  users: fc.integer({ min: 1, max: 3 }),
});

/** A list of the ordinary shape, of 4 MB. Its processor time, measured on the same machine, is the unit of the limit. */
const largeOrdinaryResponse: Input = {
  from: "content",
  tool: "contents_list",
  hostileResponse: {
    status: 200,
    type: "application/json",
    endless: false,
    body: `{"type":"directory","content":[${Array(80_000).fill('{"name":"a","path":"a","type":"file"}').join(",")}]}`,
  },
};

/** Bytes. A complete request can have a megabyte. */
const maxArgumentLength = 900_000;
/** A crowd sends many calls, so there are fewer of them. */
const runsPerCrowd = 40;
/**
 * Limits for the effect of a call, or of many, on all others. Ordinary inputs reach a processor time of 6 responses, and work
 * that grows faster than its input, thousands.
 */
const limits = { processorTimeRatio: 40, megabytes: 64, crowdedMegabytes: 160 };
/** The stored credential, which no response may contain. */
const credential = "the-stored-credential-of-the-fuzzer-7f3a";

/**
 * Sends random inputs to the bundled program in its own process. Fails if the program responds with 500, reveals the
 * credential, doesn't respond, or uses more memory than a single call, or a crowd of calls, may use. Also fails if a call
 * takes many times the processor time of a large ordinary response, because it blocks the event loop for all others.
 */
export async function fuzzFrontDoor({ seed, runs }: FuzzOptions): Promise<FuzzFigures> {
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-fuzz-"));
  const issuer = await startIssuer();
  const internal = await startInternalService("the-internal-secret-of-the-fuzzer-0123456789");
  let hostile: HostileResponse | undefined;
  const platform = await serveLocally(
    createServer((request, response) => {
      request.resume();
      response.on("error", () => {});
      const isContent = (request.url ?? "").startsWith("/user/");
      const isPlace = /\/workspaces\/w$/.test(request.url ?? "") && content;
      send(response, isPlace ? running : content && !isContent ? namespace : (hostile ?? namespace));
    }),
  );
  let content = false;
  const running = plainResponse({
    id: "w",
    instances: [{ id: "i", status: "RUNNING", url: `${platform.url}/user/a/w/` }],
  });
  const namespace = plainResponse({ name: "team" });
  const keys = makeEnvelopeKeys();
  const { privatePem } = keys;
  const start = await prepareProgram(directory, { issuer, internal, platform, envelopeKeys: { privatePem } });
  const program = await start({
    ...boundedMemory,
    FRONT_DOOR_REQUESTS_PER_MINUTE: "10000000",
    FRONT_DOOR_READ_ONLY: "false",
    FRONT_DOOR_LOG_LEVEL: "error",
  });
  const good = await jweCompact(credential, keys.publicKey);
  const tokens = ["fuzzer", "second", "third"].map((sub) => {
    const email = `${sub}@example.com`;
    internal.entitled.add(email);
    internal.store(email, credentialSlug, good);
    internal.store(email, "notebook-w", good);
    return issuer.sign({ sub, email });
  });
  const [token = ""] = tokens;
  let calls = 0;
  let people = 0;

  const call = (shown: string, name: string, body: string): Promise<RawResponse> =>
    sendRaw(program.url, {
      headers: [
        ...callHeaders.filter(([header]) => header !== "Mcp-Name"),
        ["Mcp-Name", name],
        ...bearer(`${prefix}${shown}`),
      ],
      body,
    });

  function tried(input: Input): Promise<readonly RawResponse[]> {
    const { users, calls: count } = input.from === "crowd" ? input : { users: 1, calls: 1 };
    return Promise.all(Array.from({ length: count }, (_, nth) => triedBy(tokens[nth % users] ?? token, input)));
  }

  async function triedBy(own: string, input: Input): Promise<RawResponse> {
    calls += 1;
    hostile = undefined;
    content = false;
    switch (input.from) {
      case "token": {
        const shown = (token.slice(0, input.keep) + input.token).replace(/[^\x21-\x7e]/g, "?");
        return call(shown, "roles_list", callBody());
      }
      case "envelope": {
        people += 1;
        const email = `person-${people}@example.com`;
        internal.entitled.add(email);
        internal.store(email, credentialSlug, input.cut > 400 ? input.envelope : good.slice(0, input.cut));
        return call(issuer.sign({ sub: email, email }), "roles_list", callBody());
      }
      case "body":
        return call(token, "roles_list", input.body);
      case "arguments":
        return call(token, input.tool, callBody(input.tool, input.given));
      case "longArguments": {
        const value = longValueOf(input.value, maxArgumentLength);
        const given = input.at === undefined ? { value } : { ...wanted, [input.at]: value };
        const whole = input.at === undefined && typeof value === "object" ? value : given;
        return call(token, input.tool, callBody(input.tool, whole ?? {}));
      }
      case "platform":
      case "content":
      case "crowd": {
        hostile = input.hostileResponse;
        content = workspaceTools.includes(input.tool);
        const required = tools.find(({ name }) => name === input.tool)?.inputSchema.required ?? [];
        const least = Object.fromEntries([...required].map((name) => [name, wanted[name] ?? "1"]));
        return call(own, input.tool, callBody(input.tool, least));
      }
    }
  }

  /**
   * The worst delay of the event loop since the last call and the total CPU time, in milliseconds, and the memory in
   * MB.
   */
  async function load(): Promise<{ readonly delay: number; readonly cpu: number; readonly megabytes: number }> {
    const metrics = await (await fetch(`${program.url}/metrics`)).text();
    const figure = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
    return {
      delay: figure("nodejs_eventloop_lag_max_seconds") * 1000,
      cpu: figure("process_cpu_seconds_total") * 1000,
      megabytes: figure("process_resident_memory_bytes") / 2 ** 20,
    };
  }

  /** Milliseconds of processor time: the median, because the collection of garbage adds to some measurements. */
  async function processorTimeOf(input: Input): Promise<number> {
    const times: number[] = [];
    for (let nth = 0; nth < 7; nth += 1) {
      const before = await load();
      await tried(input);
      times.push((await load()).cpu - before.cpu);
    }
    return times.sort((one, other) => one - other)[3] ?? 0;
  }

  try {
    // The first run includes compilation and the growth of the heap.
    for (const input of fc.sample(inputs, { seed, numRuns: 60 })) await tried(input);
    calls = 0;
    const rest = (await load()).megabytes;
    let worstDelay = 0;
    let worstRatio = 0;
    const ordinary = await processorTimeOf(largeOrdinaryResponse);
    const max = async (from: fc.Arbitrary<Input>, numRuns: number, megabytesAllowed: number): Promise<number> => {
      let above = 0;
      await fc.assert(
        fc.asyncProperty(from, async (input) => {
          let least = Number.POSITIVE_INFINITY;
          let leastAbove = Number.POSITIVE_INFINITY;
          const count = input.from === "crowd" ? input.calls : 1;
          // Takes the smallest of several measurements, because earlier garbage and its collection add to some of them.
          const isOver = (): boolean => least > limits.processorTimeRatio || leastAbove > megabytesAllowed;
          for (let nth = 0; nth < 10 && isOver(); nth += 1) {
            const before = await load();
            const responses = await tried(input);
            const { delay, cpu, megabytes } = await load();
            least = Math.min(least, (cpu - before.cpu) / count / ordinary);
            worstDelay = Math.max(worstDelay, delay);
            leastAbove = Math.min(leastAbove, megabytes - rest);
            for (const { status, text: shown } of responses) {
              assert.ok(status > 0 && status !== 500, `status ${status}`);
              assert.ok(!shown.includes(credential), "the answer shows the credential");
            }
          }
          worstRatio = Math.max(worstRatio, least);
          above = Math.max(above, leastAbove);
          assert.ok(
            least <= limits.processorTimeRatio,
            `a call took ${least.toFixed(1)} times the processor time of a large ordinary response`,
          );
          assert.ok(leastAbove <= megabytesAllowed, `${Math.round(leastAbove)} MB above rest`);
          assert.equal(program.child.exitCode, null, "the process has ended");
        }),
        { seed, numRuns, endOnFailure: true },
      );
      return Math.round(above);
    };
    const megabytesAboveRest = await max(inputs, runs, limits.megabytes);
    const crowdedMegabytesAboveRest = await max(crowds, Math.ceil(runs / runsPerCrowd), limits.crowdedMegabytes);
    return {
      calls,
      megabytesAboveRest,
      crowdedMegabytesAboveRest,
      worstLoopDelayMilliseconds: Math.round(worstDelay),
      worstProcessorTimeRatio: Math.round(worstRatio * 10) / 10,
    };
  } finally {
    await program.stop();
    await Promise.all([platform.stop(), internal.stop(), issuer.stop()]);
    await rm(directory, { recursive: true, force: true });
  }
}

function plainResponse(value: unknown): HostileResponse {
  return { status: 200, type: "application/json", body: JSON.stringify(value), endless: false };
}

function send(response: ServerResponse, { status, type, body: given, endless }: HostileResponse): void {
  const body = typeof given === "string" ? given : JSON.stringify(longValueOf(given));
  response.writeHead(status, type === "" ? {} : { "content-type": type });
  if (!endless || body === "" || status === 204) {
    response.end(body);
    return;
  }
  const part = body.repeat(Math.ceil(65_536 / body.length));
  const fill = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on("drain", fill);
  fill();
}
