// Many calls over kept connections, and single ones whose answer is looked at by hand.
import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { bearer, callBody, callHeaders, prefix } from "./cases.ts";
import type { Person, Rig } from "./rig.ts";

/** What a call came to. */
export interface CallAnswer {
  readonly status: number;
  /** The reason of a refusal; absent for what was served. */
  readonly reason?: string;
  /** True where the tool says that it failed. */
  readonly failed?: boolean;
  readonly retryAfter?: string;
  readonly text: string;
}

export type Caller = (token: string) => Promise<CallAnswer>;

/** Runs with a caller whose connections are its own, as many as there are calls at the same moment. */
export async function withCaller<T>(url: string, work: (call: Caller) => Promise<T>): Promise<T> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  try {
    return await work((token) => callTool(url, token, agent));
  } finally {
    agent.destroy();
  }
}

/** One call of the cases' tool. */
export function callOnce(rig: Rig, person: Person, token: string = rig.token(person)): Promise<CallAnswer> {
  return withCaller(rig.frontDoor.url, (call) => call(token));
}

/** Calls, and asserts what it came to. */
export async function expectCall(
  rig: Rig,
  person: Person,
  expected: { readonly status: number; readonly reason?: string },
  token?: string,
): Promise<void> {
  const { status, reason, text } = await callOnce(rig, person, token);
  assert.deepEqual({ status, ...(reason === undefined ? {} : { reason }) }, expected, text);
}

function callTool(url: string, token: string, agent: Agent): Promise<CallAnswer> {
  const { hostname, port } = new URL(url);
  const headers = Object.fromEntries([...callHeaders, ...bearer(`${prefix}${token}`)]);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method: "POST", path: "/mcp", headers, agent }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(parts).toString();
        const reason = /"reason":"(\w+)"/.exec(text)?.[1];
        const retryAfter = answer.headers["retry-after"];
        resolve({
          status: answer.statusCode ?? 0,
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

/** How often each outcome came. */
export function tally(answers: readonly CallAnswer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status, reason } of answers) {
    const name = reason === undefined ? String(status) : `${status} ${reason}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
