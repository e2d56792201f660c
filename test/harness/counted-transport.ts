import { createTransport, type Transport } from "../../src/api/http/transport.ts";

/** A transport that records what it sends. */
export interface CountedTransport {
  readonly transport: Transport;
  /**
   * The HTTP requests, those for WebSockets included, as `GET /api/…` with `…` for ids, and the operations of the
   * companion, each once even if its request was sent again on a slow machine. Since the last call.
   */
  take(): { readonly requests: readonly string[]; readonly operations: readonly string[] };
}

/** Ids in paths. */
const ids = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
const requestId = /"id":"([^"]+)","operation":"([^"]+)"/;

export function countedTransport(): CountedTransport {
  let requests: string[] = [];
  let operations = new Map<string, string>();
  const real = createTransport({ sleep: async () => {} });
  const note = (method: string, path: string): void =>
    void requests.push(`${method} ${path.replace(/\?.*/, "").replace(ids, "…")}`);
  const transport: Transport = {
    ...real,
    send: (request) => {
      note(request.method, request.url.pathname);
      return real.send(request);
    },
    openSocket: async (request) => {
      note("WebSocket", request.path);
      const response = await real.openSocket?.(request);
      if (response?.type === "opened") {
        const { stream } = response;
        const write = stream.write.bind(stream);
        // Each frame is written whole.
        stream.write = (frame: Uint8Array): boolean => {
          const [, id, operation] = requestId.exec(payloadOf(frame)) ?? [];
          if (id !== undefined && operation !== undefined) operations.set(id, operation);
          return write(frame);
        };
      }
      return response;
    },
  };
  return {
    transport,
    take: () => {
      const taken = { requests, operations: [...operations.values()] };
      [requests, operations] = [[], new Map()];
      return taken;
    },
  };
}

/** The payload of a client's frame as text. */
function payloadOf(frame: Uint8Array): string {
  const length = (frame[1] ?? 0) & 0x7f;
  const start = length === 127 ? 10 : length === 126 ? 4 : 2;
  const mask = frame.subarray(start, start + 4);
  return Buffer.from(frame.subarray(start + 4).map((byte, index) => byte ^ (mask[index % 4] ?? 0))).toString("latin1");
}
