// npm run bench:front-door-scaling [-- --json] [-- --seconds=4]: the capacity of 1, 2, and 4 front doors behind nginx
// on this machine, with and without a shared state, and the limit that was reached. Asserts no times.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { bearer, callBody, callHeaders } from "../harness/front-door/cases.ts";
import { startCountingPlatform } from "../harness/front-door/counting-platform.ts";
import { jweCompact, makeEnvelopeKeys } from "../harness/front-door/envelopes.ts";
import { startInternalService } from "../harness/front-door/internal-service.ts";
import { startIssuer } from "../harness/front-door/issuer.ts";
import { startLoadBalancer } from "../harness/front-door/load-balancer.ts";
import { type Environment, type Program, prepareProgram } from "../harness/front-door/program.ts";
import { credentialSlug, prefix } from "../harness/front-door/rig.ts";
import { startStateServer } from "../harness/front-door/state-server.ts";

const seconds = Number(process.argv.find((argument) => argument.startsWith("--seconds="))?.slice(10) ?? 4);
const connections = 32;
const people = 50;
/** Warm-up until code is compiled and caches are full: this many calls for each front door, or this long. */
const warmUp = { calls: 1500, milliseconds: 20_000 };
/** Clock ticks of Linux per second, as /proc counts them. */
const ticksPerSecond = 100;

interface Arrangement {
  readonly doors: number;
  readonly balanced: boolean;
  readonly shared: boolean;
}

interface Row extends Arrangement {
  readonly callsPerSecond: number;
  /** Milliseconds with 32 parallel calls. */
  readonly p50: number;
  readonly p99: number;
  /**
   * Cores in use: by all front doors, by the busiest one, by nginx, by the store, and by the load with the platform.
   */
  readonly cores: {
    readonly doors: number;
    readonly busiestDoor: number;
    readonly nginx: number;
    readonly store: number;
    readonly load: number;
  };
  readonly limit: string;
}

const arrangements: readonly Arrangement[] = [
  { doors: 1, balanced: false, shared: false },
  { doors: 1, balanced: true, shared: false },
  { doors: 2, balanced: true, shared: false },
  { doors: 4, balanced: true, shared: false },
  { doors: 1, balanced: true, shared: true },
  { doors: 2, balanced: true, shared: true },
  { doors: 4, balanced: true, shared: true },
];

const directory = await mkdtemp(join(tmpdir(), "platform-workbench-scaling-"));
const [issuer, internal, platform, store] = await Promise.all([
  startIssuer(),
  startInternalService("the-internal-secret-of-the-bench-0123456789"),
  startCountingPlatform(),
  startStateServer(),
]);
// A record of each request would become part of the benchmark's load.
const forget = setInterval(() => {
  platform.reset();
  internal.reset();
}, 100);
const running: { stop(): Promise<unknown> }[] = [];
try {
  const envelopeKeys = makeEnvelopeKeys();
  const tokens = await enterPeople(envelopeKeys.publicKey);
  const start = await prepareProgram(directory, { issuer, internal, platform, envelopeKeys });
  const before = loadavg()[0] ?? 0;
  const rows: Row[] = [];
  for (const arrangement of arrangements) rows.push(await measure(arrangement, start, tokens));
  const machine = { cores: availableParallelism(), loadBefore: before, node: process.versions.node };
  if (process.argv.includes("--json")) console.log(JSON.stringify({ rows, ...machine }));
  else print(rows, machine);
} finally {
  clearInterval(forget);
  for (const one of running) await one.stop();
  await Promise.all([issuer.stop(), internal.stop(), platform.stop(), store.stop()]);
  await rm(directory, { recursive: true, force: true });
}

async function enterPeople(publicKey: ReturnType<typeof makeEnvelopeKeys>["publicKey"]): Promise<readonly string[]> {
  platform.credentials.add("the-credential");
  const envelope = await jweCompact("the-credential", publicKey);
  const exp = Math.floor(Date.now() / 1000) + 3600;
  return Array.from({ length: people }, (_, nth) => {
    const email = `user-${nth}@example.com`;
    internal.entitled.add(email);
    internal.store(email, credentialSlug, envelope);
    return issuer.sign({ email, sub: email, exp });
  });
}

async function measure(
  arrangement: Arrangement,
  start: (more?: Environment) => Promise<Program>,
  tokens: readonly string[],
): Promise<Row> {
  const settings: Environment = {
    FRONT_DOOR_REQUESTS_PER_MINUTE: "10000000",
    FRONT_DOOR_ENTITLED_SECONDS: "3600",
    FRONT_DOOR_CREDENTIAL_CACHE_SECONDS: "300",
    FRONT_DOOR_TRUSTED_PROXIES: "127.0.0.1",
    FRONT_DOOR_STATE_SECRET: "the-state-secret-that-all-have-0123456789",
    FRONT_DOOR_LOG_LEVEL: "warn",
    ...(arrangement.shared
      ? {
          FRONT_DOOR_SHARED_STATE_URL: `redis://127.0.0.1:${store.port}`,
          FRONT_DOOR_SHARED_STATE_TIME_LIMIT_MILLISECONDS: "5000",
        }
      : {}),
  };
  const doors = await Promise.all(Array.from({ length: arrangement.doors }, () => start(settings)));
  running.push(...doors);
  const [first] = doors;
  const balancer = arrangement.balanced
    ? await startLoadBalancer(
        directory,
        doors.map(({ url }) => url),
      )
    : undefined;
  if (balancer !== undefined) running.push(balancer);
  const pool = new Pool(balancer?.url ?? first?.url ?? "", {
    connections,
    ...(balancer === undefined ? {} : { connect: { ca: balancer.certificate, servername: "localhost" } }),
  });
  try {
    await callFor(pool, tokens, warmUp.milliseconds, warmUp.calls * arrangement.doors);
    const used = async () => ({
      doors: await Promise.all(doors.map(({ child }) => coresOf(child.pid ?? 0))),
      nginx: balancer === undefined ? 0 : await coresOf(balancer.processId),
      store: await coresOf(store.processId()),
      load: process.cpuUsage(),
    });
    const before = await used();
    const started = performance.now();
    const times = (await callFor(pool, tokens, seconds * 1000)).sort((one, other) => one - other);
    const took = (performance.now() - started) / 1000;
    const after = await used();
    const perDoor = after.doors.map((ticks, nth) => (ticks - (before.doors[nth] ?? 0)) / took);
    const load = process.cpuUsage(before.load);
    const cores = {
      doors: perDoor.reduce((sum, one) => sum + one, 0),
      busiestDoor: Math.max(...perDoor),
      nginx: (after.nginx - before.nginx) / took,
      store: (after.store - before.store) / took,
      load: (load.user + load.system) / 1e6 / took,
    };
    const quantile = (part: number): number => times[Math.floor(times.length * part)] ?? Number.NaN;
    return {
      ...arrangement,
      callsPerSecond: times.length / took,
      p50: quantile(0.5),
      p99: quantile(0.99),
      cores,
      limit: limitOf(cores),
    };
  } finally {
    await pool.close();
    for (const one of running.splice(0).reverse()) await one.stop();
  }
}

/** Sends calls one after the other on as many lanes as there are connections. Returns the milliseconds of each. */
async function callFor(
  pool: Pool,
  tokens: readonly string[],
  milliseconds: number,
  max = Number.POSITIVE_INFINITY,
): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + milliseconds;
  const body = callBody();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < end && next < max) {
      const token = tokens[next++ % tokens.length] ?? "";
      const headers = { host: "localhost", ...Object.fromEntries([...callHeaders, ...bearer(`${prefix}${token}`)]) };
      const started = performance.now();
      const { statusCode, body: response } = await pool.request({ path: "/mcp", method: "POST", headers, body });
      const text = await response.text();
      if (statusCode !== 200) throw new Error(`${statusCode}: ${text.slice(0, 300)}`);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return times;
}

/** The CPU seconds that a process and its children have used so far. */
async function coresOf(processId: number): Promise<number> {
  const children = await readFile(`/proc/${processId}/task/${processId}/children`, "utf8");
  const own = await readFile(`/proc/${processId}/stat`, "utf8");
  // After the name in parentheses, the 12th and 13th fields are the ticks of the process and of the system for it.
  const fields = own.slice(own.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  const below = await Promise.all(children.trim().split(" ").filter(Boolean).map(Number).map(coresOf));
  return below.reduce((sum, one) => sum + one, ticks / ticksPerSecond);
}

function limitOf({ doors, busiestDoor, nginx, store: stored, load }: Row["cores"]): string {
  const all = doors + nginx + stored + load;
  if (busiestDoor > 0.9) return "the one core of a front door";
  if (all > 0.9 * availableParallelism()) return `all ${availableParallelism()} cores of the machine`;
  if (load > 0.9) return "the load itself";
  return `nothing here: other work had ${(availableParallelism() - all).toFixed(1)} cores`;
}

function print(
  rows: readonly Row[],
  { cores, loadBefore, node }: { readonly cores: number; readonly loadBefore: number; readonly node: string },
): void {
  const columns = [
    "front doors",
    "nginx",
    "shared",
    "calls/s",
    "p50 ms",
    "p99 ms",
    "us/call: door",
    "nginx",
    "store",
    "load",
  ];
  console.log(`${columns.map((column) => column.padStart(14)).join("")}   limit`);
  for (const { doors, balanced, shared, callsPerSecond, p50, p99, cores: used, limit } of rows) {
    const perCall = [used.doors, used.nginx, used.store, used.load].map((value) => (value * 1e6) / callsPerSecond);
    const cells = [
      ...[String(doors), balanced ? "yes" : "no", shared ? "yes" : "no"],
      ...[callsPerSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1)],
      ...perCall.map((value) => value.toFixed(0)),
    ];
    console.log(`${cells.map((cell) => cell.padStart(14)).join("")}   ${limit}`);
  }
  console.log(
    `\nWarm tools/call, ${connections} at a time, ${seconds} s each, over TLS where nginx is in front. CPU in microseconds ` +
      `for each call. The load, the platform, and the internal service are one process on the same ${cores} cores. ` +
      `Node ${node}; load of the machine before the run: ${loadBefore.toFixed(1)}.`,
  );
}
