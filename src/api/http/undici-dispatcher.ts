import type { Dispatcher as UndiciDispatcher } from "undici";
import {
  AnswerTooLargeError,
  type DispatchAnswer,
  type Dispatcher,
  type DispatchRequest,
  type SocketAnswer,
  type SocketRequest,
} from "./dispatch.ts";
import type { DispatcherOptions } from "./dispatcher-options.ts";
import { Agents } from "./network/agents.ts";
import { environmentNetwork } from "./network/network-settings.ts";
import { flattened, receiveResponse } from "./network/response-body.ts";
import { largestError } from "./response-limits.ts";

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
        isUnsigned: (answer) => answer.type === "refused" && answer.answer.status === 407,
        isSocket: true,
      }),
    close: () => agents.destroy(),
    retire: () => agents.close(),
  };
}

async function dispatch(agent: UndiciDispatcher, exchange: DispatchRequest): Promise<DispatchAnswer> {
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
): Promise<SocketAnswer> {
  return new Promise<SocketAnswer>((resolve, reject) => {
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
      settle(() => resolve({ type: "refused", answer: { status, headers: refusal, body: Buffer.concat(parts) } }));
    agent.dispatch(
      {
        ...{ origin, path, method: "GET", headers: { ...headers }, upgrade: "websocket" },
        ...{ headersTimeout: idleLimit, bodyTimeout: idleLimit },
      },
      {
        onRequestStart(controller) {
          abort = () => controller.abort(new Error("the request for a socket was cancelled"));
          signal.addEventListener("abort", abort, { once: true });
          if (signal.aborted) {
            abort();
          }
        },
        onRequestUpgrade(_, __, answered, stream) {
          // The reader of the stream is notified of its end. An earlier error has no other listener.
          stream.on("error", () => {});
          settle(() => resolve({ type: "opened", headers: flattened(answered), stream }));
        },
        onResponseStart(_, code, answered) {
          status = code;
          refusal = flattened(answered);
        },
        onResponseData(controller, part) {
          received += part.byteLength;
          if (received <= largestError) {
            parts.push(part);
          } else {
            refuse();
            controller.abort(new AnswerTooLargeError(largestError));
          }
        },
        onResponseEnd: refuse,
        onResponseError: (_, error) => settle(() => reject(error)),
      },
    );
  });
}
