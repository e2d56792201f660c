import { DecoratorHandler, type Dispatcher, Pool, ProxyAgent } from "undici";
import { codeOf, isUnsent } from "../transport-errors.ts";
import { ProxyError, type ProxyServer } from "./proxy.ts";
import type { ProxyLogin } from "./proxy-login.ts";

/** Milliseconds until a proxy must have opened a tunnel. */
const tunnelTimeoutMs = 30_000;

/** Creates an agent that sends everything through a proxy. Errors of the proxy are ProxyErrors. */
export function createProxyAgent(
  { address, authorization }: ProxyServer,
  login: ProxyLogin,
  options: ProxyAgent.Options["requestTls"] & { readonly connections: number; readonly keepAliveTimeout: number },
  proxyTunnel: boolean,
): ProxyAgent {
  const { connections, keepAliveTimeout, ...tls } = options;
  return new ProxyAgent({
    uri: address,
    proxyTunnel,
    connections,
    keepAliveTimeout,
    requestTls: tls,
    proxyTls: tls,
    ...(authorization === undefined ? {} : { token: authorization }),
    clientFactory: (origin, given) => new Pool(origin, given).compose((dispatch) => tunneled(dispatch, login)),
  });
}

/** Opens tunnels with CONNECT, whose refusals would otherwise have no usable status. */
function tunneled(dispatch: Dispatcher["dispatch"], login: ProxyLogin): Dispatcher["dispatch"] {
  return (options, handler) => {
    const opened = login.run(
      () =>
        new Promise<void>((resolve, reject) => {
          const observed = new TunnelHandler(handler, login, { resolve, reject });
          dispatch({ ...options, headersTimeout: tunnelTimeoutMs }, observed);
        }),
    );
    opened.catch((error: unknown) => {
      const failure = error instanceof Error ? error : new Error(String(error));
      // Undici's handler for CONNECT doesn't use the controller.
      handler.onResponseError?.(noController, failure);
    });
    return true;
  };
}

const noController: Dispatcher.DispatchController = {
  aborted: true,
  paused: false,
  reason: null,
  rawHeaders: null,
  rawTrailers: null,
  abort: () => {},
  pause: () => {},
  resume: () => {},
};

class TunnelHandler extends DecoratorHandler implements Dispatcher.DispatchHandler {
  readonly #inner: Dispatcher.DispatchHandler;
  readonly #login: ProxyLogin;
  readonly #outcome: { resolve(): void; reject(error: unknown): void };

  constructor(
    inner: Dispatcher.DispatchHandler,
    login: ProxyLogin,
    outcome: { resolve(): void; reject(error: unknown): void },
  ) {
    super(inner);
    this.#inner = inner;
    this.#login = login;
    this.#outcome = outcome;
  }

  onRequestUpgrade(
    ...[controller, status, headers, socket]: Parameters<NonNullable<Dispatcher.DispatchHandler["onRequestUpgrade"]>>
  ): void {
    if (status >= 200 && status <= 299) {
      this.#outcome.resolve();
      this.#inner.onRequestUpgrade?.(controller, 200, headers, socket);
    } else {
      socket.on("error", () => {}).destroy();
      this.#outcome.reject(this.#login.refusal(status));
    }
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#outcome.reject(
      isOfThisSide(error) ? error : this.#login.error({ type: "unreachable", code: codeOf(error) }, error),
    );
  }
}

function isOfThisSide(error: Error): boolean {
  return ["UND_ERR_ABORTED", "UND_ERR_CLOSED", "UND_ERR_DESTROYED"].includes(codeOf(error));
}

/**
 * The error of a request through a proxy. Without a tunnel, undici doesn't report which side failed, but nothing other
 * than the proxy is connected to.
 */
export function errorThrough(login: ProxyLogin, isTunneled: boolean, error: unknown): unknown {
  if (error instanceof ProxyError || !(error instanceof Error)) {
    return error;
  }
  const code = codeOf(error);
  if (!isTunneled && code === "UND_ERR_INVALID_ARG" && error.message.includes("407")) {
    return login.refusal(407);
  }
  const isUnreachable = code.startsWith("UND_ERR_SOCKS") || (!isTunneled && isUnsent(code));
  return isUnreachable ? login.error({ type: "unreachable", code }, error) : error;
}
