import { EnvHttpProxyAgent } from "undici";
import { largestError } from "./answer-limits.ts";
import {
  AnswerTooLargeError,
  type Dispatcher,
  type DispatcherOptions,
  ReceiverError,
  type SocketAnswer,
} from "./dispatch.ts";

/** Creates the HTTP library behind the transport. Loaded on the first request. */
export function createUndiciDispatcher(options: DispatcherOptions): Dispatcher {
  const agent = new EnvHttpProxyAgent({
    connections: options.connections,
    keepAliveTimeout: 10_000,
    ...(options.proxy === undefined ? {} : { httpProxy: options.proxy, httpsProxy: options.proxy }),
    noProxy: [process.env.no_proxy ?? process.env.NO_PROXY ?? "", "127.0.0.1,localhost,[::1]"]
      .filter(Boolean)
      .join(","),
    ...(options.strictCertificates === false ? { connect: { rejectUnauthorized: false } } : {}),
  });
  return {
    async dispatch(exchange) {
      const answer = await agent.request({
        origin: exchange.origin,
        path: exchange.path,
        method: exchange.method as "GET",
        headers: { ...exchange.headers },
        body: exchange.body === undefined ? null : exchange.body,
        signal: exchange.signal,
        headersTimeout: exchange.idleLimit,
        bodyTimeout: exchange.idleLimit,
      });
      const status = answer.statusCode;
      const headers = flattened(answer.headers);
      const length = Number(headers["content-length"]);
      const total = Number.isSafeInteger(length) ? length : undefined;
      const isSuccess = status >= 200 && status <= 299;
      const receiver = isSuccess ? exchange.receiver : undefined;
      const mostBytes = isSuccess ? exchange.maximumBytes : Math.min(exchange.maximumBytes, largestError);
      const parts: Uint8Array[] = [];
      let received = 0;
      try {
        if (isSuccess && receiver === undefined && total !== undefined && total > mostBytes) {
          throw new AnswerTooLargeError(mostBytes);
        }
        await taken(receiver?.begin());
        for await (const part of answer.body as AsyncIterable<Uint8Array>) {
          received += part.byteLength;
          if (receiver !== undefined) {
            await taken(receiver.write(part));
          } else if (received <= mostBytes) {
            parts.push(part);
          } else if (isSuccess) {
            throw new AnswerTooLargeError(mostBytes);
          } else {
            // The status and the beginning of an error response are enough.
            answer.body.on("error", () => {}).destroy();
            break;
          }
          exchange.onReceived(received, total);
        }
      } catch (error) {
        // Destroying the body emits an error, which needs a listener.
        answer.body.on("error", () => {}).destroy();
        throw error;
      }
      const body = Buffer.concat(parts);
      return receiver === undefined ? { status, headers, body } : { status, headers, body, received };
    },
    openSocket: ({ origin, path, headers, signal, idleLimit }) =>
      new Promise<SocketAnswer>((resolve, reject) => {
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
      }),
    async close() {
      await agent.destroy();
    },
  };
}

async function taken(work: Promise<void> | undefined): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new ReceiverError("the receiver took no more", { cause: error });
  }
}

function flattened(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== "set-cookie") {
      flat[name] = Array.isArray(value) ? value.join(", ") : value;
    }
  }
  return flat;
}
