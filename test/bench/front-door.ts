// npm run bench:front-door [-- --json] [-- --seconds=3] [-- --users=10000]: what a request costs the front door, beside
// plain node:http and jose in the same run. Nothing is asserted about time: the figures are for people to look at.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { endProcess } from "../harness/end-process.ts";
import { bearer, callBody, callHeaders } from "../harness/front-door/cases.ts";
import { startCountingPlatform } from "../harness/front-door/counting-platform.ts";
import { jweCompact, makeEnvelopeKeys } from "../harness/front-door/envelopes.ts";
import { startInternalService } from "../harness/front-door/internal-service.ts";
import { startIssuer } from "../harness/front-door/issuer.ts";
import { type Program, prepareProgram } from "../harness/front-door/program.ts";
import { credentialSlug, prefix } from "../harness/front-door/rig.ts";
import { type Figures, type Load, run } from "./front-door/load.ts";

const seconds = Number(option("seconds") ?? 3);
const users = Number(option("users") ?? 10_000);
const credential = "the-credential-of-everybody";

const issuer = await startIssuer();
const internal = await startInternalService("the-internal-secret-of-the-bench-0123456789");
const platform = await startCountingPlatform();
const envelopeKeys = makeEnvelopeKeys();
platform.credentials.add(credential);
// What is kept of each request would become the bench's own load.
const forget = setInterval(() => {
  platform.reset();
  internal.reset();
}, 100);

/** What deployment/front-door/Dockerfile starts the program with. */
const bounded = {
  NODE_OPTIONS: "--max-semi-space-size=2 --max-old-space-size=192",
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "131072",
};
const directory = await mkdtemp(join(tmpdir(), "platform-workbench-bench-"));
const children: ChildProcess[] = [];
const programs: Program[] = [];
try {
  const keySet: unknown = await (await fetch(issuer.keySetUrl)).json();
  const { url, keySetUrl, audience } = issuer;
  const { privatePem } = envelopeKeys;
  const { secret } = internal;
  const addresses = {
    ...{ issuer: { url, keySetUrl, audience }, envelopeKeys: { privatePem } },
    ...{ internal: { url: internal.url, secret }, platform: { url: platform.url } },
  };
  const plain = await start("plain-process.ts", { keySet, issuer: url, audience });
  const startFrontDoor = await prepareProgram(directory, addresses);
  const settings = {
    FRONT_DOOR_REQUESTS_PER_MINUTE: "10000000",
    FRONT_DOOR_ENTITLED_SECONDS: "3600",
    FRONT_DOOR_CREDENTIAL_CACHE_SECONDS: "300",
  };
  const started = performance.now();
  const frontDoor = await startFrontDoor(settings);
  const untilReady = performance.now() - started;
  programs.push(frontDoor);
  const fresh = await startFrontDoor({ ...settings, ...bounded });
  programs.push(fresh);
  await report(plain, frontDoor.url, fresh.url, untilReady);
} finally {
  clearInterval(forget);
  for (const child of children) await endProcess(child);
  for (const program of programs) await program.stop();
  await rm(directory, { recursive: true, force: true });
  await Promise.all([issuer.stop(), internal.stop(), platform.stop()]);
}

async function report(plain: string, frontDoor: string, fresh: string, untilReady: number): Promise<void> {
  const anna = "anna@example.com";
  const envelope = await jweCompact(credential, envelopeKeys.publicKey);
  const enter = (email: string): void => {
    internal.entitled.add(email);
    internal.store(email, credentialSlug, envelope);
  };
  enter(anna);
  const token = issuer.sign({ email: anna, exp: Math.floor(Date.now() / 1000) + 3600 });
  const [header = "", payload = "", signature = ""] = token.split(".");
  const badSignature = `${header}.${payload}.${"B".repeat(signature.length - 1)}A`;
  const tool = Object.fromEntries(callHeaders);
  const as = (jwt: string, more: Readonly<Record<string, string>> = tool) => {
    const headers = { ...more, ...Object.fromEntries(bearer(`${prefix}${jwt}`)) };
    return () => headers;
  };
  const listing = Object.fromEntries(
    callHeaders
      .filter(([name]) => name !== "Mcp-Name")
      .map(([name, value]) => [name, name === "Mcp-Method" ? "tools/list" : value]),
  );
  const listBody = JSON.stringify({ ...JSON.parse(callBody()), method: "tools/list", params: metaOf(callBody()) });

  const here = { origin: plain, used: () => plainUse(plain), expected: 200 } as const;
  const there = { origin: frontDoor, used: () => frontDoorUse(frontDoor) } as const;
  const call = { ...there, path: "/mcp", method: "POST", body: callBody() } as const;
  const none = (): Record<string, string> => ({});
  const loads: readonly (Load & { readonly target?: number })[] = [
    { ...here, name: "plain node:http, GET", path: "/", method: "GET", headers: none },
    { ...here, name: "plain node:http, POST", path: "/", method: "POST", headers: () => tool, body: callBody() },
    {
      ...here,
      name: "plain node:http and jose",
      path: "/verify",
      method: "POST",
      headers: () => ({ ...tool, authorization: `Bearer ${token}` }),
      body: callBody(),
    },
    { ...there, name: "/healthz", path: "/healthz", method: "GET", headers: none, expected: 200, target: 12_000 },
    { ...call, name: "no token", headers: () => tool, expected: 401, target: 8000 },
    { ...call, name: "a garbage token", headers: as("garbage"), expected: 401, target: 8000 },
    { ...call, name: "a bad signature", headers: as(badSignature), expected: 401, target: 4000 },
    { ...call, name: "tools/list", headers: as(token, listing), body: listBody, expected: 200, target: 1000 },
    { ...call, name: "tools/call, caches warm", headers: as(token), expected: 200, target: 800 },
  ];
  const rows: (Figures & { readonly target?: number })[] = [];
  for (const { target, ...load } of loads) {
    rows.push({ ...(await run(load, { seconds })), ...(target === undefined ? {} : { target }) });
  }
  const upstream = await run(
    {
      ...here,
      name: "the platform by itself",
      origin: platform.url,
      path: "/api/content/v1/roles",
      method: "GET",
      headers: () => ({ authorization: `Bearer ${credential}` }),
      used: async () => 0,
    },
    { seconds: 1 },
  );

  const tokens = Array.from({ length: users }, (_, nth) => {
    const email = `user-${nth}@example.com`;
    enter(email);
    return as(issuer.sign({ email, sub: email, exp: Math.floor(Date.now() / 1000) + 3600 }));
  });
  const empty = await memory(fresh);
  const cold = await run(
    {
      ...call,
      origin: fresh,
      used: () => frontDoorUse(fresh),
      name: "a user's first call",
      headers: (nth) => tokens[nth]?.() ?? {},
      expected: 200,
    },
    { requests: users - 200 },
  );
  const full = await memory(fresh);

  const warm = rows.find(({ name }) => name.startsWith("tools/call"));
  const summary = {
    untilReadyMilliseconds: untilReady,
    residentMegabytes: {
      before: empty,
      after: full,
      users,
      heapUsedAfter: (await metric(fresh, "nodejs_heap_size_used_bytes")) / 1e6,
    },
    addedMilliseconds: { p50: (warm?.p50 ?? 0) - upstream.p50, p99: (warm?.p99 ?? 0) - upstream.p99 },
  };
  if (process.argv.includes("--json")) {
    console.log(JSON.stringify({ rows: [...rows, cold], ...summary }));
    return;
  }
  print([...rows, { ...cold }], summary);
}

function print(
  rows: readonly (Figures & { readonly target?: number })[],
  {
    untilReadyMilliseconds,
    residentMegabytes,
    addedMilliseconds,
  }: {
    readonly untilReadyMilliseconds: number;
    readonly residentMegabytes: {
      readonly before: number;
      readonly after: number;
      readonly users: number;
      readonly heapUsedAfter: number;
    };
    readonly addedMilliseconds: { readonly p50: number; readonly p99: number };
  },
): void {
  const base = rows.find(({ name }) => name === "plain node:http, POST")?.cpuMicroseconds ?? Number.NaN;
  console.log(
    `${"".padEnd(26)} ${"requests/s".padStart(11)} ${"CPU/request".padStart(12)} ${"/s per core".padStart(12)} ${"of node:http".padStart(13)} ${"p50".padStart(9)} ${"p99".padStart(9)}   target /s per core`,
  );
  for (const { name, perSecond, cpuMicroseconds, p50, p99, target } of rows) {
    const perCore = 1e6 / cpuMicroseconds;
    const kept = target === undefined ? "" : `${target} ${perCore >= target ? "reached" : "MISSED"}`;
    console.log(
      `${name.padEnd(26)} ${perSecond.toFixed(0).padStart(11)} ${`${cpuMicroseconds.toFixed(0)} us`.padStart(12)} ${perCore.toFixed(0).padStart(12)} ${`${(cpuMicroseconds / base).toFixed(1)} x`.padStart(13)} ${`${p50.toFixed(2)} ms`.padStart(9)} ${`${p99.toFixed(2)} ms`.padStart(9)}   ${kept}`,
    );
  }
  const { before, after, users: cached, heapUsedAfter } = residentMegabytes;
  console.log(
    `\nAdded to the platform's own time: p50 ${addedMilliseconds.p50.toFixed(2)} ms (target 2), p99 ${addedMilliseconds.p99.toFixed(2)} ms (target 15).` +
      `\nFrom the process's start until it is ready: ${untilReadyMilliseconds.toFixed(0)} ms (target 1,000).` +
      `\nMemory: ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after the first calls of ${cached} users (target 150), of which ${heapUsedAfter.toFixed(0)} MB heap in use, garbage included; bounded as in the Dockerfile.` +
      `\nNode ${process.versions.node}; latencies at two requests at a time, the rest at 32; the load and the platform share the machine.`,
  );
}

/** Starts a file beside this one, in a process of its own; gives the address that it prints. */
async function start(file: string, input: object): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "front-door", file), JSON.stringify(input)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith("http://")) return line;
  }
  throw new Error(`${file} ended before it answered`);
}

async function plainUse(origin: string): Promise<number> {
  const { cpuMicroseconds }: { cpuMicroseconds: number } = JSON.parse(await (await fetch(`${origin}/usage`)).text());
  return cpuMicroseconds;
}

async function metric(origin: string, name: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(new RegExp(`^${name} ([\\d.e+]+)`, "m").exec(text)?.[1] ?? Number.NaN);
}

async function frontDoorUse(origin: string): Promise<number> {
  return (await metric(origin, "process_cpu_seconds_total")) * 1e6;
}

async function memory(origin: string): Promise<number> {
  return (await metric(origin, "process_resident_memory_bytes")) / 1e6;
}

function metaOf(body: string): object {
  const { params }: { params: { _meta: object } } = JSON.parse(body);
  return { _meta: params._meta };
}

function option(name: string): string | undefined {
  return process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
}
