import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { sourceControlCommands } from "../../../../src/features/sandbox/source-control/handlers.ts";
import { SourceControls } from "../../../../src/features/sandbox/source-control/source-controls.ts";
import { AccessError } from "../../../../src/tenants/access-obstacle.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import type { PlatformResource } from "../../../../src/ui/resources/resource.ts";
import { EventEmitter, resourceGroups } from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

describe("the entry of a pinned repository", () => {
  it("shows its content once the user has signed in, and nothing of it after signing out", async () => {
    const changed = new EventEmitter<{ readonly tenantId: string; readonly workspaceId: string | undefined }>();
    const { platform, requests } = fakePlatform(({ path }) =>
      path.endsWith("/r1")
        ? json(200, { id: "r1", repositoryContent: { pageIds: ["1", "2"] } })
        : json(200, path.endsWith("/navigation") ? [{ id: "1", title: "Sales / EMEA" }] : { items: [] }),
    );
    let isSignedIn = false;
    let asked = 0;
    const connections = {
      platform: async () => {
        asked += 1;
        if (!isSignedIn) throw new AccessError("signedOut", { tenantId: "acme" }, "signed out");
        return platform;
      },
    };
    const repository = { type: "repository", tenantId: "acme", id: "r1", name: "Order apps" } as const;
    const pinned = { all: [repository], onDidChange: new EventEmitter<PlatformResource>().event };
    const controls = new SourceControls(pinned, connections, { onDidChange: changed.event }, { warn: () => undefined });
    const content = resourceGroups.findLast(({ id }) => id === "content");
    const signedIn = (is: boolean): void => {
      isSignedIn = is;
      changed.fire({ tenantId: "acme", workspaceId: undefined });
    };
    await until("the first look is over", () => asked === 1);
    assert.deepEqual(content?.resourceStates, []);
    signedIn(true);
    await until("its content is shown", () => content?.resourceStates.length === 2);
    const shown = content?.resourceStates as readonly vscode.SourceControlResourceState[];
    assert.deepEqual(
      shown.map(({ resourceUri, decorations }) => [resourceUri.path, decorations?.tooltip]),
      [
        ["Pages/Sales - EMEA", "Sales / EMEA (ID 1)"],
        ["Pages/Page 2", "Page 2 (ID 2)"],
      ],
    );
    const namings = (): number => requests.filter(({ path }) => path.endsWith("/navigation")).length;
    assert.equal(namings(), 1);
    await controls.all[0]?.refresh();
    assert.equal(namings(), 2, "a refresh reads the names, too");
    signedIn(false);
    await until("its content is gone", () => content?.resourceStates.length === 0);
    assert.equal(asked, 4);
    controls.dispose();
  });
});

describe("two looks at a pinned repository at the same time", () => {
  it("show what the later one has found", async () => {
    const clients: ((ids: readonly string[], pageTitle: string) => void)[] = [];
    const connections = {
      platform: () => {
        const connected = Promise.withResolvers<ReturnType<typeof fakePlatform>["platform"]>();
        clients.push((pageIds, title) => {
          const { platform } = fakePlatform(({ path }) =>
            path.endsWith("/r1")
              ? json(200, { id: "r1", repositoryContent: { pageIds } })
              : json(200, path.endsWith("/navigation") ? [{ id: "1", title }] : { items: [] }),
          );
          connected.resolve(platform);
        });
        return connected.promise;
      },
    };
    const repository = { type: "repository", tenantId: "acme", id: "r1", name: "Order apps" } as const;
    const pinned = { all: [repository], onDidChange: new EventEmitter<PlatformResource>().event };
    const secrets = { onDidChange: new EventEmitter<never>().event };
    const warnings: string[] = [];
    const controls = new SourceControls(pinned, connections, secrets, { warn: (text) => warnings.push(text) });
    const content = resourceGroups.findLast(({ id }) => id === "content");
    const shown = (): readonly string[] =>
      ((content?.resourceStates ?? []) as readonly vscode.SourceControlResourceState[]).map(
        ({ resourceUri }) => resourceUri.path,
      );
    const earlier = controls.all[0]?.refresh();
    const later = controls.all[0]?.refresh();
    await until("all looks", () => clients.length === 3);
    clients[2]?.(["1"], "Now");
    await later;
    assert.deepEqual(shown(), ["Pages/Now"]);
    clients[1]?.(["1", "2"], "Before");
    await earlier;
    assert.deepEqual(shown(), ["Pages/Now"]);
    const [control] = controls.all;
    controls.dispose();
    await control?.refresh();
    assert.equal(clients.length, 3, "nothing is read for an entry that is gone");
    assert.deepEqual(warnings, []);
  });
});

describe("Commit in Source Control", () => {
  it("commits to the repository of the entry in which it was selected, or of the input box", async () => {
    const { platform } = fakePlatform(() => json(500, { message: "No commits today" }));
    const repository = { type: "repository", tenantId: "acme", id: "r1", name: "Order apps" } as const;
    const entry = { rootUri: "the entry of Order apps" };
    const control = { repository, summary: " ", refresh: async () => undefined };
    const controls = { find: (argument: unknown) => (argument === entry ? control : undefined), all: [control] };
    const handlers = sourceControlCommands({
      registry: Object.create(TenantRegistry.prototype) as TenantRegistry,
      connections: { tenant: () => assert.fail("no tenant is asked for"), platform: async () => platform },
      pinned: { all: [], pin: () => assert.fail("nothing is pinned"), unpin: () => assert.fail("nothing is unpinned") },
      controls: async () => controls,
    });
    const commit = (argument: unknown) =>
      handlers["platformWorkbench.commitPinned"]({ setErrorContext: () => undefined }, argument, []);
    for (const argument of [entry, repository]) {
      control.summary = " ";
      await assert.rejects(Promise.resolve(commit(argument)), /without a summary/);
      control.summary = "Fix the totals";
      await assert.rejects(Promise.resolve(commit(argument)), /No commits today/);
      assert.equal(control.summary, "Fix the totals", "it stays until the platform has taken it");
    }
  });
});
