import assert from "node:assert/strict";
import type { AnyOperation } from "../../../../src/api/catalogue/operation.ts";
import { getWorkspace, startInstance } from "../../../../src/api/catalogue/operations/workspaces.ts";
import type { Client } from "../../../../src/api/client/client.ts";
import { runOperation } from "../../../../src/api/families/operation-outcome.ts";
import type { CredentialKind } from "../../../../src/api/http/credentials.ts";
import { connectionError, failureOf, fakePlatform, json, type Responder } from "../fake-platform.ts";

const input = { workspaceId: "w" };

function run(operation: AnyOperation, respond: Responder) {
  return runOperation(fakePlatform(respond).platform as Client<CredentialKind>, operation, input);
}

describe("an operation that is run by its id", () => {
  // Proves 4.1: A start reports the text `workspace started`
  it("starts a workspace with the description's text", async () => {
    const outcome = await run(startInstance, () => json(200, { status: "BOOTSTRAPPING" }));
    assert.deepEqual(outcome, { successful: true, value: { status: "BOOTSTRAPPING" }, text: "workspace started" });
  });

  // Proves 7: Start, failure during the start: unsuccessful
  it("has the unsuccessful result if the start is interrupted", async () => {
    const outcome = await run(startInstance, () => Promise.reject(connectionError("ECONNRESET")));
    assert.deepEqual(outcome, { successful: false, status: 500, text: "The workspace is starting." });
  });

  it("fails like the operation if the platform refuses", async () => {
    const failure = await failureOf(run(startInstance, () => json(403, { message: "no" })));
    assert.deepEqual([failure.kind, failure.operationWord], ["workspace", "start"]);
  });

  it("fails if another operation is interrupted", async () => {
    const failure = await failureOf(run(getWorkspace, () => Promise.reject(connectionError("ECONNRESET"))));
    assert.equal(failure.kind, "retrieval");
    assert.deepEqual(await run(getWorkspace, () => json(200, { id: "w" })), { successful: true, value: { id: "w" } });
  });
});
