import * as z from "zod/mini";
import { defineCompanionOperation } from "../operation.ts";

/** Maximum number of directories that one subscription watches. */
export const maxWatchedDirectories = 200;

const path = z.string().check(z.maxLength(4096));

/**
 * A subscription to the changes of directories: of the names, sizes, and times of their entries. A change is reported
 * within about a second; a directory that changes all the time, every 5 seconds.
 */
export const watchDirectories = defineCompanionOperation({
  name: "watch.directories",
  parameters: z.object({ directories: z.array(path).check(z.maxLength(maxWatchedDirectories)) }),
  result: z.object({}),
  push: z.object({ changed: z.array(path).check(z.maxLength(maxWatchedDirectories)) }),
});
