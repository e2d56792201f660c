import assert from "node:assert/strict";
import { silentLog } from "../../../src/api/http/log.ts";
import { createTransport } from "../../../src/api/http/transport.ts";
import { OperationDocuments } from "../../../src/features/api-explorer/operation-documents.ts";
import { OperationRequests } from "../../../src/features/api-explorer/operation-requests.ts";
import { RecentResources } from "../../../src/features/navigation/go-to-anything.ts";
import { Connections } from "../../../src/tenants/connections.ts";
import { accountKeys, typedKeys } from "../../../src/tenants/stored-account-state.ts";
import { readTenant } from "../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../src/tenants/tenant-registry.ts";
import { TenantSecrets } from "../../../src/tenants/tenant-secrets.ts";
import { StandInMemento, StandInSecrets } from "../../harness/editor-stand-in/memory.ts";

const operationId = "pages.get";
const places = ["acme", "beta"].map((tenantId) => ({ tenantId, workspaceId: "w-1", operationId }));

describe("what an account has left in the editor", () => {
  it("is deleted at the sign-out, for this tenant alone, before another account signs in", async () => {
    const state = new StandInMemento();
    const registry = new TenantRegistry(state);
    const secrets = new TenantSecrets(new StandInSecrets());
    for (const { tenantId } of places) {
      const read = readTenant({ id: tenantId, label: tenantId, baseUrl: `https://${tenantId}.example` }, "provided");
      assert.ok("tenant" in read);
      registry.provide(read.tenant);
      await secrets.saveCredential(read.tenant, "s3cret-of-a-person", "Ada Example");
    }
    const transport = createTransport();
    const connections = new Connections(registry, secrets, transport, state, silentLog, Promise.resolve());
    const requests = new OperationRequests(state);
    const documents = new OperationDocuments(state, connections);
    const recent = new RecentResources(state);
    for (const place of places) {
      const request = { ...place, parameters: { pageId: `page of ${place.tenantId}` }, isRaw: true };
      await requests.begin(request);
      await requests.remember({ ...request, when: "2026-01-01T00:00:00Z", status: 200, body: `{"by":"Ada"}` });
      await documents.setBody(place, `{"by":"Ada"}`);
      await recent.add({ type: "page", tenantId: place.tenantId, id: "7", name: "Salaries" });
      for (const key of [
        accountKeys.rememberedWorkspaces,
        accountKeys.notebookIds,
        accountKeys.dataflowBodies,
        accountKeys.searchedFiles,
      ]) {
        await state.update(key, { ...state.get(key, {}), [`${place.tenantId}/w-1`]: { name: "Salaries" } });
      }
    }
    await state.update(typedKeys.lastSearch, { text: "Ada's password" });
    // Nothing may be left when another account can sign in.
    let leftAtOnce: readonly string[] | undefined;
    secrets.onDidSignOut(() => {
      leftAtOnce = Object.values(accountKeys).filter((key) => JSON.stringify(state.get(key)).includes("acme"));
    });
    await secrets.signOut("acme");
    assert.deepEqual(leftAtOnce, []);

    for (const { tenantId } of places) {
      const isLeft = tenantId === "beta";
      const place = { tenantId, workspaceId: "w-1", operationId };
      assert.deepEqual(requests.parametersOf(place), isLeft ? { pageId: "page of beta" } : {});
      assert.equal(requests.isRaw(place), isLeft);
      assert.equal(documents.bodyOf(place), isLeft ? `{"by":"Ada"}` : undefined);
      assert.equal(recent.of(tenantId).length, isLeft ? 1 : 0);
    }
    assert.deepEqual(
      requests.history.map(({ tenantId }) => tenantId),
      ["beta"],
    );
    for (const key of Object.values(accountKeys)) {
      assert.match(JSON.stringify(state.get(key)), /beta/, key);
    }
    assert.equal(requests.lastChoice(operationId, "pageId"), undefined);
    assert.equal(state.get(typedKeys.lastSearch), undefined);
    connections.dispose();
    await transport.close();
  });
});
