import * as z from "zod/mini";
import { defineCompanionOperation } from "../operation.ts";

/** Maximum number of names that are compared. */
export const maxComparedNames = 200;

/** Counts how many of these names are in the companion's root. */
export const compareWorkspace = defineCompanionOperation({
  name: "workspace.compare",
  parameters: z.object({ names: z.array(z.string()).check(z.maxLength(maxComparedNames)) }),
  result: z.object({ present: z.int().check(z.nonnegative(), z.maximum(maxComparedNames)) }),
  push: z.never(),
});
