// Load on a server that tells its own use of CPU: requests per second, CPU per request, latency.
import { Pool } from "undici";

/** One kind of request; `send` may differ from one to the next. */
export interface Load {
  readonly name: string;
  readonly origin: string;
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly headers: (nth: number) => Readonly<Record<string, string>>;
  readonly body?: string;
  readonly expected: number;
  /** CPU microseconds that the server has used until now. */
  readonly used: () => Promise<number>;
}

export interface Figures {
  readonly name: string;
  readonly requests: number;
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  /** Milliseconds, at a few requests at a time. */
  readonly p50: number;
  readonly p99: number;
}

const connections = 32;
const warmUpSeconds = 1;

/** Runs a load for so many seconds, or for so many requests, after a warm-up. */
export async function run(
  load: Load,
  limit: { readonly seconds: number } | { readonly requests: number },
): Promise<Figures> {
  const pool = new Pool(load.origin, { connections });
  let next = 0;
  const send = async (): Promise<number> => {
    const started = performance.now();
    const { statusCode, body } = await pool.request({
      ...{ path: load.path, method: load.method, headers: load.headers(next++) },
      ...(load.body === undefined ? {} : { body: load.body }),
    });
    const text = await body.text();
    if (statusCode !== load.expected || text.includes('"isError":true')) {
      throw new Error(`${load.name}: ${statusCode} in place of ${load.expected}: ${text.slice(0, 300)}`);
    }
    return performance.now() - started;
  };
  const during = async (lanes: number, goesOn: () => boolean): Promise<number[]> => {
    const times: number[] = [];
    const lane = async (): Promise<void> => {
      while (goesOn()) times.push(await send());
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return times;
  };
  const lasting = (seconds: number): (() => boolean) => {
    const end = performance.now() + seconds * 1000;
    return () => performance.now() < end;
  };
  const counted = (requests: number): (() => boolean) => {
    let left = requests;
    return () => left-- > 0;
  };
  try {
    if ("seconds" in limit) await during(connections, lasting(warmUpSeconds));
    const before = await load.used();
    const started = performance.now();
    const times = await during(connections, "seconds" in limit ? lasting(limit.seconds) : counted(limit.requests));
    const seconds = (performance.now() - started) / 1000;
    const cpu = (await load.used()) - before;
    const few = (await during(2, "seconds" in limit ? lasting(1) : counted(100))).sort((a, b) => a - b);
    return {
      name: load.name,
      requests: times.length,
      perSecond: times.length / seconds,
      cpuMicroseconds: cpu / times.length,
      p50: few[Math.floor(few.length * 0.5)] ?? Number.NaN,
      p99: few[Math.floor(few.length * 0.99)] ?? Number.NaN,
    };
  } finally {
    await pool.close();
  }
}
