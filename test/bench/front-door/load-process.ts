// The client of the benchmark: takes orders one after the other, sends the load, and reports the results.
import { Pool } from "undici";
import type { Extent, Figures, Load, LoadOrder, LoadOutcome } from "./load.ts";

process.on("message", ({ load, extent }: LoadOrder) => {
  run(load, extent).then(
    (figures) => report({ figures }),
    (error: unknown) => report({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
process.once("SIGTERM", () => process.exit(0));
process.once("disconnect", () => process.exit(0));

function report(outcome: LoadOutcome): void {
  process.send?.(outcome);
}

async function run(load: Load, extent: Extent): Promise<Figures> {
  const { connections = 32 } = load;
  const pool = new Pool(load.origin, { connections });
  let sent = 0;
  async function send(): Promise<number> {
    const started = performance.now();
    const headers = load.headers[sent % load.headers.length] ?? {};
    sent += 1;
    const request = { path: load.path, method: load.method, headers };
    const { statusCode, body } = await pool.request(
      load.body === undefined ? request : { ...request, body: load.body },
    );
    const text = await body.text();
    if (load.expected !== undefined && (statusCode !== load.expected || text.includes('"isError":true'))) {
      throw new Error(`${load.name}: ${statusCode} in place of ${load.expected}: ${text.slice(0, 300)}`);
    }
    return performance.now() - started;
  }
  async function during(goesOn: () => boolean): Promise<number[]> {
    const times: number[] = [];
    const lane = async (): Promise<void> => {
      while (goesOn()) times.push(await send());
    };
    await Promise.all(Array.from({ length: connections }, lane));
    return times;
  }
  const metrics = async (): Promise<string> => (load.hasMetrics ? (await fetch(`${load.origin}/metrics`)).text() : "");
  try {
    if ("seconds" in extent) await during(lasting(extent.warmUpSeconds ?? 0));
    const before = await metrics();
    const own = process.cpuUsage();
    const started = performance.now();
    const times = await during("seconds" in extent ? lasting(extent.seconds) : counted(extent.requests));
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(own);
    const after = await metrics();
    const cpu = (metricIn(after, "process_cpu_seconds_total") - metricIn(before, "process_cpu_seconds_total")) * 1e6;
    const { length: requests } = times;
    const sorted = times.toSorted((one, other) => one - other);
    const quantile = (part: number): number => sorted[Math.floor(requests * part)] ?? Number.NaN;
    return {
      name: load.name,
      requests,
      perSecond: requests / seconds,
      cpuMicroseconds: cpu / requests,
      clientMicroseconds: (user + system) / requests,
      // The maximum since the metrics were last read, which was just before.
      loopDelay: metricIn(after, "nodejs_eventloop_lag_max_seconds") * 1000,
      p50: quantile(0.5),
      p99: quantile(0.99),
    };
  } finally {
    await pool.close();
  }
}

function lasting(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() < end;
}

function counted(requests: number): () => boolean {
  let left = requests;
  return () => left-- > 0;
}

function metricIn(metrics: string, name: string): number {
  return Number(new RegExp(`^${name} ([\\d.e+-]+)`, "m").exec(metrics)?.[1] ?? 0);
}
