import assert from "node:assert/strict";
import type { ContentClient } from "../../../../src/api/client/client.ts";
import { type FailureCause, PlatformError } from "../../../../src/api/http/errors.ts";
import { ServerRequests, workspaceAccess } from "../../../../src/file-system/session/server-requests.ts";
import { AccessError } from "../../../../src/tenants/access-obstacle.ts";
import { clientOf } from "../../../content-server/api-client.ts";

const client = clientOf({ url: "http://127.0.0.1:9/user/ada/1/", token: "t", root: "" });

function failureBy(cause: FailureCause): PlatformError {
  return new PlatformError({
    kind: "crud",
    cause,
    failure: "Can't save a.txt",
    entity: "a.txt",
    operationId: "contents.items.update",
    reason: cause.type,
  });
}

describe("requests to a content server", () => {
  let log: string[];
  let isElsewhere: boolean;
  let interrupted: (() => Promise<void>)[];
  let server: ServerRequests;
  let addressFailure: Error | undefined;

  beforeEach(() => {
    log = [];
    isElsewhere = false;
    addressFailure = undefined;
    interrupted = [];
    server = new ServerRequests(
      {
        connect: async () => {
          log.push("connect");
          return client;
        },
        relocate: async () => {
          log.push("relocate");
          if (addressFailure !== undefined) throw addressFailure;
          return isElsewhere;
        },
      },
      {
        endInterruptedSaves: () => interrupted.shift()?.(),
        onResponse: () => log.push("answered"),
      },
    );
  });

  it("runs the work with a client, and reports that the server responded", async () => {
    assert.equal(await server.request(async (given) => given === client), true);
    assert.deepEqual(log, ["connect", "answered"]);
  });

  it("repeats the work once at the server's new address", async () => {
    isElsewhere = true;
    let attempts = 0;
    const work = async (): Promise<void> => {
      attempts += 1;
      throw failureBy({ type: "workspaceNotRunning", status: 503 });
    };
    await assert.rejects(server.request(work), PlatformError);
    assert.equal(attempts, 2);
    assert.deepEqual(log, ["connect", "relocate", "connect"]);
  });

  it("doesn't repeat it if the server has not moved", async () => {
    await assert.rejects(
      server.request(() => Promise.reject(failureBy({ type: "network", code: "ECONNREFUSED", reachedServer: false }))),
      PlatformError,
    );
    assert.deepEqual(log, ["connect", "relocate"]);
  });

  it("fails with the error of the work, not of the address, if the platform can't be reached either", async () => {
    const unreachable: FailureCause = { type: "network", code: "ECONNREFUSED", reachedServer: false };
    const failure = failureBy(unreachable);
    const work = (): Promise<never> => Promise.reject(failure);
    addressFailure = failureBy(unreachable);
    await assert.rejects(server.request(work), (error) => error === failure);
    addressFailure = new AccessError("stopped", { tenantId: "acme", workspaceId: "sales" }, "It does not run.");
    await assert.rejects(server.request(work), (error) => error === addressFailure);
  });

  it("never repeats work that may have reached a content server", async () => {
    isElsewhere = true;
    const causes: readonly FailureCause[] = [
      { type: "network", code: "ECONNRESET", reachedServer: true },
      { type: "timeLimit", milliseconds: 1 },
      { type: "status", status: 500 },
    ];
    for (const cause of causes) {
      await assert.rejects(
        server.request(() => Promise.reject(failureBy(cause))),
        PlatformError,
      );
    }
    assert.deepEqual(log, ["connect", "connect", "connect"]);
  });

  it("finishes interrupted saves before any other request, including concurrent ones", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    interrupted = [() => promise];
    const both = ["one", "two"].map((name) => server.request(async () => log.push(name)));
    await new Promise(setImmediate);
    assert.deepEqual(log, ["connect", "connect"]);
    resolve();
    await Promise.all(both);
    assert.deepEqual(log.slice(2).toSorted(), ["answered", "answered", "one", "two"]);
  });

  it("fails a request if interrupted saves can't be finished, but not the next one", async () => {
    interrupted = [() => Promise.reject(new Error("broken"))];
    await assert.rejects(
      server.request(async () => log.push("work")),
      /broken/,
    );
    assert.ok(!log.includes("work"));
    await server.request(async () => log.push("work"));
    assert.ok(log.includes("work"));
  });
});

describe("the access to a workspace", () => {
  let asked: number;
  let outcome: () => Promise<ContentClient>;
  let access: ReturnType<typeof workspaceAccess>;
  const problem = new AccessError("stopped", { tenantId: "acme", workspaceId: "sales" }, "It does not run.");

  beforeEach(() => {
    asked = 0;
    access = workspaceAccess(
      {
        content: () => {
          asked += 1;
          return outcome();
        },
        relocateContentServer: async () => false,
      },
      "acme",
      "sales",
    );
  });

  it("returns the same problem to all callers until it is reset", async () => {
    outcome = () => Promise.reject(problem);
    for (const _ of [1, 2, 3]) {
      await assert.rejects(access.connect(), (error) => error === problem);
    }
    assert.equal(asked, 1);
    outcome = async () => client;
    access.reset();
    assert.equal(await access.connect(), client);
  });

  it("doesn't keep a problem from before it was reset", async () => {
    const slow = Promise.withResolvers<ContentClient>();
    outcome = () => slow.promise;
    const earlier = assert.rejects(access.connect(), (error) => error === problem);
    access.reset();
    slow.reject(problem);
    await earlier;
    outcome = async () => client;
    assert.equal(await access.connect(), client);
  });

  it("requests access again after any other failure", async () => {
    outcome = () => Promise.reject(new Error("broken"));
    await assert.rejects(access.connect(), /broken/);
    outcome = async () => client;
    assert.equal(await access.connect(), client);
  });
});
