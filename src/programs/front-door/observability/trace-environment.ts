/**
 * The trace settings in the standard environment variables of OpenTelemetry. The exporter and the resource read their
 * own variables.
 */
export interface TraceSettings {
  readonly sampler: Sampler;
  /** Settings of the batches in which spans are sent. OpenTelemetry's defaults if undefined. */
  readonly batches: {
    readonly scheduledDelayMillis?: number;
    readonly exportTimeoutMillis?: number;
    readonly maxQueueSize?: number;
    readonly maxExportBatchSize?: number;
  };
}

/** The sampler. With `parentBased`, the caller's decision is used if there is one. */
export interface Sampler {
  readonly parentBased: boolean;
  /** The ratio of recorded traces, from 0 to 1. */
  readonly ratio: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface ParsedTrace {
  /** Undefined if tracing is off. */
  readonly settings: TraceSettings | undefined;
  /** Warnings about ignored settings, for the log. */
  readonly remarks: readonly string[];
}

const usualSampler: Sampler = { parentBased: true, ratio: 1 };

/** Reads the environment variables. Tracing is off unless an endpoint is set. */
export function readTraceEnvironment(environment: Environment): ParsedTrace {
  const settingOf = (name: string): string => environment[name]?.trim() ?? "";
  const exporter = settingOf("OTEL_TRACES_EXPORTER").toLowerCase();
  const isWanted =
    settingOf("OTEL_SDK_DISABLED").toLowerCase() !== "true" &&
    exporter !== "none" &&
    [settingOf("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), settingOf("OTEL_EXPORTER_OTLP_ENDPOINT")].some(
      (one) => one !== "",
    );
  if (!isWanted) {
    return { settings: undefined, remarks: [] };
  }
  if (exporter !== "" && exporter !== "otlp") {
    return {
      settings: undefined,
      remarks: ["OTEL_TRACES_EXPORTER: only otlp and none are supported. Tracing is off."],
    };
  }
  const remarks: string[] = [];
  const protocol = settingOf("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") || settingOf("OTEL_EXPORTER_OTLP_PROTOCOL");
  if (protocol !== "" && protocol !== "http/protobuf") {
    remarks.push("OTEL_EXPORTER_OTLP_PROTOCOL: only http/protobuf is supported, and is used.");
  }
  const ratioText = settingOf("OTEL_TRACES_SAMPLER_ARG");
  const ratio = ratioText === "" ? 1 : Number(ratioText);
  const isRatio = ratio >= 0 && ratio <= 1;
  const sampler = samplerOf(settingOf("OTEL_TRACES_SAMPLER").toLowerCase(), isRatio ? ratio : 1);
  if (sampler === undefined) {
    remarks.push("OTEL_TRACES_SAMPLER: unknown sampler; parentbased_always_on is used.");
  }
  if (!isRatio) {
    remarks.push("OTEL_TRACES_SAMPLER_ARG: it must be a number from 0 to 1; 1 is used.");
  }
  const numberOf = (name: string, member: keyof TraceSettings["batches"]): TraceSettings["batches"] => {
    const text = settingOf(name);
    const isNumber = /^[1-9]\d{0,6}$/.test(text);
    if (text !== "" && !isNumber) {
      remarks.push(`${name}: it must be a whole number above 0; the default is used.`);
    }
    return isNumber ? { [member]: Number(text) } : {};
  };
  const batches = {
    ...numberOf("OTEL_BSP_SCHEDULE_DELAY", "scheduledDelayMillis"),
    ...numberOf("OTEL_BSP_EXPORT_TIMEOUT", "exportTimeoutMillis"),
    ...numberOf("OTEL_BSP_MAX_QUEUE_SIZE", "maxQueueSize"),
    ...numberOf("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "maxExportBatchSize"),
  };
  return { settings: { sampler: sampler ?? usualSampler, batches }, remarks };
}

function samplerOf(name: string, ratio: number): Sampler | undefined {
  switch (name) {
    case "":
    case "parentbased_always_on":
      return usualSampler;
    case "parentbased_always_off":
      return { parentBased: true, ratio: 0 };
    case "parentbased_traceidratio":
      return { parentBased: true, ratio };
    case "always_on":
      return { parentBased: false, ratio: 1 };
    case "always_off":
      return { parentBased: false, ratio: 0 };
    case "traceidratio":
      return { parentBased: false, ratio };
    default:
      return undefined;
  }
}
