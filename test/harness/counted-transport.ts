import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import { frameCodes } from "../../src/api/http/web-socket-frames.ts";
import { filterSentFrames } from "./sent-frames.ts";

/** A transport that counts what it sends. */
export interface CountedTransport {
  readonly transport: Transport;
  /** HTTP requests, those for WebSockets included, and messages over WebSockets, since the last call. */
  take(): { readonly requests: number; readonly messages: number };
}

export function countedTransport(): CountedTransport {
  let requests = 0;
  let messages = 0;
  const real = createTransport({ sleep: async () => {} });
  const counting: Transport = {
    ...real,
    send: (request) => {
      requests += 1;
      return real.send(request);
    },
    openSocket: async (request) => {
      requests += 1;
      return real.openSocket?.(request);
    },
  };
  const transport = filterSentFrames(counting, (code) => {
    messages += code === frameCodes.text || code === frameCodes.binary ? 1 : 0;
    return true;
  });
  return {
    transport,
    take: () => {
      const taken = { requests, messages };
      [requests, messages] = [0, 0];
      return taken;
    },
  };
}
