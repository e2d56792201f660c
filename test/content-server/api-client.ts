import assert from "node:assert/strict";
import type { ContentClient } from "../../src/api/client/client.ts";
import { Client } from "../../src/api/client/client.ts";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { PlatformError } from "../../src/api/http/errors.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import type { ContentServer } from "./client.ts";

const transports: Transport[] = [];

/** The API layer's client for a content server, with the right token by default. */
export function clientOf(server: ContentServer, token = server.token): ContentClient {
  const transport = createTransport({ sleep: async () => {} });
  transports.push(transport);
  const base = new URL(server.url);
  const credential = new NotebookToken(base.origin, token);
  return new Client(
    { kind: "notebook", base, dialect: dialects.documented, credential, limits: singleUserLimits },
    transport,
  );
}

/** The PlatformError with which the work fails. Anything else fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<PlatformError> {
  const error = await work.then(
    () => assert.fail("it did not fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof PlatformError) {
    return error;
  }
  throw error;
}

after(async () => {
  await Promise.all(transports.map((transport) => transport.close()));
});
