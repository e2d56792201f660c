import assert from "node:assert/strict";
import { OperationRequests } from "../../../../src/features/api-explorer/operation-requests.ts";

function requests(): { readonly requests: OperationRequests; readonly kept: Map<string, unknown> } {
  const kept = new Map<string, unknown>();
  const state = {
    keys: () => [...kept.keys()],
    get: <T>(key: string, fallback?: T) => (kept.has(key) ? kept.get(key) : fallback) as T,
    // Stored values are converted to JSON and back, as in the editor.
    update: async (key: string, value: unknown) => void kept.set(key, JSON.parse(JSON.stringify(value))),
  };
  return { requests: new OperationRequests(state), kept };
}

const place = { tenantId: "acme", workspaceId: "", operationId: "users.list", isRaw: false };

describe("runs that are remembered", () => {
  it("are the last 20, latest first, with a repeated run once", async () => {
    const { requests: own } = requests();
    for (let number = 0; number < 25; number += 1) {
      const when = new Date(number * 1000).toISOString();
      await own.remember({ ...place, parameters: { limit: String(number) }, when, status: 200, body: undefined });
    }
    assert.equal(own.history.length, 20);
    assert.equal(own.history[0]?.parameters.limit, "24");
    const repeated = { ...place, parameters: { limit: "10" }, when: new Date(0).toISOString(), status: 500 };
    await own.remember({ ...repeated, body: undefined });
    assert.equal(own.history.length, 20);
    assert.deepEqual(own.history[0], { ...repeated, body: undefined });
  });

  it("keep a short body and omit a long one", async () => {
    const { requests: own } = requests();
    const past = { ...place, parameters: {}, when: "", status: undefined };
    await own.remember({ ...past, body: "{}" });
    await own.remember({ ...past, body: "x".repeat(20_000) });
    assert.deepEqual(
      own.history.map(({ body }) => body),
      [undefined, "{}"],
    );
  });

  it("provide parameters for the next run of this or another operation, but ids only for the same operation", async () => {
    const { requests: own } = requests();
    await own.begin({ ...place, operationId: "workspaces.get", parameters: { workspaceId: "w-1", id: "7" } });
    assert.equal(own.lastChoice("workspaces.update", "workspaceId"), "w-1");
    assert.equal(own.lastChoice("workspaces.get", "id"), "7");
    assert.equal(own.lastChoice("cards.get", "id"), undefined);
    assert.deepEqual(own.parametersOf({ ...place, operationId: "workspaces.get" }), { workspaceId: "w-1", id: "7" });
    assert.deepEqual(own.parametersOf(place), {});
  });

  it("remember per operation whether to show the raw response", async () => {
    const { requests: own } = requests();
    await own.begin({ ...place, parameters: {}, isRaw: true });
    assert.deepEqual([own.isRaw(place), own.isRaw({ ...place, operationId: "roles.list" })], [true, false]);
    await own.begin({ ...place, parameters: {} });
    assert.equal(own.isRaw(place), false);
    const past = { ...place, parameters: {}, when: "", status: 404, body: undefined };
    await own.remember(past);
    await own.remember({ ...past, isRaw: true });
    assert.deepEqual(
      own.history.map(({ isRaw }) => isRaw),
      [true, false],
    );
  });

  it("are empty if the stored data was written by another version", () => {
    const { requests: own, kept } = requests();
    kept.set("operationHistory", [{ nonsense: true }]);
    assert.deepEqual(own.history, []);
  });
});
