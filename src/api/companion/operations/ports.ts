import * as z from "zod/mini";
import { defineCompanionOperation } from "../operation.ts";

const ports = z
  .array(
    z.object({
      port: z.int().check(z.minimum(1), z.maximum(65_535)),
      /** The program, such as `streamlit`. Empty if it isn't known. */
      name: z.string().check(z.maxLength(100)),
      /** True if the system probably chose its number, for a program that asked for any port. */
      isEphemeral: z.boolean(),
    }),
  )
  .check(z.maxLength(200));
export type ListeningPort = z.output<typeof ports>[number];

/**
 * A subscription to the ports on which programs of the workspace listen, without those of Jupyter itself. A change is
 * reported within about two seconds. `isKnown`: false on systems that don't list them.
 */
export const watchPorts = defineCompanionOperation({
  name: "ports.watch",
  parameters: z.object({}),
  result: z.object({ isKnown: z.boolean(), ports }),
  push: z.object({ ports }),
});
