import { lazy } from "../lazy.ts";
import { shortened } from "../text.ts";
import type { AnyCredential } from "./credentials.ts";
import type { HeaderTemplate } from "./dialects.ts";
import type {
  BodyReceiver,
  DispatchAnswer,
  Dispatcher,
  DispatcherOptions,
  SocketAnswer,
  SocketRequest,
} from "./dispatch.ts";
import { hubAnswer } from "./hub.ts";
import { type Log, silentLog } from "./log.ts";
import { beginningOf, withoutSecretHeaders, withoutSecrets } from "./redaction.ts";
import { longestPause, overloadedStatuses, pause, retryAfter } from "./retry.ts";
import { failureOf, isCertificateCode, TransportError, type TransportFailure } from "./transport-errors.ts";

/** What to send; `url` must lie on the origin that the credential was confirmed for. */
export interface TransportRequest {
  readonly method: string;
  readonly url: URL;
  readonly credential: AnyCredential;
  readonly header: HeaderTemplate;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /**
   * `repeatable`: may be sent again after a fault; `once`: only when it is known not to have reached the server; `never`:
   * not at all, for who waits for the answer would rather have the fault at once.
   */
  readonly repeat: "repeatable" | "once" | "never";
  /** Milliseconds. */
  readonly timeLimit: number;
  /** True when the limit counts only the time without a byte moving. */
  readonly transfer: boolean;
  readonly signal: AbortSignal | undefined;
  /** True for an answer that may hold other systems' secrets: nothing of it is logged. */
  readonly confidential?: boolean;
  readonly onReceived?: (bytes: number, total: number | undefined) => void;
  /** Bytes of a successful answer that are kept in memory; more are a failure. */
  readonly maximumBytes: number;
  /** Where the body of a 2xx answer goes, again from its beginning for each try. */
  readonly receiver?: BodyReceiver;
}

export interface TransportOptions extends Partial<DispatcherOptions> {
  readonly log?: Log;
  readonly createDispatcher?: (options: DispatcherOptions) => Promise<Dispatcher>;
  /** Waits between two tries; tests give one that does not wait. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Milliseconds since 1970: how long a machine slept shows there alone. */
  readonly now?: () => number;
  /** What measures time limits; tests have one that does not depend on how fast the machine is. */
  readonly timer?: Timer;
}

/** A monotonic time in milliseconds, and what runs after some of it. */
interface Timer {
  elapsed(): number;
  /** Runs the work after that many milliseconds; gives a function that prevents it. */
  after(milliseconds: number, work: () => void): () => void;
}

const systemTimer: Timer = {
  elapsed: () => performance.now(),
  after: (milliseconds, work) => {
    const timeout = setTimeout(work, milliseconds);
    // Nobody waits for the limit itself.
    timeout.unref();
    return () => clearTimeout(timeout);
  },
};

export interface Transport {
  send(request: TransportRequest): Promise<DispatchAnswer>;
  /** Asks once for a WebSocket's byte stream. Its headers have the credential, whose origin the caller has checked. */
  openSocket?(request: SocketRequest): Promise<SocketAnswer | undefined>;
  close(): Promise<void>;
}

/**
 * Connections that were idle for longer are not used any more, in milliseconds. They are closed by then; after a machine's
 * sleep they only look open, and a request on one would wait for its whole time limit.
 */
const longestIdle = 30_000;
/** Characters of a path in a log line. */
const longestPath = 300;
const attempts = 4;
const firstPause = 250;
/** Codes of network failures that a second try cannot change. */
const finalCodes: ReadonlySet<string> = new Set(["ENOTFOUND", "UND_ERR_INVALID_ARG"]);
/** Pools, time limits, retries, abort and one redacted log line per request. The HTTP library loads with the first one. */
export function createTransport(options: TransportOptions = {}): Transport {
  const log = options.log ?? silentLog;
  const sleep = options.sleep ?? pause;
  const create =
    options.createDispatcher ??
    (async (settings: DispatcherOptions) => (await import("./undici-dispatcher.ts")).createUndiciDispatcher(settings));
  const now = options.now ?? Date.now;
  const timer = options.timer ?? systemTimer;
  let load: (() => Promise<Dispatcher>) | undefined;
  let underWay = 0;
  let lastUsed = now();

  function dispatcherForNow(): Promise<Dispatcher> {
    if (load !== undefined && underWay === 0 && now() - lastUsed > longestIdle) {
      load()
        .then((idle) => idle.close())
        .catch((error: unknown) => log.debug(`closing connections: ${String(error)}`));
      load = undefined;
    }
    load ??= lazy(() => create({ connections: 8, ...options }));
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

  async function once(request: TransportRequest, end: End): Promise<DispatchAnswer> {
    if (request.signal?.aborted === true) {
      throw new TransportError({ type: "cancelled" });
    }
    return await using((dispatcher) => exchanged(dispatcher, request, end));
  }

  async function exchanged(
    dispatcher: Dispatcher,
    request: TransportRequest,
    { signal, isLate }: End,
  ): Promise<DispatchAnswer> {
    const secret = request.credential.reveal();
    const started = performance.now();
    const headers = {
      accept: "application/json",
      ...request.headers,
      [request.header.name]: request.header.template.replace("{token}", () => secret),
    };
    // Nothing is put together for a log that nobody reads.
    const label =
      log === silentLog
        ? ""
        : `${request.method} ${shortened(withoutSecrets(request.url.pathname, secret), longestPath)}`;
    if (log !== silentLog) {
      log.debug(`${label} headers ${JSON.stringify(withoutSecretHeaders(headers, secret))}`);
    }
    try {
      const answer = await dispatcher.dispatch({
        origin: request.url.origin,
        path: request.url.pathname + request.url.search,
        method: request.method,
        headers,
        body: request.body,
        signal,
        idleLimit: request.timeLimit,
        onReceived: request.onReceived ?? (() => {}),
        maximumBytes: request.maximumBytes,
        ...(request.receiver === undefined ? {} : { receiver: request.receiver }),
      });
      if (log !== silentLog) {
        const took = Math.round(performance.now() - started);
        log.info(`${label} ${answer.status} ${took} ms ${answer.received ?? answer.body.byteLength} B`);
        log.debug(`${label} answered ${JSON.stringify(withoutSecretHeaders(answer.headers, secret))}`);
        const shown = request.confidential === true ? "[redacted]" : beginningOf(answer.body, 2000, secret);
        log.trace(`${label} body ${shown}`);
      }
      return answer;
    } catch (error) {
      const failure = failureOf(error, { signal: request.signal, timeLimit: request.timeLimit, isLate: isLate() });
      const took = Math.round(performance.now() - started);
      log.info(`${label} ${failure.type === "network" ? failure.code : failure.type} ${took} ms`);
      throw new TransportError(failure);
    }
  }

  async function tried(request: TransportRequest, limits: End): Promise<DispatchAnswer> {
    const end = request.transfer ? Number.POSITIVE_INFINITY : timer.elapsed() + request.timeLimit;
    for (let attempt = 1; ; attempt += 1) {
      const wait = firstPause * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      try {
        const answer = await once(request, limits);
        const again = request.repeat === "repeatable" && overloadedStatuses.has(answer.status) && attempt < attempts;
        const asked = Math.min(retryAfter(answer.headers) ?? wait, longestPause);
        if (!again || isFromHub(request, answer) || timer.elapsed() + asked >= end) {
          return answer;
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
        end.forget();
      }
    },
    openSocket: (request) => using(async (dispatcher) => dispatcher.openSocket?.(request)),
    async close() {
      const dispatcher = await load?.();
      await dispatcher?.close();
    },
  };
}

/** When a request has to end. */
interface End {
  readonly signal: AbortSignal;
  isLate(): boolean;
  forget(): void;
}

/**
 * Ends the request with its caller's signal and at its time limit. `forget` lets go of both: a signal that waits for its
 * time, as the platform's own do, would keep every answered request in memory until then.
 */
function endOf({ signal: given, transfer, timeLimit }: TransportRequest, timer: Timer): End {
  const controller = new AbortController();
  let late = false;
  const abort = (): void => controller.abort();
  const stop = transfer
    ? undefined
    : timer.after(timeLimit, () => {
        late = true;
        abort();
      });
  given?.addEventListener("abort", abort, { once: true });
  return {
    signal: controller.signal,
    isLate: () => late,
    forget: () => {
      stop?.();
      given?.removeEventListener("abort", abort);
    },
  };
}

/** A hub's answer about a workspace that does not run stays the same however often it is asked. */
function isFromHub(request: TransportRequest, answer: DispatchAnswer): boolean {
  return request.credential.kind === "notebook" && hubAnswer(answer) === "notRunning";
}

function mayRepeat(failure: TransportFailure, request: TransportRequest): boolean {
  if (
    request.repeat === "never" ||
    failure.type !== "network" ||
    finalCodes.has(failure.code) ||
    isCertificateCode(failure.code)
  ) {
    return false;
  }
  return request.repeat === "repeatable" || !failure.reachedServer;
}
