import * as z from "zod/mini";
import { defineCompanionOperation } from "../operation.ts";

/** Bytes that may be under way in one direction of a connection. */
export const tunnelWindowBytes = 4 * 1024 * 1024;
/** Maximum number of frames in a batch of the companion. */
const maxFrames = 256;

const count = z.int().check(z.nonnegative());
const port = z.int().check(z.minimum(1), z.maximum(65_535));

/** What both sides send about a connection. A frame with data takes the next of the buffers. */
const data = z.object({ type: z.literal("data"), connection: count });
const end = z.object({ type: z.literal("end"), connection: count });
/** Some of the data was taken, so that as much may follow. */
const received = z.object({ type: z.literal("received"), connection: count, bytes: count });

const sentFrame = z.discriminatedUnion("type", [
  /** Opens a connection to a port of the companion's own loopback. */
  z.object({ type: z.literal("open"), connection: count, port }),
  data,
  end,
  received,
  /** Ends both directions at once. */
  z.object({ type: z.literal("close"), connection: count }),
]);
export type SentFrame = z.output<typeof sentFrame>;

const pushedFrame = z.discriminatedUnion("type", [
  data,
  end,
  received,
  z.object({
    type: z.literal("closed"),
    connection: count,
    reason: z.enum(["refused", "reset", "tooMany", "failed"]),
    message: z.string().check(z.maxLength(500)),
  }),
]);
export type PushedFrame = z.output<typeof pushedFrame>;
export type TunnelEnd = Extract<PushedFrame, { readonly type: "closed" }>["reason"];

/** A subscription that carries connections to ports of the companion's loopback, until it is canceled. */
export const serveTunnel = defineCompanionOperation({
  name: "tunnel.serve",
  parameters: z.object({}),
  result: z.object({ tunnel: z.string().check(z.maxLength(200)) }),
  push: z.object({ frames: z.array(pushedFrame).check(z.maxLength(maxFrames)) }),
});

/**
 * Sends a batch of frames. Batches have numbers from 1, because one that has no reply yet is sent again. `pushes`: how
 * many pushes were taken since the batch before. Fails with `noTunnel` or `invalid`.
 */
export const sendToTunnel = defineCompanionOperation({
  name: "tunnel.send",
  parameters: z.object({ tunnel: z.string(), number: count, pushes: count, frames: z.array(sentFrame) }),
  result: z.object({}),
  push: z.never(),
});
