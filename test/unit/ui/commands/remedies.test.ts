import assert from "node:assert/strict";
import { getContent } from "../../../../src/api/catalogue/operations/contents.ts";
import { duplicatePage } from "../../../../src/api/catalogue/operations/pages.ts";
import { deleteWorkflow } from "../../../../src/api/catalogue/operations/workflows.ts";
import { getWorkspace, startInstance } from "../../../../src/api/catalogue/operations/workspaces.ts";
import { ProxyError } from "../../../../src/api/http/network/proxy.ts";
import { AccessError } from "../../../../src/tenants/access-obstacle.ts";
import { namedEntitiesOf } from "../../../../src/ui/commands/error-context.ts";
import { describeFailure, remedyFor } from "../../../../src/ui/commands/remedies.ts";
import { failureOf, fakePlatform, json } from "../../api/fake-platform.ts";
import { english } from "../translate.ts";

const workspaceId = "4f7c21aa-90d3-4b6e-8a51-2e6d0b9f3c10";
const context = { tenantId: "acme", workspaceId };

describe("the remedy for a failure", () => {
  it("is what a request requires first", () => {
    const { tenantId } = context;
    const wanting = [
      ["signedOut", { type: "signIn", tenantId }],
      ["stopped", { type: "start", ...context }],
      ["noToken", { type: "enterToken", ...context }],
      ["unknownTenant", { type: "addTenant" }],
      ["noAddress", undefined],
    ] as const;
    for (const [type, remedy] of wanting) {
      assert.deepEqual(remedyFor(new AccessError(type, context, "no"), {}), remedy);
    }
  });

  it("is what the platform's response requires", async () => {
    const refused = await failureOf(fakePlatform(() => json(401, {})).platform.call(getWorkspace, { workspaceId }));
    assert.deepEqual(remedyFor(refused, context), { type: "signIn", tenantId: "acme" });

    const noAccess = await failureOf(fakePlatform(() => json(403, {})).platform.call(getWorkspace, { workspaceId }));
    assert.deepEqual(remedyFor(noAccess, context), { type: "signIn", tenantId: "acme" });

    const handshake = { errorCode: "DS-0018", details: { jupyterAuthURL: "https://acme.example.com/hub" } };
    const first = await failureOf(
      fakePlatform(() => json(403, handshake)).platform.call(startInstance, { workspaceId }),
    );
    const address = "https://acme.example.com/hub";
    assert.deepEqual(remedyFor(first, context), { type: "openInBrowser", ...context, address });

    const forbidden = await failureOf(fakePlatform(() => json(403, {})).content.call(getContent, { path: "a.py" }));
    assert.deepEqual(remedyFor(forbidden, context), { type: "enterToken", ...context });

    const gone = await failureOf(fakePlatform(() => json(424, {})).content.call(getContent, { path: "a.py" }));
    assert.deepEqual(remedyFor(gone, context), { type: "start", ...context });
  });

  it("is the editor's settings if a proxy doesn't forward the request", async () => {
    const refuse = (): never => {
      throw new ProxyError({ type: "rejected", address: "http://proxy.test:3128", source: "setting" });
    };
    const failure = await failureOf(fakePlatform(refuse).platform.call(getWorkspace, { workspaceId }));
    assert.deepEqual(remedyFor(failure, {}), { type: "openProxySettings" });
  });

  it("is undefined if the user can't resolve the failure, or if its context is unknown", async () => {
    const down = await failureOf(fakePlatform(() => json(500, {})).platform.call(getWorkspace, { workspaceId }));
    assert.equal(remedyFor(down, context), undefined);
    const refused = await failureOf(fakePlatform(() => json(401, {})).platform.call(getWorkspace, { workspaceId }));
    assert.equal(remedyFor(refused, {}), undefined);
    assert.equal(remedyFor(new Error("other"), context), undefined);
  });
});

describe("the message of a failure", () => {
  it("names the workspace, and keeps an id that does not exist", async () => {
    const start = await failureOf(fakePlatform(() => json(500, {})).platform.call(startInstance, { workspaceId }));
    const told = describeFailure(start, context, "Sales forecasting", english);
    assert.match(told, /^Can't start workspace Sales forecasting: /);
    assert.doesNotMatch(told, /4f7c21aa/);

    const missing = await failureOf(fakePlatform(() => json(404, {})).platform.call(getWorkspace, { workspaceId }));
    assert.match(
      describeFailure(missing, context, workspaceId, english),
      new RegExp(`^Can't read workspace ${workspaceId}: it doesn't exist`),
    );
  });

  it("names the command's items in the sentence, but not in addresses or in the platform's message", async () => {
    const entities = namedEntitiesOf({ resource: { type: "workflow", id: "8c1d", name: "Weekly sales mail" } });
    const refused = await failureOf(
      fakePlatform(() => json(409, { message: "8c1d is active" })).platform.call(deleteWorkflow, { modelId: "8c1d" }),
    );
    const told = describeFailure(refused, { tenantId: "acme", entities }, undefined, english);
    assert.match(told, /^Can't delete workflow Weekly sales mail: /);
    assert.ok(told.includes("8c1d is active"), told);

    const gone = await failureOf(fakePlatform(() => json(404, {})).platform.call(deleteWorkflow, { modelId: "8c1d" }));
    assert.match(
      describeFailure(gone, { entities }, undefined, english),
      /^Can't delete workflow Weekly sales mail \(8c1d\): /,
    );

    const page = { id: "12", name: "Sales" };
    const down = await failureOf(
      fakePlatform(() => json(400, {})).platform.call(duplicatePage, { pageId: "12", body: {} }),
    );
    const sentence = describeFailure(down, { entities: [page, { id: "1", name: "Another" }] }, undefined, english);
    assert.match(sentence, /^Can't duplicate page Sales \(PUT \S+\/pages\/12\/duplicate\): /);
    assert.deepEqual([namedEntitiesOf(undefined), namedEntitiesOf({ id: "12" })], [[], []]);
  });
});
