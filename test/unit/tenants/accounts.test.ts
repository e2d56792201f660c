import assert from "node:assert/strict";
import { PlatformCredential } from "../../../src/api/http/credentials.ts";
import type { DispatchRequest } from "../../../src/api/http/dispatch.ts";
import { OperationDocuments, responseUri } from "../../../src/features/api-explorer/operation-documents.ts";
import { sourceFiles } from "../../../src/features/designs/sources.ts";
import { Accounts } from "../../../src/tenants/accounts.ts";
import { Connections } from "../../../src/tenants/connections.ts";
import { readTenant } from "../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../src/tenants/tenant-registry.ts";
import { TenantSecrets } from "../../../src/tenants/tenant-secrets.ts";
import { documentAddressOf } from "../../../src/ui/documents/document-address.ts";
import { groupNames } from "../../../src/ui/resources/group-names.ts";
import { userNames } from "../../../src/ui/resources/user-names.ts";
import { StandInMemento, StandInSecrets } from "../../harness/editor-stand-in/memory.ts";
import { fakePlatform, json, listLog } from "../api/fake-platform.ts";
import { zipOf } from "../api/zip-files.ts";

/** The person who sent a request, by the credential in its headers. */
function personOf({ headers }: DispatchRequest): "Ada" | "Ben" {
  return JSON.stringify(headers).includes("credential-of-ada") ? "Ada" : "Ben";
}

describe("what is remembered for an account", () => {
  it("ends when the user signs out, so that the next person sees nothing of it", async () => {
    const read = readTenant({ id: "acme", label: "Acme", baseUrl: "https://acme.example.com" }, "provided");
    assert.ok("tenant" in read);
    const { tenant } = read;
    const fake = fakePlatform(async (request) => {
      const person = personOf(request);
      if (request.path.includes("/assets")) {
        const archive = await zipOf([{ name: "index.html", content: `seen by ${person}` }]);
        await request.receiver?.begin();
        await request.receiver?.write(archive);
        const headers = { "content-type": "application/zip" };
        return { status: 200, headers, body: new Uint8Array(), received: archive.byteLength };
      }
      return request.path.includes("groups")
        ? json(200, [{ id: 7, groupId: 7, name: `group seen by ${person}` }])
        : json(200, [{ id: 1, displayName: `user seen by ${person}` }]);
    });
    const memento = new StandInMemento();
    const registry = new TenantRegistry(memento);
    registry.provide(tenant);
    const secrets = new TenantSecrets(new StandInSecrets());
    const connections = new Connections(registry, secrets, fake.transport, memento, listLog([]), Promise.resolve());
    const documents = new OperationDocuments(memento, connections);
    const uri = responseUri({ tenantId: "acme", workspaceId: "", operationId: "designs.list" });
    const address = documentAddressOf(uri);
    assert.ok(address !== undefined);

    const seen = async () => {
      const client = await connections.platform("acme");
      const files = await sourceFiles(client, { designId: "d-1", version: "1.0.0" });
      return [
        (await userNames(client, [1])).get("1"),
        [...(await groupNames(client)).values()][0],
        Buffer.from(files.get("index.html") ?? []).toString(),
        await documents.response.read(address, uri),
      ];
    };
    await secrets.saveCredential(tenant, "credential-of-ada", "Ada");
    documents.setResponse("acme", uri, "response for Ada");
    const ofAda = ["user seen by Ada", "group seen by Ada", "seen by Ada", "response for Ada"];
    assert.deepEqual(await seen(), ofAda);
    const sent = fake.requests.length;
    assert.deepEqual(await seen(), ofAda);
    assert.equal(fake.requests.length, sent, "the second time, everything comes from the caches");

    await secrets.signOut("acme");
    await new Promise(setImmediate);
    await secrets.saveCredential(tenant, "credential-of-ben", "Ben");
    assert.deepEqual(await seen(), ["user seen by Ben", "group seen by Ben", "seen by Ben", "null\n"]);

    // Signing in without signing out first.
    await secrets.saveCredential(tenant, "credential-of-ada", "Ada");
    assert.deepEqual(await seen(), ["user seen by Ada", "group seen by Ada", "seen by Ada", "null\n"]);
    for (const part of [connections, registry, secrets]) {
      part.dispose();
    }
  });

  it("accepts nothing from requests that end after the sign-out", () => {
    const read = readTenant({ id: "acme", label: "Acme", baseUrl: "https://acme.example.com" }, "provided");
    assert.ok("tenant" in read);
    const names = { create: (): string[] => [] };
    const credential = new PlatformCredential("https://acme.example.com", "a credential");
    const accounts = new Accounts();
    const before = accounts.of(read.tenant, credential);
    assert.equal(accounts.current("acme"), before);
    before.get(names).push("Ada");
    assert.deepEqual(before.get(names), ["Ada"]);
    accounts.end("acme");
    before.get(names).push("Ada");
    assert.deepEqual(before.get(names), []);
    assert.deepEqual(accounts.of(read.tenant, credential).get(names), []);
  });
});
