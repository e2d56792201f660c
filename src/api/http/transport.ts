import type { AnyCredential } from "./credentials.ts";
import type { HeaderTemplate } from "./dialects.ts";
import {
  type BodyReceiver,
  type DispatchAnswer,
  type Dispatcher,
  type DispatcherOptions,
  ReceiverError,
} from "./dispatch.ts";
import { hubSays } from "./hub.ts";
import { beginningOf, type Log, silentLog, withoutSecretHeaders, withoutSecrets } from "./log.ts";

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
  /** Where the body of a 2xx answer goes, once more from its beginning for each try. */
  readonly receiver?: BodyReceiver;
}

/** How an exchange ended without an answer. */
export type TransportFailure =
  | { readonly type: "network"; readonly code: string; readonly reachedServer: boolean; readonly message: string }
  | { readonly type: "timeLimit"; readonly milliseconds: number }
  | { readonly type: "cancelled" }
  | { readonly type: "receiver"; readonly code: string; readonly message: string }
  | { readonly type: "otherOrigin"; readonly expected: string; readonly actual: string };

export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly failure: TransportFailure;

  constructor(failure: TransportFailure) {
    super(failure.type);
    this.failure = failure;
  }
}

export interface TransportOptions extends Partial<DispatcherOptions> {
  readonly log?: Log;
  readonly createDispatcher?: (options: DispatcherOptions) => Promise<Dispatcher>;
  /** Waits between two tries; tests give one that does not wait. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Milliseconds since 1970: how long a machine slept shows there alone. */
  readonly now?: () => number;
}

export interface Transport {
  send(request: TransportRequest): Promise<DispatchAnswer>;
  close(): Promise<void>;
}

/**
 * Connections that were idle for longer are not used any more, in milliseconds. They are closed by then; after a machine's
 * sleep they only look open, and a request on one would wait for its whole time limit.
 */
const longestIdle = 30_000;
const attempts = 4;
const firstPause = 250;
const longestPause = 15_000;
const overloaded: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Connection errors before the first byte was sent: repeating cannot do a thing twice. */
const unsentCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_INVALID_ARG",
]);
/** Failures that a second try cannot change. */
const finalCodes: ReadonlySet<string> = new Set(["ENOTFOUND", "UND_ERR_INVALID_ARG"]);
/** How the codes of a refused certificate, or of a server that speaks no TLS, begin: nothing was sent to it. */
const certificateCodes = /^(?:CERT_|ERR_TLS_CERT|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_SSL_WRONG_VERSION|EPROTO$)/;

/** True when the code of a network failure stands for a server whose identity could not be made sure of. */
export function isCertificateCode(code: string): boolean {
  return certificateCodes.test(code);
}

/** Pools, time limits, retries, abort and one redacted log line per request. The HTTP library loads with the first one. */
export function createTransport(options: TransportOptions = {}): Transport {
  const log = options.log ?? silentLog;
  const sleep = options.sleep ?? pause;
  const create =
    options.createDispatcher ??
    (async (settings: DispatcherOptions) => (await import("./undici-dispatcher.ts")).createUndiciDispatcher(settings));
  const now = options.now ?? Date.now;
  let loading: Promise<Dispatcher> | undefined;
  let underWay = 0;
  let lastUsed = now();

  function dispatcherForNow(): Promise<Dispatcher> {
    if (loading !== undefined && underWay === 0 && now() - lastUsed > longestIdle) {
      loading
        .then((idle) => idle.close())
        .catch((error: unknown) => log.debug(`closing connections: ${String(error)}`));
      loading = undefined;
    }
    loading ??= create({ connections: 8, ...options });
    return loading;
  }

  async function once(request: TransportRequest, end: End): Promise<DispatchAnswer> {
    if (request.signal?.aborted === true) {
      throw new TransportError({ type: "cancelled" });
    }
    const dispatcher = dispatcherForNow();
    underWay += 1;
    try {
      return await exchanged(await dispatcher, request, end);
    } finally {
      underWay -= 1;
      lastUsed = now();
    }
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
    const label = withoutSecrets(`${request.method} ${request.url.pathname}`, secret);
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
      const failure = failureOf(error, request, isLate());
      const took = Math.round(performance.now() - started);
      log.info(`${label} ${failure.type === "network" ? failure.code : failure.type} ${took} ms`);
      throw new TransportError(failure);
    }
  }

  async function tried(request: TransportRequest, limits: End): Promise<DispatchAnswer> {
    const end = request.transfer ? Number.POSITIVE_INFINITY : performance.now() + request.timeLimit;
    for (let attempt = 1; ; attempt += 1) {
      const wait = firstPause * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      try {
        const answer = await once(request, limits);
        const again = request.repeat === "repeatable" && overloaded.has(answer.status) && attempt < attempts;
        const asked = Math.min(retryAfter(answer) ?? wait, longestPause);
        if (!again || isFromHub(request, answer) || performance.now() + asked >= end) {
          return answer;
        }
        await sleep(asked, request.signal);
      } catch (error) {
        const again = error instanceof TransportError && mayRepeat(error.failure, request) && attempt < attempts;
        if (!again || performance.now() + wait >= end) {
          throw error;
        }
        await sleep(wait, request.signal);
      }
    }
  }

  return {
    async send(request) {
      if (request.url.origin !== request.credential.origin) {
        const origins = { expected: request.credential.origin, actual: request.url.origin };
        throw new TransportError({ type: "otherOrigin", ...origins });
      }
      const end = endOf(request);
      try {
        return await tried(request, end);
      } finally {
        end.forget();
      }
    },
    async close() {
      if (loading !== undefined) {
        await (await loading).close();
      }
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
function endOf({ signal: given, transfer, timeLimit }: TransportRequest): End {
  const controller = new AbortController();
  let late = false;
  const abort = (): void => controller.abort();
  const timer = transfer
    ? undefined
    : setTimeout(() => {
        late = true;
        abort();
      }, timeLimit);
  // Nobody waits for the limit itself.
  timer?.unref();
  given?.addEventListener("abort", abort, { once: true });
  return {
    signal: controller.signal,
    isLate: () => late,
    forget: () => {
      clearTimeout(timer);
      given?.removeEventListener("abort", abort);
    },
  };
}

/** A hub's answer about a workspace that does not run stays the same however often it is asked. */
function isFromHub(request: TransportRequest, answer: DispatchAnswer): boolean {
  return request.credential.kind === "notebook" && hubSays(answer) === "notRunning";
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

function failureOf(error: unknown, request: TransportRequest, isLate: boolean): TransportFailure {
  if (request.signal?.aborted === true) {
    return { type: "cancelled" };
  }
  const code = codeOf(error);
  if (error instanceof ReceiverError) {
    const { cause } = error;
    return { type: "receiver", code, message: cause instanceof Error ? cause.message : String(cause) };
  }
  if (isLate || code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") {
    return { type: "timeLimit", milliseconds: request.timeLimit };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { type: "network", code, reachedServer: !unsentCodes.has(code) && !isCertificateCode(code), message };
}

function codeOf(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause) {
    const first = current instanceof AggregateError ? current.errors[0] : current;
    if (first instanceof Error && "code" in first && typeof first.code === "string") {
      return first.code;
    }
  }
  return "UNKNOWN";
}

/** Milliseconds that the server asked to wait, from seconds or an HTTP date. */
function retryAfter(answer: DispatchAnswer): number | undefined {
  const value = answer.headers["retry-after"];
  if (value === undefined) {
    return undefined;
  }
  const seconds = Number(value);
  const milliseconds = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(new TransportError({ type: "cancelled" }));
      return;
    }
    const timer = setTimeout(finish, milliseconds);
    function finish(): void {
      signal?.removeEventListener("abort", stop);
      resolve();
    }
    function stop(): void {
      clearTimeout(timer);
      reject(new TransportError({ type: "cancelled" }));
    }
    signal?.addEventListener("abort", stop, { once: true });
  });
}
