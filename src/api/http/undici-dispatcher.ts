import request from "undici/lib/api/api-request.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import { type Dispatcher, type DispatcherOptions, ReceiverError } from "./dispatch.ts";

/** The HTTP library behind the transport, a file of its own that loads with the first request. */
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
      const answer = await request.call(agent, {
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
      const receiver = status >= 200 && status <= 299 ? exchange.receiver : undefined;
      const parts: Uint8Array[] = [];
      let received = 0;
      try {
        await taken(receiver?.begin());
        for await (const part of answer.body as AsyncIterable<Uint8Array>) {
          received += part.byteLength;
          if (receiver === undefined) {
            parts.push(part);
          } else {
            await taken(receiver.write(part));
          }
          exchange.onReceived(received, total);
        }
      } catch (error) {
        // Ending it is an error of its own, which nobody would take.
        answer.body.on("error", () => {}).destroy();
        throw error;
      }
      const body = Buffer.concat(parts);
      return receiver === undefined ? { status, headers, body } : { status, headers, body, received };
    },
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
