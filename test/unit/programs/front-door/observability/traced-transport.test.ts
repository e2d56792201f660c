import assert from "node:assert/strict";
import type { Transport } from "../../../../../src/api/http/transport.ts";
import { noTraces, tracedTransport } from "../../../../../src/programs/front-door/observability/traces.ts";

const request = {
  origin: "https://notebooks.example.com",
  path: "/api",
  headers: {},
  signal: new AbortController().signal,
  idleLimit: 1000,
};

describe("front door: the traced transport", () => {
  const stages: string[] = [];
  const told: unknown[] = [];
  const span = { describe: (facts: object) => void told.push(facts), fail: (kind: string) => void told.push(kind) };
  const traces = {
    ...noTraces,
    stage: async <T>(stage: string, work: (one: typeof span) => Promise<T>): Promise<T> => {
      stages.push(stage);
      return await work(span);
    },
  };
  const plain: Transport = { send: () => assert.fail("nothing is sent"), close: async () => {} };

  it("opens sockets, within a span", async () => {
    const response = { type: "refused", response: { status: 403, headers: {}, body: Buffer.alloc(0) } } as const;
    const opening = { ...plain, openSocket: async () => response };
    const traced = tracedTransport(opening, traces, "platform request", { continued: false });
    assert.equal(await traced.openSocket?.(request), response);
    assert.deepEqual(stages, ["platform request"]);
    assert.deepEqual(told.at(-1), "403");
  });

  it("opens none if the transport doesn't support sockets", async () => {
    const traced = tracedTransport(plain, traces, "platform request", { continued: false });
    assert.equal(await traced.openSocket?.(request), undefined);
  });
});
