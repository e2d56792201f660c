import type { Dispatcher as UndiciDispatcher } from "undici";
import {
  type Dispatcher,
  type DispatchRequest,
  type DispatchResponse,
  ResponseTooLargeError,
  type SocketRequest,
  type SocketResponse,
} from "./dispatch.ts";
import type { DispatcherOptions } from "./dispatcher-options.ts";
import { Agents } from "./network/agents.ts";
import { environmentNetwork } from "./network/network-settings.ts";
import { flattened, receiveResponse } from "./network/response-body.ts";
import { maxErrorBytes } from "./response-limits.ts";

/** The state of signing in at proxies is the same for all dispatchers of a process. */
const networkOfProcess = (() => {
  let network: ReturnType<typeof environmentNetwork> | undefined;
  return () => {
    network ??= environmentNetwork();
    return network;
  };
})();

/** Creates the HTTP library behind the transport. Loaded on the first request. */
export function createUndiciDispatcher(options: DispatcherOptions): Dispatcher {
  const agents = new Agents(options, options.network ?? networkOfProcess());
  return {
    dispatch: (request) =>
      agents.send(request.origin, {
        withAgent: (agent) => dispatch(agent, request),
        outside: (sender) => sender.dispatch(request),
        isUnsigned: ({ status }) => status === 407,
        isSocket: false,
      }),
    openSocket: (request) =>
      agents.send(request.origin, {
        withAgent: (agent) => openSocket(agent, request),
        outside: (sender) => sender.openSocket(request),
        isUnsigned: (response) => response.type === "refused" && response.response.status === 407,
        isSocket: true,
      }),
    close: () => agents.destroy(),
    retire: () => agents.close(),
  };
}

async function dispatch(agent: UndiciDispatcher, exchange: DispatchRequest): Promise<DispatchResponse> {
  const { statusCode, headers, body } = await agent.request({
    origin: exchange.origin,
    path: exchange.path,
    method: exchange.method as "GET",
    headers: { ...exchange.headers },
    body: exchange.body === undefined ? null : exchange.body,
    signal: exchange.signal,
    headersTimeout: exchange.idleLimit,
    bodyTimeout: exchange.idleLimit,
  });
  // Destroying the body emits an error, which needs a listener.
  const discard = (): void => void body.on("error", () => {}).destroy();
  return await receiveResponse({ status: statusCode, headers, body, discard }, exchange);
}

function openSocket(
  agent: UndiciDispatcher,
  { origin, path, headers, signal, idleLimit }: SocketRequest,
): Promise<SocketResponse> {
  return new Promise<SocketResponse>((resolve, reject) => {
    const parts: Uint8Array[] = [];
    let received = 0;
    let status = 0;
    let refusal: Record<string, string> = {};
    let abort = (): void => {};
    const settle = (result: () => void): void => {
      signal.removeEventListener("abort", abort);
      result();
    };
    const refuse = (): void =>
      settle(() => resolve({ type: "refused", response: { status, headers: refusal, body: Buffer.concat(parts) } }));
    agent.dispatch(
      {
        origin,
        path,
        method: "GET",
        headers: { ...headers },
        upgrade: "websocket",
        headersTimeout: idleLimit,
        bodyTimeout: idleLimit,
      },
      {
        onRequestStart(controller) {
          abort = () => controller.abort(new Error("the request for a socket was cancelled"));
          signal.addEventListener("abort", abort, { once: true });
          if (signal.aborted) {
            abort();
          }
        },
        onRequestUpgrade(_, __, responseHeaders, stream) {
          // The reader of the stream is notified of its end. An earlier error has no other listener.
          stream.on("error", () => {});
          settle(() => resolve({ type: "opened", headers: flattened(responseHeaders), stream }));
        },
        onResponseStart(_, code, responseHeaders) {
          status = code;
          refusal = flattened(responseHeaders);
        },
        onResponseData(controller, part) {
          received += part.byteLength;
          if (received <= maxErrorBytes) {
            parts.push(part);
          } else {
            refuse();
            controller.abort(new ResponseTooLargeError(maxErrorBytes));
          }
        },
        onResponseEnd: refuse,
        onResponseError: (_, error) => settle(() => reject(error)),
      },
    );
  });
}
