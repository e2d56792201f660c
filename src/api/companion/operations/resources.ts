import * as z from "zod/mini";
import { resourceUsage } from "../../resources/resource-usage.ts";
import { defineCompanionOperation } from "../operation.ts";

/** A subscription to what the workspace and its kernels use: now, after a second, and then every 5 seconds. */
export const watchResources = defineCompanionOperation({
  name: "resources.watch",
  parameters: z.object({}),
  result: z.object({}),
  push: resourceUsage,
});
