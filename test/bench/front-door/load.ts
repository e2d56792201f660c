// Load on a server from a process of its own: requests per second, CPU of server and client per request, latency.
import { fork } from "node:child_process";
import { join } from "node:path";
import { endProcess } from "../../harness/end-process.ts";

/** One kind of request. As JSON it goes to the process that sends it. */
export interface Load {
  readonly name: string;
  readonly origin: string;
  readonly path: string;
  readonly method: "GET" | "POST";
  /** Of each request in turn. */
  readonly headers: readonly Readonly<Record<string, string>>[];
  readonly body?: string;
  /** The status; absent where any answer will do. */
  readonly expected?: number;
  /** True where the server tells at /metrics the CPU that it has used and how long its event loop was delayed. */
  readonly hasMetrics: boolean;
  /** Requests at the same time, each on a connection of its own; 32 where nothing is said. */
  readonly connections?: number;
}

/** How long a load lasts. Without a warm-up the first requests count, too. */
export type Extent = { readonly seconds: number; readonly warmUpSeconds?: number } | { readonly requests: number };

export interface Figures {
  readonly name: string;
  readonly requests: number;
  readonly perSecond: number;
  /** Of the server; 0 where it does not tell. */
  readonly cpuMicroseconds: number;
  readonly clientMicroseconds: number;
  /** The longest delay of the server's event loop meanwhile, in milliseconds; 0 where it does not tell. */
  readonly loopDelay: number;
  /** Milliseconds of a request while the others of the load are sent. */
  readonly p50: number;
  readonly p99: number;
}

/** What goes to the process, and what comes back. */
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
