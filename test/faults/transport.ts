import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { DispatcherOptions } from "../../src/api/http/dispatcher-options.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import { createUndiciDispatcher } from "../../src/api/http/undici-dispatcher.ts";

/** The error that the HTTP library throws when nothing arrives within the time limit. */
class NoResponseError extends Error {
  readonly code = "UND_ERR_HEADERS_TIMEOUT";
}

/**
 * A transport whose time limits depend on events, not on the speed of the machine: it doesn't wait between two
 * attempts, waits for a response as long as it takes, and gives up at once on one that is known never to arrive.
 */
export interface PatientTransport extends Transport {
  /** Ends the request with these headers as its time limit would. */
  expire(headers: IncomingHttpHeaders): void;
}

const idHeader = "x-exchange";
/** Milliseconds after which a test that hangs is ended. Nothing else takes that long. */
const longest = 600_000;

/** `onExpired` is called for each request whose time limit expires, with the limit in milliseconds. */
export function patientTransport(onExpired: (milliseconds: number) => void = () => {}): PatientTransport {
  const waiting = new Map<string, () => void>();
  const createDispatcher = async (settings: DispatcherOptions) => {
    const library = createUndiciDispatcher(settings);
    return {
      close: () => library.close(),
      async dispatch(request: Parameters<typeof library.dispatch>[0]) {
        const id = randomUUID();
        const late = new AbortController();
        waiting.set(id, () => {
          onExpired(request.idleLimit);
          late.abort();
        });
        try {
          return await library.dispatch({
            ...request,
            headers: { ...request.headers, [idHeader]: id },
            signal: AbortSignal.any([request.signal, late.signal]),
            idleLimit: longest,
          });
        } catch (error) {
          throw late.signal.aborted ? new NoResponseError() : error;
        } finally {
          waiting.delete(id);
        }
      },
    };
  };
  const transport = createTransport({
    createDispatcher,
    sleep: async () => {},
    timer: { elapsed: () => 0, after: () => () => {} },
  });
  return {
    send: (request) => transport.send(request),
    close: () => transport.close(),
    expire: (headers) => waiting.get(String(headers[idHeader]))?.(),
  };
}
