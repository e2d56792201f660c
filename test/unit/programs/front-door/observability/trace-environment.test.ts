import assert from "node:assert/strict";
import { pino } from "pino";
import { createMetrics } from "../../../../../src/programs/front-door/observability/metrics.ts";
import { readTraceEnvironment } from "../../../../../src/programs/front-door/observability/trace-environment.ts";
import { noTraces } from "../../../../../src/programs/front-door/observability/traces.ts";
import { tracesFrom } from "../../../../../src/programs/front-door/observability/traces-from-environment.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
const usual = { parentBased: true, ratio: 1 };

describe("front door: the standard variables of traces", () => {
  for (const [what, environment] of [
    ["no endpoint", { OTEL_SERVICE_NAME: "door", OTEL_TRACES_EXPORTER: "otlp" }],
    ["an endpoint that is empty", { OTEL_EXPORTER_OTLP_ENDPOINT: " " }],
    ["the library turned off", { ...endpoint, OTEL_SDK_DISABLED: "TRUE" }],
    ["no exporter", { ...endpoint, OTEL_TRACES_EXPORTER: "none" }],
    ["an exporter that is not known", { ...endpoint, OTEL_TRACES_EXPORTER: "zipkin" }],
  ] as const) {
    it(`nothing is traced with ${what}`, async () => {
      assert.equal(readTraceEnvironment(environment).settings, undefined);
      const parts = { log: pino({ level: "silent" }), metrics: createMetrics() };
      assert.equal(await tracesFrom(environment, parts), noTraces);
    });
  }

  it("an endpoint only for traces is enough", () => {
    const { settings, remarks } = readTraceEnvironment({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1/v1/traces",
    });
    assert.deepEqual(settings, { sampler: usual, batches: {} });
    assert.deepEqual(remarks, []);
  });

  for (const [name, argument, sampler] of [
    ["always_on", "", { parentBased: false, ratio: 1 }],
    ["always_off", "", { parentBased: false, ratio: 0 }],
    ["traceidratio", "0.25", { parentBased: false, ratio: 0.25 }],
    ["parentbased_always_on", "", usual],
    ["parentbased_always_off", "", { parentBased: true, ratio: 0 }],
    ["parentbased_traceidratio", "0", { parentBased: true, ratio: 0 }],
    ["parentbased_traceidratio", "", usual],
  ] as const) {
    it(`the sampler ${name} ${argument}`, () => {
      const given = { ...endpoint, OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument };
      assert.deepEqual(readTraceEnvironment(given), { settings: { sampler, batches: {} }, remarks: [] });
    });
  }

  it("invalid settings are reported without their value, and the default applies", () => {
    const { settings, remarks } = readTraceEnvironment({
      ...endpoint,
      OTEL_TRACES_SAMPLER: "planted",
      OTEL_TRACES_SAMPLER_ARG: "2",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      OTEL_BSP_SCHEDULE_DELAY: "-5",
      OTEL_BSP_MAX_QUEUE_SIZE: "64",
    });
    assert.deepEqual(settings, { sampler: usual, batches: { maxQueueSize: 64 } });
    assert.equal(remarks.length, 4);
    assert.doesNotMatch(remarks.join(), /planted|-5/);
  });
});
