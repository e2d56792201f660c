import * as z from "zod/mini";
import { defineCompanionOperation } from "../operation.ts";

const count = z.int().check(z.nonnegative());

/** What the companion itself does. */
export const companionInformation = defineCompanionOperation({
  name: "companion.information",
  parameters: z.object({}),
  result: z.object({
    /** Process ID on the server. */
    process: count,
    /** Number of requests that it is performing. */
    running: count,
    subscriptions: count,
  }),
  push: z.never(),
});

/** Ends a request or a subscription by its id. */
export const cancelRequest = defineCompanionOperation({
  name: "companion.cancel",
  parameters: z.object({ id: z.string() }),
  result: z.object({}),
  push: z.never(),
});
