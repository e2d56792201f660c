// Load on a server from a separate process: requests per second, CPU of server and client per request, and latency.
import { fork } from "node:child_process";
import { join } from "node:path";
import { endProcess } from "../../harness/end-process.ts";

/** A kind of request. It is sent as JSON to the process that sends the load. */
export interface Load {
  readonly name: string;
  readonly origin: string;
  readonly path: string;
  readonly method: "GET" | "POST";
  /** The bodies of the requests, used in turn. */
  readonly headers: readonly Readonly<Record<string, string>>[];
  readonly body?: string;
  /** The expected status; absent if any is accepted. */
  readonly expected?: number;
  /** True if the server reports at /metrics how much CPU it has used and how long its event loop was delayed. */
  readonly hasMetrics: boolean;
  /** Number of parallel requests, each on its own connection. Default: 32. */
  readonly connections?: number;
}

/** Duration of a load. Without a warm-up, the first requests count, too. */
export type Extent = { readonly seconds: number; readonly warmUpSeconds?: number } | { readonly requests: number };

export interface Figures {
  readonly name: string;
  readonly requests: number;
  readonly perSecond: number;
  /** Of the server; 0 if it does not report it. */
  readonly cpuMicroseconds: number;
  readonly clientMicroseconds: number;
  /**
   * The longest delay of the server's event loop during the load, in milliseconds; 0 if the server does not report it.
   */
  readonly loopDelay: number;
  /** Milliseconds of a request while the other requests of the load are sent. */
  readonly p50: number;
  readonly p99: number;
}

/** The messages to the process, and from it. */
export interface LoadOrder {
  readonly load: Load;
  readonly extent: Extent;
}
export type LoadOutcome = { readonly figures: Figures } | { readonly failure: string };

/** A process that sends load. */
export interface LoadProcess {
  run(load: Load, extent: Extent): Promise<Figures>;
  stop(): Promise<void>;
}

export function startLoadProcess(): LoadProcess {
  const child = fork(join(import.meta.dirname, "load-process.ts"), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  return {
    run: (load, extent) =>
      new Promise((resolve, reject) => {
        const ended = (): void => reject(new Error(`${load.name}: the process that sends it has ended`));
        child.once("exit", ended);
        child.once("message", (outcome: LoadOutcome) => {
          child.off("exit", ended);
          if ("figures" in outcome) resolve(outcome.figures);
          else reject(new Error(outcome.failure));
        });
        const order: LoadOrder = { load, extent };
        child.send(order);
      }),
    stop: () => endProcess(child),
  };
}
