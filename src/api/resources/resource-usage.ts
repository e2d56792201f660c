import * as z from "zod/mini";

const quantity = z.number().check(z.nonnegative());

/**
 * What a figure and its limit are about: the container that the workspace runs in, the server and what it has started
 * (with the limit that JupyterHub has set for it), or the whole machine.
 */
const source = z.enum(["container", "server", "machine"]);

/** What a workspace and its kernels use. Comes from its companion, or in part from its server. */
export const resourceUsage = z.object({
  /** In bytes. Null if it can't be read. `limit` is null if the server doesn't report one. */
  memory: z.nullable(z.object({ used: quantity, limit: z.nullable(quantity), source })),
  /** In processors, such as 0.5. `used` is null until it was measured for a second, and if it can't be read. */
  processor: z.object({ used: z.nullable(quantity), limit: quantity, source }),
  /** The kernels whose processes were found, each with the processes that it has started. The largest come first. */
  kernels: z
    .array(
      z.object({
        id: z.string().check(z.maxLength(64)),
        /** Resident bytes. */
        memory: quantity,
        processor: z.nullable(quantity),
      }),
    )
    .check(z.maxLength(200)),
  /** When the server ends idle kernels; null if it doesn't, or doesn't say so. */
  culling: z.nullable(
    z.object({
      idleSeconds: z.number().check(z.positive()),
      /** Whether it ends kernels that a client is connected to, and those that are busy. */
      endsConnected: z.boolean(),
      endsBusy: z.boolean(),
    }),
  ),
  /** False if the system shows no processes. */
  canSeeProcesses: z.boolean(),
});
export type ResourceUsage = z.output<typeof resourceUsage>;
export type Culling = NonNullable<ResourceUsage["culling"]>;
