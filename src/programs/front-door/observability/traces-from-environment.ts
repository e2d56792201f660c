import type { Logger } from "pino";
import { version } from "../version.ts";
import type { Metrics } from "./metrics.ts";
import { readTraceEnvironment } from "./trace-environment.ts";
import { noTraces, type Traces } from "./traces.ts";

/** Creates the traces that the standard environment variables configure. Loads the library only if tracing is on. */
export async function tracesFrom(
  environment: Readonly<Record<string, string | undefined>>,
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): Promise<Traces> {
  const { settings, remarks } = readTraceEnvironment(environment);
  for (const remark of remarks) {
    log.warn(remark);
  }
  if (settings === undefined) {
    return noTraces;
  }
  const { createOpenTelemetryTraces } = await import("./open-telemetry.ts");
  return createOpenTelemetryTraces(settings, { version, log, metrics });
}
