// The cost of each kind of request for a front door.
import { callBody, callHeaders } from "../../harness/front-door/cases.ts";
import { boundedMemory, type Program } from "../../harness/front-door/program.ts";
import type { Figures, Load, LoadProcess } from "./load.ts";
import {
  badlySigned,
  callLoad,
  type Headers,
  memoryOf,
  metricOf,
  peakMemoryOf,
  type Surroundings,
  withToken,
} from "./surroundings.ts";

const warmUpSeconds = 2;
/** Latency is measured with a few parallel requests: with 32, it is that of the queue in front of them. */
const fewConnections = 2;

/** The output of `--json`. Latencies are in milliseconds. */
export interface TargetFigures {
  readonly badSignaturesPerSecond: number;
  readonly toolCallsPerSecond: number;
  readonly worstLoopDelayMilliseconds: number;
  readonly peakMegabytes: number;
  /** A call's additional time compared with the same request to the platform itself. */
  readonly addedLatencyP50: number;
  readonly addedLatencyP99: number;
}

/** Measures the values that have targets: 32 connections, client and server on one machine. */
export async function measureTargets(
  around: Surroundings,
  client: LoadProcess,
  seconds: number,
): Promise<TargetFigures> {
  const door = await around.startDoor();
  const token = around.enter("anna@example.com");
  const extent = { seconds, warmUpSeconds };
  const bad = await client.run(callLoad("a bad signature", door, badlySigned(token), 401), extent);
  const call = callLoad("tools/call, caches warm", door, token, 200);
  const calls = await client.run(call, extent);
  const added = await addedLatency(around, client, call, seconds);
  return {
    badSignaturesPerSecond: Math.round(bad.perSecond),
    toolCallsPerSecond: Math.round(calls.perSecond),
    worstLoopDelayMilliseconds: rounded(Math.max(bad.loopDelay, calls.loopDelay)),
    peakMegabytes: Math.round(await peakMemoryOf(door)),
    addedLatencyP50: rounded(added.p50),
    addedLatencyP99: rounded(added.p99),
  };
}

async function addedLatency(
  { platform, credential }: Surroundings,
  client: LoadProcess,
  call: Load,
  seconds: number,
): Promise<{ readonly p50: number; readonly p99: number }> {
  const few = { seconds, warmUpSeconds: 0.5 };
  const through = await client.run({ ...call, connections: fewConnections }, few);
  const direct = await client.run(
    {
      name: "the platform by itself",
      origin: platform.url,
      path: "/api/content/v1/roles",
      method: "GET",
      headers: [{ authorization: `Bearer ${credential}` }],
      expected: 200,
      hasMetrics: false,
      connections: fewConnections,
    },
    few,
  );
  return { p50: through.p50 - direct.p50, p99: through.p99 - direct.p99 };
}

interface Row extends Figures {
  /** Requests per second. */
  readonly target?: number;
}

/** Measures every kind of request. Returns a table for people. */
export async function measureAll(
  around: Surroundings,
  client: LoadProcess,
  { seconds, users }: { readonly seconds: number; readonly users: number },
): Promise<string> {
  const { issuer } = around;
  const keySet: unknown = await (await fetch(issuer.keySetUrl)).json();
  const plain = await around.startServer("plain-process.ts", { keySet, issuer: issuer.url, audience: issuer.audience });
  const started = performance.now();
  const door = await around.startDoor();
  const untilReady = performance.now() - started;
  const token = around.enter("anna@example.com");
  const here = { origin: plain, expected: 200, hasMetrics: true } as const;
  const post = { ...here, method: "POST", body: callBody() } as const;
  const call = callLoad("tools/call, caches warm", door, token, 200);
  const get = { method: "GET", headers: [{}] } as const;
  const loads: readonly (Load & { readonly target?: number })[] = [
    { ...here, ...get, name: "plain node:http, GET", path: "/" },
    { ...post, name: "plain node:http, POST", path: "/", headers: [Object.fromEntries(callHeaders)] },
    {
      ...post,
      name: "plain node:http and jose",
      path: "/verify",
      headers: [{ ...Object.fromEntries(callHeaders), authorization: `Bearer ${token}` }],
    },
    { ...here, ...get, name: "/healthz", path: "/healthz", origin: door.url },
    callLoad("no token", door, undefined, 401),
    callLoad("a garbage token", door, "garbage", 401),
    { ...callLoad("a bad signature", door, badlySigned(token), 401), target: 5000 },
    listLoad(door, token),
    { ...call, target: 1250 },
  ];
  const rows: Row[] = [];
  for (const { target, ...load } of loads) {
    const figures = await client.run(load, { seconds, warmUpSeconds });
    rows.push(target === undefined ? figures : { ...figures, target });
  }
  const loopDelay = Math.max(...rows.map((row) => row.loopDelay));
  const peak = await peakMemoryOf(door);
  const added = await addedLatency(around, client, call, seconds);
  const cold = await firstCalls(around, client, users);
  return [
    ...table([...rows, cold.figures]),
    "",
    `Added to the platform's own time: p50 ${added.p50.toFixed(2)} ms (target 2), p99 ${added.p99.toFixed(2)} ms (target 15).`,
    `Event loop: delayed for ${loopDelay.toFixed(0)} ms at most. Memory: ${peak.toFixed(0)} MB at most.`,
    `From the process's start until it is ready: ${untilReady.toFixed(0)} ms (target 1,000).`,
    `Bounded as in the Dockerfile: ${cold.before.toFixed(0)} MB before, ${cold.after.toFixed(0)} MB after the first calls of ${users} users (target 150), of which ${cold.heap.toFixed(0)} MB heap in use, garbage included.`,
    `Node ${process.versions.node}; 32 connections, added latency at ${fewConnections}; client and platform, each a process, share the machine.`,
  ].join("\n");
}

function listLoad(door: Program, token: string): Load {
  const { "Mcp-Name": _, ...headers }: Headers = Object.fromEntries(callHeaders);
  const message: { params: { _meta: object } } = JSON.parse(callBody());
  const body = JSON.stringify({ ...message, method: "tools/list", params: { _meta: message.params._meta } });
  const listing = [withToken({ ...headers, "Mcp-Method": "tools/list" }, token)];
  return { ...callLoad("tools/list", door, token, 200), headers: listing, body };
}

interface FirstCalls {
  readonly figures: Figures;
  /** Resident memory, and heap in use at the end, in MB. */
  readonly before: number;
  readonly after: number;
  readonly heap: number;
}

/** The first calls of many users, none of whom is in a cache. */
async function firstCalls(around: Surroundings, client: LoadProcess, users: number): Promise<FirstCalls> {
  const door = await around.startDoor(boundedMemory);
  const tokens = Array.from({ length: users }, (_, nth) => around.enter(`user-${nth}@example.com`));
  const before = await memoryOf(door);
  const load = callLoad("a user's first call", door, undefined, 200);
  const headers = tokens.map((token) => withToken(load.headers[0] ?? {}, token));
  const figures = await client.run({ ...load, headers }, { requests: users });
  const heap = (await metricOf(door, "nodejs_heap_size_used_bytes")) / 1e6;
  return { figures, before, after: await memoryOf(door), heap };
}

function table(rows: readonly Row[]): readonly string[] {
  const base = rows.find(({ name }) => name === "plain node:http, POST")?.cpuMicroseconds ?? Number.NaN;
  const columns = ["requests/s", "CPU/request", "of node:http", "client's CPU", "p50", "p99"];
  const heading = `${"".padEnd(26)} ${columns.map((column) => column.padStart(12)).join(" ")}   target`;
  return [
    heading,
    ...rows.map(({ name, perSecond, cpuMicroseconds, clientMicroseconds, p50, p99, target }) => {
      const figures = [
        perSecond.toFixed(0),
        `${cpuMicroseconds.toFixed(0)} us`,
        `${(cpuMicroseconds / base).toFixed(1)} x`,
        `${clientMicroseconds.toFixed(0)} us`,
        `${p50.toFixed(2)} ms`,
        `${p99.toFixed(2)} ms`,
      ];
      const verdict = target === undefined ? "" : `${target} ${perSecond >= target ? "reached" : "MISSED"}`;
      return `${name.padEnd(26)} ${figures.map((figure) => figure.padStart(12)).join(" ")}   ${verdict}`.trimEnd();
    }),
  ];
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
