import assert from "node:assert/strict";
import type { DispatchResponse } from "../../../src/api/http/dispatch.ts";
import { silentLog } from "../../../src/api/http/log.ts";
import { accessObstacle } from "../../../src/tenants/access-obstacle.ts";
import { Connections } from "../../../src/tenants/connections.ts";
import { readTenant } from "../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../src/tenants/tenant-registry.ts";
import { TenantSecrets } from "../../../src/tenants/tenant-secrets.ts";
import { StandInMemento, StandInSecrets } from "../../harness/editor-stand-in/memory.ts";
import { until } from "../../harness/until.ts";
import { connectionError, fakePlatform, json, origin } from "../api/fake-platform.ts";

describe("the address of a workspace's content server", () => {
  let respond: () => DispatchResponse | Promise<DispatchResponse>;
  let connections: Connections;
  let secrets: TenantSecrets;

  beforeEach(async () => {
    const memento = new StandInMemento();
    const registry = new TenantRegistry(memento);
    secrets = new TenantSecrets(new StandInSecrets());
    const read = readTenant({ id: "acme", label: "Acme", baseUrl: origin }, "provided");
    assert.ok("tenant" in read);
    registry.provide(read.tenant);
    await secrets.saveCredential(read.tenant, "s3cret-of-a-person", "Ada");
    await memento.update("workspaces", { "acme/sales": { name: "Sales", base: `${origin}/old/`, tenant: origin } });
    const { transport } = fakePlatform(() => respond());
    connections = new Connections(registry, secrets, transport, memento, silentLog, Promise.resolve());
  });
  afterEach(() => connections.dispose());

  const stored = async (): Promise<string> => (await connections.contentServer("acme", "sales")).href;

  it("is kept while the platform, which knows it, can't be reached", async () => {
    respond = () => {
      throw connectionError("ECONNREFUSED");
    };
    await assert.rejects(
      connections.relocateContentServer("acme", "sales"),
      (error) => accessObstacle(error)?.type === "unreachable",
    );
    assert.equal(await stored(), `${origin}/old/`);
  });

  it("is deleted with the workspace's name when the user signs out, because someone else may sign in", async () => {
    assert.equal(connections.nameOf("acme", "sales"), "Sales");
    await secrets.signOut("acme");
    await until("the sign-out", () => connections.nameOf("acme", "sales") === "sales");
    await assert.rejects(stored(), (error) => accessObstacle(error)?.type === "signedOut");
  });

  it("is not stored if the platform responds after the user has signed out", async () => {
    const [asked, responded] = [Promise.withResolvers<void>(), Promise.withResolvers<DispatchResponse>()];
    respond = () => {
      asked.resolve();
      return responded.promise;
    };
    const locating = connections.relocateContentServer("acme", "sales").catch(() => undefined);
    await asked.promise;
    await secrets.signOut("acme");
    await until("the sign-out", () => connections.nameOf("acme", "sales") === "sales");
    responded.resolve(
      json(200, { id: "sales", name: "Sales", instances: [{ id: "1", status: "RUNNING", url: origin }] }),
    );
    await locating;
    assert.equal(connections.nameOf("acme", "sales"), "sales");
    await assert.rejects(stored(), (error) => accessObstacle(error)?.type === "signedOut");
  });

  it("is replaced if the workspace runs elsewhere, and deleted if it no longer runs", async () => {
    const running = [{ id: "1", status: "RUNNING", url: origin }];
    respond = () => json(200, { id: "sales", name: "Sales", instances: running });
    assert.equal(await connections.relocateContentServer("acme", "sales"), true);
    assert.equal(await stored(), `${origin}/user/Sales/sales/`);
    assert.equal(await connections.relocateContentServer("acme", "sales"), false);
    respond = () => json(200, { id: "sales", name: "Sales", instances: [] });
    const isStopped = (error: unknown): boolean => accessObstacle(error)?.type === "stopped";
    await assert.rejects(connections.relocateContentServer("acme", "sales"), isStopped);
    await assert.rejects(stored(), isStopped);
  });
});
