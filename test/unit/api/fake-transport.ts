import { NotebookToken } from "../../../src/api/http/credentials.ts";
import type { TransportRequest } from "../../../src/api/http/transport.ts";
import { TransportError, type TransportFailure } from "../../../src/api/http/transport-errors.ts";
import { fakePlatform, json, origin, type Responder, secret } from "./fake-platform.ts";

export const repeatable: TransportRequest = {
  method: "GET",
  url: new URL(`${origin}/api/x?y=1`),
  credential: new NotebookToken(origin, secret),
  header: { name: "authorization", template: "token {token}" },
  headers: {},
  body: undefined,
  repeat: "repeatable",
  timeLimitMs: 30_000,
  transfer: false,
  signal: undefined,
  maximumBytes: 1024 * 1024,
};
export const once: TransportRequest = { ...repeatable, method: "PUT", body: "{}", repeat: "once" };
export const never: TransportRequest = { ...repeatable, repeat: "never" };

export interface Outcome {
  readonly status?: number;
  readonly failure?: TransportFailure;
  readonly sent: number;
  readonly waits: readonly number[];
  readonly lines: readonly string[];
}

export async function outcomeOf(respond: Responder, request = repeatable): Promise<Outcome> {
  const { transport, requests, waits, lines } = fakePlatform(respond);
  try {
    const { status } = await transport.send(request);
    return { status, sent: requests.length, waits, lines };
  } catch (error) {
    if (error instanceof TransportError) {
      return { failure: error.failure, sent: requests.length, waits, lines };
    }
    throw error;
  }
}

/** The given answers in order, then 200. */
export function sequence(...steps: readonly (ReturnType<typeof json> | Error)[]): Responder {
  return (_, nth) => {
    const step = steps[nth - 1];
    if (step instanceof Error) {
      throw step;
    }
    return step ?? json(200, {});
  };
}
