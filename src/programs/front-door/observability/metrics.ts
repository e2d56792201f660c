import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates the server's metrics in a separate registry. No label contains a user or a secret. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter<Label>({ name, help, labelNames: [...labelNames], registers });
  let ageOfKeySet = (): number | undefined => undefined;
  new Gauge({
    name: "frontdoor_jwks_age_seconds",
    help: "Seconds since the key set was fetched",
    registers,
    collect() {
      const age = ageOfKeySet();
      if (age !== undefined) {
        this.set(age);
      }
    },
  });
  let isStateAvailable = (): boolean | undefined => undefined;
  new Gauge({
    name: "frontdoor_shared_state_up",
    help: "1 while the shared state is available, otherwise 0; absent without a shared state",
    registers,
    collect() {
      const isAvailable = isStateAvailable();
      if (isAvailable !== undefined) {
        this.set(isAvailable ? 1 : 0);
      }
    },
  });
  return {
    registry,
    /** Sets the function that returns whether the shared state is available. */
    watchSharedState(isAvailable: () => boolean): void {
      isStateAvailable = isAvailable;
    },
    /** Sets the function that returns the age of the key set, in seconds. */
    watchKeySet(age: () => number | undefined): void {
      ageOfKeySet = age;
    },
    requests: counter("frontdoor_requests_total", "Requests answered", ["route", "status"]),
    requestSeconds: new Histogram({
      name: "frontdoor_request_seconds",
      help: "Seconds until the response to a request",
      labelNames: ["route"],
      buckets: seconds,
      registers,
    }),
    refusals: counter("frontdoor_refusals_total", "Rejected requests, by the code in the response", ["reason"]),
    entitlements: counter("frontdoor_entitlement_total", "Entitlement checks", ["result", "cache"]),
    credentials: counter("frontdoor_credential_total", "Lookups of stored credentials", ["result", "cache"]),
    decryptSeconds: new Histogram({
      name: "frontdoor_decrypt_seconds",
      help: "Seconds to decrypt an envelope",
      buckets: seconds,
      registers,
    }),
    toolCalls: counter("frontdoor_tool_calls_total", "Tool calls", ["tool", "result"]),
    toolSeconds: new Histogram({
      name: "frontdoor_tool_seconds",
      help: "Seconds of a tool call",
      labelNames: ["tool"],
      buckets: seconds,
      registers,
    }),
    jwksFetches: counter("frontdoor_jwks_fetch_total", "Fetches of the key set", ["result"]),
    exposedKeys: counter(
      "frontdoor_jwks_private_keys_total",
      "Keys rejected because their private half is published",
      [],
    ),
    inFlight: new Gauge({
      name: "frontdoor_requests_in_flight",
      help: "Tool requests in progress",
      registers,
    }),
    traceExports: counter("frontdoor_trace_exports_total", "Batches of spans sent", ["result"]),
    sharedStateSeconds: new Histogram({
      name: "frontdoor_shared_state_seconds",
      help: "Seconds until the shared state replied or failed",
      labelNames: ["operation"],
      buckets: seconds,
      registers,
    }),
    sharedStateErrors: counter("frontdoor_shared_state_errors_total", "Failures of the shared state", [
      "operation",
      "reason",
    ]),
    sharedStateFallbacks: counter(
      "frontdoor_shared_state_fallbacks_total",
      "Decisions of this instance without the shared state, because it was unavailable",
      ["operation"],
    ),
    rateLimited: counter("frontdoor_rate_limited_total", "Requests over a limit", ["limit"]),
    validations: counter("frontdoor_validations_total", "Stored credentials validated", ["verdict"]),
  };
}
