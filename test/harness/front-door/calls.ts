// Many calls over persistent connections, and single calls whose response is checked in detail.
import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { bearer, callBody, callHeaders, prefix } from "./cases.ts";
import type { Person, Rig } from "./rig.ts";

/** The result of a call. */
export interface CallResponse {
  readonly status: number;
  /** The reason for a refusal; absent if the call was served. */
  readonly reason?: string;
  /** True if the tool reported a failure. */
  readonly failed?: true;
  readonly retryAfter?: string;
  readonly text: string;
}

export type Caller = (token: string) => Promise<CallResponse>;

/** Runs work with a caller that has its own connections, with one per concurrent call. */
export async function withCaller<T>(url: string, work: (call: Caller) => Promise<T>): Promise<T> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  try {
    return await work((token) => callTool(url, token, agent));
  } finally {
    agent.destroy();
  }
}

/** Calls the tool of the cases. */
export function callOnce(rig: Rig, person: Person, token: string = rig.token(person)): Promise<CallResponse> {
  return withCaller(rig.frontDoor.url, (call) => call(token));
}

/** Calls the tool, and asserts the result. A failure of the tool also has the status 200, and must be expected. */
export async function expectCall(
  rig: Rig,
  person: Person,
  expected: { readonly status: number; readonly reason?: string; readonly failed?: true },
  token?: string,
): Promise<void> {
  const { text, retryAfter: _, ...response } = await callOnce(rig, person, token);
  assert.deepEqual(response, expected, text);
}

function callTool(url: string, token: string, agent: Agent): Promise<CallResponse> {
  const { hostname, port } = new URL(url);
  const headers = Object.fromEntries([...callHeaders, ...bearer(`${prefix}${token}`)]);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method: "POST", path: "/mcp", headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(parts).toString();
        const reason = /"reason":"(\w+)"/.exec(text)?.[1];
        const retryAfter = response.headers["retry-after"];
        resolve({
          status: response.statusCode ?? 0,
          ...(reason === undefined ? {} : { reason }),
          ...(text.includes('"isError":true') ? { failed: true } : {}),
          ...(retryAfter === undefined ? {} : { retryAfter }),
          text,
        });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(callBody());
  });
}

/** Counts the outcomes: a status, with the reason of a refusal or the word that the tool failed. */
export function tally(responses: readonly CallResponse[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status, reason, failed } of responses) {
    const more = reason ?? (failed === true ? "failed" : undefined);
    const name = more === undefined ? String(status) : `${status} ${more}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
