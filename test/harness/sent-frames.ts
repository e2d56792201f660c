import type { Transport } from "../../src/api/http/transport.ts";

/** A transport that shows the operation code of each frame that its WebSockets send. `passes`: false to drop it. */
export function filterSentFrames(transport: Transport, passes: (code: number) => boolean): Transport {
  return {
    ...transport,
    openSocket: async (request) => {
      const response = await transport.openSocket?.(request);
      if (response?.type === "opened") {
        const { stream } = response;
        const write = stream.write.bind(stream);
        // Each frame is written whole.
        stream.write = (frame: Uint8Array): boolean => !passes((frame[0] ?? 0) & 0x0f) || write(frame);
      }
      return response;
    },
  };
}
