import { lazy } from "../lazy.ts";
import { shortened } from "../text.ts";
import type { AnyCredential } from "./credentials.ts";
import type { HeaderTemplate } from "./dialects.ts";
import type {
  BodyReceiver,
  Dispatcher,
  DispatchRequest,
  DispatchResponse,
  SocketRequest,
  SocketResponse,
} from "./dispatch.ts";
import type { DispatcherOptions } from "./dispatcher-options.ts";
import { hubResponse } from "./hub.ts";
import { type Log, silentLog } from "./log.ts";
import type { NetworkSettings } from "./network/network-settings.ts";
import type { ProxyProblem } from "./network/proxy.ts";
import { beginningOf, withoutSecretHeaders, withoutSecrets } from "./redaction.ts";
import { maxPauseMs, overloadedStatuses, pause, retryAfter } from "./retry.ts";
import { failureOf, secureConnectionProblem, TransportError, type TransportFailure } from "./transport-errors.ts";

/** A request. The origin of `url` must match that of the credential. */
export interface TransportRequest {
  readonly method: string;
  readonly url: URL;
  readonly credential: AnyCredential;
  readonly header: HeaderTemplate;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /**
   * `repeatable`: retried after a failure. `once`: retried only if the request certainly did not reach the server.
   * `never`: not retried, because the caller needs the failure immediately.
   */
  readonly repeat: "repeatable" | "once" | "never";
  /** Time limit in milliseconds. */
  readonly timeLimitMs: number;
  /** True if the time limit applies only to the time without transferred bytes. */
  readonly transfer: boolean;
  readonly signal: AbortSignal | undefined;
  /** True if the response can contain secrets of other systems. Nothing of it is logged. */
  readonly confidential?: boolean;
  readonly onReceived?: DispatchRequest["onReceived"];
  /** Maximum size of a successful response, in bytes. A larger response fails the request. */
  readonly maximumBytes: number;
  /** Receives the body of a 2xx response. Each attempt starts from the beginning. */
  readonly receiver?: BodyReceiver;
}

export interface TransportOptions extends Partial<Pick<DispatcherOptions, "connections" | "lookup">> {
  readonly log?: Log;
  /** Reads the network settings, on the first request and after each call of `reconnect`. */
  readonly network?: () => Promise<NetworkSettings>;
  readonly createDispatcher?: (options: DispatcherOptions) => Promise<Dispatcher>;
  /** Waits between attempts. Tests replace it. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Milliseconds since 1970, including the time that the computer was asleep. */
  readonly now?: () => number;
  /** Measures time limits. Tests replace it, so that they don't depend on the speed of the computer. */
  readonly timer?: Timer;
}

/** A monotonic clock in milliseconds, with timers. */
interface Timer {
  elapsed(): number;
  /** Calls `work` after a number of milliseconds. Returns a function that cancels it. */
  after(milliseconds: number, work: () => void): () => void;
}

const systemTimer: Timer = {
  elapsed: () => performance.now(),
  after: (milliseconds, work) => {
    const timeout = setTimeout(work, milliseconds);
    // A pending timeout must not keep the process alive.
    timeout.unref();
    return () => clearTimeout(timeout);
  },
};

export interface Transport {
  send(request: TransportRequest): Promise<DispatchResponse>;
  /**
   * Requests a WebSocket's byte stream, without retries. The headers contain the credential, whose origin the caller
   * must have checked.
   */
  openSocket?(request: SocketRequest): Promise<SocketResponse | undefined>;
  /** Reads the network settings again. Requests that have begun continue with the earlier ones. */
  reconnect?(): void;
  close(): Promise<void>;
}

/**
 * Maximum idle time of a connection, in milliseconds. Connections are normally closed sooner. After the computer was
 * asleep, they only appear to be open, and a request would wait until its timeout.
 */
const maxIdleMs = 30_000;
/** Maximum length of a path in a log line, in characters. */
const maxPathLength = 300;
const attempts = 4;
const firstPauseMs = 250;
/** Codes of network failures for which a retry would not help. */
const finalCodes: ReadonlySet<string> = new Set(["ENOTFOUND", "UND_ERR_INVALID_ARG"]);
/**
 * Creates a transport with connection pools, time limits, retries, cancellation, and one redacted log line per request.
 * The first request loads the HTTP library.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const log = options.log ?? silentLog;
  const sleep = options.sleep ?? pause;
  const create =
    options.createDispatcher ??
    (async (settings: DispatcherOptions) => (await import("./undici-dispatcher.ts")).createUndiciDispatcher(settings));
  const now = options.now ?? Date.now;
  const timer = options.timer ?? systemTimer;
  const { connections = 8, lookup } = options;
  let load: (() => Promise<Dispatcher>) | undefined;
  let network = lazy(async () => options.network?.());
  let underWay = 0;
  let lastUsed = now();

  async function created(): Promise<Dispatcher> {
    const settings = await network();
    return create({
      connections,
      ...(settings === undefined ? {} : { network: settings }),
      ...(lookup === undefined ? {} : { lookup }),
    });
  }

  function discard(close: (dispatcher: Dispatcher) => Promise<void>): void {
    load?.()
      .then(close)
      .catch((error: unknown) => log.debug(`closing connections: ${String(error)}`));
    load = undefined;
  }

  function dispatcherForNow(): Promise<Dispatcher> {
    if (underWay === 0 && now() - lastUsed > maxIdleMs) {
      discard((idle) => idle.close());
    }
    load ??= lazy(created);
    return load();
  }

  async function using<T>(exchange: (dispatcher: Dispatcher) => Promise<T>): Promise<T> {
    const dispatcher = dispatcherForNow();
    underWay += 1;
    try {
      return await exchange(await dispatcher);
    } finally {
      underWay -= 1;
      lastUsed = now();
    }
  }

  async function once(request: TransportRequest, end: End): Promise<DispatchResponse> {
    if (request.signal?.aborted === true) {
      throw new TransportError({ type: "cancelled" });
    }
    return await using((dispatcher) => exchanged(dispatcher, request, end));
  }

  async function exchanged(
    dispatcher: Dispatcher,
    request: TransportRequest,
    { signal, isLate }: End,
  ): Promise<DispatchResponse> {
    const secret = request.credential.reveal();
    const started = performance.now();
    const headers = {
      accept: "application/json",
      ...request.headers,
      [request.header.name]: request.header.template.replace("{token}", () => secret),
    };
    // Skip the formatting for a log that discards everything.
    const label =
      log === silentLog
        ? ""
        : `${request.method} ${shortened(withoutSecrets(request.url.pathname, secret), maxPathLength)}`;
    if (log !== silentLog) {
      log.debug(`${label} headers ${JSON.stringify(withoutSecretHeaders(headers, secret))}`);
    }
    try {
      const response = await dispatcher.dispatch({
        origin: request.url.origin,
        path: request.url.pathname + request.url.search,
        method: request.method,
        headers,
        body: request.body,
        signal,
        idleLimit: request.timeLimitMs,
        onReceived: request.onReceived ?? (() => {}),
        maximumBytes: request.maximumBytes,
        ...(request.receiver === undefined ? {} : { receiver: request.receiver }),
      });
      if (log !== silentLog) {
        const took = Math.round(performance.now() - started);
        log.info(`${label} ${response.status} ${took} ms ${response.received ?? response.body.byteLength} B`);
        log.debug(`${label} answered ${JSON.stringify(withoutSecretHeaders(response.headers, secret))}`);
        const shown = request.confidential === true ? "[redacted]" : beginningOf(response.body, 2000, secret);
        log.trace(`${label} body ${shown}`);
      }
      return response;
    } catch (error) {
      const failure = failureOf(error, { signal: request.signal, timeLimitMs: request.timeLimitMs, isLate: isLate() });
      const took = Math.round(performance.now() - started);
      log.info(`${label} ${failure.type === "network" ? failure.code : failure.type} ${took} ms`);
      throw new TransportError(failure);
    }
  }

  async function tried(request: TransportRequest, limits: End): Promise<DispatchResponse> {
    const end = request.transfer ? Number.POSITIVE_INFINITY : timer.elapsed() + request.timeLimitMs;
    for (let attempt = 1; ; attempt += 1) {
      const wait = firstPauseMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      try {
        const response = await once(request, limits);
        const again = request.repeat === "repeatable" && overloadedStatuses.has(response.status) && attempt < attempts;
        const asked = Math.min(retryAfter(response.headers) ?? wait, maxPauseMs);
        if (!again || isFromHub(request, response) || timer.elapsed() + asked >= end) {
          return response;
        }
        await sleep(asked, request.signal);
      } catch (error) {
        const again = error instanceof TransportError && mayRepeat(error.failure, request) && attempt < attempts;
        if (!again || timer.elapsed() + wait >= end) {
          throw error;
        }
        await sleep(wait, request.signal);
      }
    }
  }

  return {
    async send(request) {
      if (request.url.origin !== request.credential.origin) {
        throw new TransportError({
          type: "otherOrigin",
          expected: request.credential.origin,
          actual: request.url.origin,
        });
      }
      const end = endOf(request, timer);
      try {
        return await tried(request, end);
      } finally {
        end.release();
      }
    },
    openSocket: (request) => using(async (dispatcher) => dispatcher.openSocket?.(request)),
    reconnect() {
      network = lazy(async () => options.network?.());
      discard((former) => (former.retire ?? former.close)());
    },
    async close() {
      const dispatcher = await load?.();
      await dispatcher?.close();
    },
  };
}

/** The end of a request. */
interface End {
  readonly signal: AbortSignal;
  isLate(): boolean;
  release(): void;
}

/**
 * Ends the request at the caller's signal or its timeout. `forget` releases both. `AbortSignal.timeout` would keep each
 * finished request in memory until its timeout.
 */
function endOf({ signal: given, transfer, timeLimitMs }: TransportRequest, timer: Timer): End {
  const controller = new AbortController();
  let late = false;
  const abort = (): void => controller.abort();
  const stop = transfer
    ? undefined
    : timer.after(timeLimitMs, () => {
        late = true;
        abort();
      });
  given?.addEventListener("abort", abort, { once: true });
  return {
    signal: controller.signal,
    isLate: () => late,
    release: () => {
      stop?.();
      given?.removeEventListener("abort", abort);
    },
  };
}

/** A retry would get the same response from the hub while the workspace isn't running. */
function isFromHub(request: TransportRequest, response: DispatchResponse): boolean {
  return request.credential.kind === "notebook" && hubResponse(response) === "notRunning";
}

function mayRepeat(failure: TransportFailure, request: TransportRequest): boolean {
  if (
    request.repeat === "never" ||
    failure.type !== "network" ||
    finalCodes.has(failure.code) ||
    secureConnectionProblem(failure.code) !== undefined ||
    isFinal(failure.proxy)
  ) {
    return false;
  }
  return request.repeat === "repeatable" || !failure.reachedServer;
}

/** A proxy that can't reach a server may do so after a moment. Its other problems need a person. */
function isFinal(problem: ProxyProblem | undefined): boolean {
  return problem !== undefined && !(problem.type === "refused" && overloadedStatuses.has(problem.status));
}
