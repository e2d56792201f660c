import * as z from "zod/mini";
import { defineOperation } from "../catalogue/operation.ts";
import type { CallOptions, ContentClient } from "../client/client.ts";
import { causeOf } from "../http/errors.ts";
import type { ResourceUsage } from "./resource-usage.ts";

const quantity = z.nullish(z.number());

/** The metrics of jupyter-resource-usage, an extension of Jupyter Server. Other servers respond with 404. */
const getServerMetrics = defineOperation({
  id: "metrics.get",
  section: "beyond",
  summary: "Read how much memory and how many processors the server uses",
  method: "GET",
  path: "api/metrics/v1",
  pathParameters: {},
  // Servers that stop when they are idle must not count this request as activity.
  queryParameters: { no_track_activity: z.optional(z.literal(1)) },
  body: z.undefined(),
  response: z.looseObject({
    /** Bytes of the server and what it has started. */
    rss: quantity,
    /** In percent of one processor. */
    cpu_percent: quantity,
    cpu_count: quantity,
    limits: z.nullish(
      z.looseObject({
        memory: z.nullish(z.looseObject({ rss: quantity })),
        cpu: z.nullish(z.looseObject({ cpu: quantity })),
      }),
    ),
  }),
  credential: "notebook",
  effect: "read",
  failure: "Can't read how much memory the server uses",
  entity: "metrics",
  errors: { otherwise: { kind: "retrieval" } },
});

/**
 * What a server reports about itself, without its kernels. Undefined if it reports nothing.
 */
export async function readServerMetrics(
  client: Pick<ContentClient, "call">,
  options: CallOptions = {},
): Promise<ResourceUsage | undefined> {
  try {
    const { rss, cpu_percent, cpu_count, limits } = await client.call(
      getServerMetrics,
      { no_track_activity: 1 },
      options,
    );
    const limit = limits?.memory?.rss ?? 0;
    const processors = limits?.cpu?.cpu ?? cpu_count ?? 0;
    return {
      memory:
        typeof rss === "number" && rss >= 0 ? { used: rss, limit: limit > 0 ? limit : null, source: "server" } : null,
      processor: {
        used: typeof cpu_percent === "number" && cpu_percent >= 0 ? cpu_percent / 100 : null,
        limit: Math.max(processors, 0),
        source: "server",
      },
      kernels: [],
      culling: null,
      canSeeProcesses: false,
    };
  } catch (error) {
    const cause = causeOf(error);
    if ((cause?.type === "status" || cause?.type === "notJson") && (cause.status === 404 || cause.status === 405)) {
      return undefined;
    }
    throw error;
  }
}
