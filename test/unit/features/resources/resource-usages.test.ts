import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Companion } from "../../../../src/api/companion/companion.ts";
import { PlatformError } from "../../../../src/api/http/errors.ts";
import { silentLog } from "../../../../src/api/http/log.ts";
import type { ResourceUsage } from "../../../../src/api/resources/resource-usage.ts";
import { ResourceUsages } from "../../../../src/tenants/workspaces/resource-usages.ts";

const place = { tenantId: "t", workspaceId: "w" };
const usage: ResourceUsage = {
  memory: null,
  processor: { used: 1, limit: 2, source: "container" },
  kernels: [],
  culling: null,
  canSeeProcesses: true,
};

/** A companion whose subscriptions the test serves. */
class Subscriptions {
  readonly open: { onPush(value: ResourceUsage): void; onFailure(error: Error): void }[] = [];
  started = 0;
  isRefused = false;

  readonly companion = {
    subscribe: async (_operation: unknown, _parameters: unknown, listener: (typeof this.open)[number]) => {
      this.started += 1;
      if (this.isRefused) throw new Error("refused");
      this.open.push(listener);
      return { result: {}, dispose: () => void this.open.splice(this.open.indexOf(listener), 1) };
    },
  } as unknown as Companion;
}

function rig(response: () => unknown = () => ({})) {
  const companionChanged = new vscode.EventEmitter<typeof place>();
  const signedOut = new vscode.EventEmitter<string>();
  const lifecycle = new vscode.EventEmitter<never>();
  const presence = { isPresent: true, listeners: [] as (() => void)[] };
  const state = { companion: undefined as Companion | undefined, requests: 0 };
  const changes: (ResourceUsage | undefined)[] = [];
  const usages = new ResourceUsages(
    {
      companions: { running: () => state.companion, onDidChange: companionChanged.event },
      connections: {
        content: async () =>
          ({
            call: async () => {
              state.requests += 1;
              return response();
            },
          }) as never,
      },
      secrets: { onDidSignOut: signedOut.event },
      lifecycle: { onDidChangeState: lifecycle.event },
      log: silentLog,
    },
    {
      get isPresent() {
        return presence.isPresent;
      },
      onChange: (listener) => {
        presence.listeners.push(listener);
        return { dispose: () => {} };
      },
      dispose: () => {},
    },
  );
  usages.onDidChange(() => changes.push(usages.latest(place)));
  return {
    usages,
    state,
    changes,
    signOut: () => signedOut.fire("t"),
    run: (companion: Companion | undefined) => {
      state.companion = companion;
      companionChanged.fire(place);
    },
    use: (isPresent: boolean) => {
      presence.isPresent = isPresent;
      for (const listener of presence.listeners) listener();
    },
  };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe("the usage of workspaces", () => {
  it("comes from a running companion, with one subscription for all that show it", async () => {
    const subscriptions = new Subscriptions();
    const { usages, state, changes } = rig();
    state.companion = subscriptions.companion;
    const first = usages.watch(place, { asksServer: true });
    const second = usages.watch(place, { asksServer: true });
    await settle();
    assert.equal(subscriptions.started, 1);
    subscriptions.open[0]?.onPush(usage);
    assert.equal(usages.latest(place), usage);
    first.dispose();
    first.dispose();
    assert.equal(subscriptions.open.length, 1);
    second.dispose();
    assert.equal(subscriptions.open.length, 0);
    assert.deepEqual(changes, [usage, undefined]);
    assert.equal(state.requests, 0);
    usages.dispose();
  });

  it("isn't asked for while nobody uses the window, and comes back", async () => {
    const subscriptions = new Subscriptions();
    const { usages, state, use } = rig();
    state.companion = subscriptions.companion;
    usages.watch(place, { asksServer: true });
    await settle();
    use(false);
    assert.equal(subscriptions.open.length, 0);
    use(true);
    await settle();
    assert.equal(subscriptions.started, 2);
    usages.dispose();
    assert.equal(subscriptions.open.length, 0);
  });

  it("waits after a failure, and tries again at once when the companion changes", async () => {
    const subscriptions = new Subscriptions();
    subscriptions.isRefused = true;
    const { usages, state, run } = rig();
    state.companion = subscriptions.companion;
    usages.watch(place, { asksServer: true });
    usages.watch(place, { asksServer: true });
    await settle();
    assert.equal(subscriptions.started, 1);
    subscriptions.isRefused = false;
    run(subscriptions.companion);
    await settle();
    assert.equal(subscriptions.open.length, 1);
    subscriptions.open[0]?.onFailure(new Error("lost"));
    assert.equal(usages.latest(place), undefined);
    assert.equal(subscriptions.started, 2);
    usages.dispose();
  });

  it("comes from the server without a companion, if the server reports it", async () => {
    const { usages, state, run } = rig(() => ({
      ...{ rss: 100, cpu_percent: 150, cpu_count: 4 },
      limits: { memory: { rss: 200 }, cpu: { cpu: 2 } },
    }));
    usages.watch(place, { asksServer: true });
    await settle();
    assert.equal(state.requests, 1);
    assert.deepEqual(usages.latest(place), {
      ...{ memory: { used: 100, limit: 200, source: "server" }, processor: { used: 1.5, limit: 2, source: "server" } },
      ...{ kernels: [], culling: null, canSeeProcesses: false },
    });
    const subscriptions = new Subscriptions();
    run(subscriptions.companion);
    await settle();
    subscriptions.open[0]?.onPush(usage);
    assert.equal(usages.latest(place), usage);
    assert.equal(state.requests, 1);
    usages.dispose();
  });

  it("isn't known without both, which takes one request", async () => {
    const { usages, state } = rig(() => {
      throw new PlatformError({
        ...({
          kind: "retrieval",
          cause: { type: "status", status: 404 },
          failure: "Can't read",
          entity: "metrics",
        } as const),
        ...{ operationId: "metrics.get", reason: "Not found" },
      });
    });
    const first = usages.watch(place, { asksServer: true });
    await settle();
    assert.equal(usages.latest(place), undefined);
    assert.equal(state.requests, 1);
    usages.watch(place, { asksServer: true });
    first.dispose();
    await settle();
    assert.equal(state.requests, 1);
    usages.dispose();
  });

  it("takes no request of its own for a file that is opened", async () => {
    const { usages, state } = rig(() => ({ rss: 100, cpu_percent: 150, cpu_count: 4 }));
    usages.watch(place, { asksServer: false });
    await settle();
    assert.equal(state.requests, 0);
    usages.watch(place, { asksServer: true });
    await settle();
    assert.equal(state.requests, 1);
    assert.equal(usages.latest(place)?.memory?.used, 100);
    usages.dispose();
  });

  it("is forgotten at sign-out", async () => {
    const subscriptions = new Subscriptions();
    const { usages, state, signOut } = rig();
    state.companion = subscriptions.companion;
    usages.watch(place, { asksServer: true });
    await settle();
    subscriptions.open[0]?.onPush(usage);
    signOut();
    assert.equal(usages.latest(place), undefined);
    assert.equal(subscriptions.open.length, 0);
    usages.dispose();
  });
});
