import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { DispatcherOptions } from "../../src/api/http/dispatch.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import { createUndiciDispatcher } from "../../src/api/http/undici-dispatcher.ts";

/** What the HTTP library throws when nothing came for as long as it may take. */
class NoAnswerError extends Error {
  readonly code = "UND_ERR_HEADERS_TIMEOUT";
}

/**
 * A transport whose time limits depend on what happens and not on how fast the machine is: it waits for nothing between two
 * tries, for an answer as long as that takes, and not at all for one that is known never to come.
 */
export interface PatientTransport extends Transport {
  /** Ends the request that has these headers as its time limit does. */
  expire(headers: IncomingHttpHeaders): void;
}

const idHeader = "x-exchange";
/** Ends a test that hangs, in milliseconds; nothing else takes as long. */
const longest = 600_000;

/** `onExpired` hears of each request whose time limit passes, and how long that is, in milliseconds. */
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
          throw late.signal.aborted ? new NoAnswerError() : error;
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
