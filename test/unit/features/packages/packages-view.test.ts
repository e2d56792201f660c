import assert from "node:assert/strict";
import type * as vscode from "vscode";
import type { Companion } from "../../../../src/api/companion/companion.ts";
import { CompanionUnavailableError } from "../../../../src/api/companion/errors.ts";
import { phrase } from "../../../../src/api/phrase.ts";
import type { PackageServices } from "../../../../src/features/packages/package-services.ts";
import { PackagesView } from "../../../../src/features/packages/packages-view.ts";
import { EventEmitter, editor } from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";

const environment = {
  ...{ python: "3.13.1", executable: "/opt/env/bin/python", prefix: "/opt/env", isWindows: false },
  ...{ hasPip: true, hasUv: false, isMadeByUv: false, conda: null, isManaged: false },
};

/** A program whose environment the test changes. */
class FakeProgram {
  end: string | undefined;
  versions: Record<string, string> = { alpha: "1.0", beta: "2.0" };
  loaded: readonly string[] = [];
  /** Replies wait for it. */
  gate = Promise.resolve();
  readonly asked: string[] = [];
  watchers = 0;
  onPush: () => void = () => {};

  async request({ name }: { readonly name: string }, { names = [] }: { readonly names?: readonly string[] }) {
    this.asked.push(name);
    const installed = { summary: "", installer: "pip", isDirect: false };
    const { gate, versions } = this;
    await gate;
    return name === "packages.loaded"
      ? { names: names.filter((one) => this.loaded.includes(one)) }
      : {
          packages: Object.entries(versions).map(([one, version]) => ({ name: one, version, ...installed })),
          environment,
        };
  }

  async subscribe(_operation: unknown, _parameters: unknown, listener: { onPush(): void }) {
    this.watchers += 1;
    this.onPush = () => listener.onPush();
    return { result: {}, dispose: () => (this.watchers -= 1) };
  }
}

describe("the view of packages", () => {
  const place = { tenantId: "acme", workspaceId: "sales" };
  let signOut: EventEmitter<string>;
  let program: FakeProgram;
  let failure: Error | undefined;
  let view: PackagesView;
  let shown: ReturnType<typeof lastView>;
  const kernel = () => ({ notebook: { uri: { path: "/a.ipynb" } }, place, program: async () => program }) as never;

  function lastView() {
    const found = editor.treeViews.at(-1);
    assert.ok(found !== undefined);
    return found;
  }

  beforeEach(() => {
    signOut = new EventEmitter();
    program = new FakeProgram();
    failure = undefined;
    const services = {
      secrets: { onDidSignOut: signOut.event },
      connections: { nameOf: () => "Sales" },
      openKernels: { find: () => undefined, onEvent: new EventEmitter<unknown>().event },
      companions: {
        get: async () => {
          if (failure !== undefined) throw failure;
          return program as unknown as Companion;
        },
      },
    };
    view = new PackagesView(services as unknown as PackageServices);
    shown = lastView();
  });
  afterEach(() => view.dispose());

  const items = (): vscode.TreeItem[] => view.getChildren().map((row) => view.getTreeItem(row));
  const rows = (): string[] => items().map(({ label, description }) => `${String(label)} ${String(description)}`);
  const has = (...wanted: readonly string[]): Promise<unknown> =>
    until("the rows", () => JSON.stringify(rows()) === JSON.stringify(wanted), { seen: () => rows().join() });

  it("reads nothing until it is visible, and follows changes only then", async () => {
    shown.visible = false;
    await view.show({ place, kernel: undefined });
    assert.deepEqual([program.asked, rows()], [[], []]);
    shown.show(true);
    await has("alpha 1.0", "beta 2.0");
    assert.match(shown.message ?? "", /Python 3\.13\.1 in \/opt\/env, 2 packages/);
    await until("the watcher", () => program.watchers === 1);
    program.versions = { alpha: "1.1" };
    program.onPush();
    await has("alpha 1.1");
    shown.show(false);
    assert.deepEqual([program.watchers, rows()], [0, []]);
  });

  it("shows newer versions first, until they are installed", async () => {
    await view.show({ place, kernel: undefined });
    await has("alpha 1.0", "beta 2.0");
    view.setLatest({ place, kernel: undefined }, new Map([["beta", "2.1"]]));
    await has("beta 2.0 → 2.1", "alpha 1.0");
    assert.deepEqual(
      items().map(({ contextValue }) => contextValue),
      ["package;outdated", "package"],
    );
    program.versions = { alpha: "1.0", beta: "2.1" };
    await view.refresh();
    await has("alpha 1.0", "beta 2.1");
  });

  it("draws only the row of a package whose version has changed", async () => {
    await view.show({ place, kernel: undefined });
    await has("alpha 1.0", "beta 2.0");
    const [alpha, beta] = view.getChildren();
    const drawn: unknown[] = [];
    view.onDidChangeTreeData((elements) => drawn.push(elements));
    await view.refresh();
    assert.deepEqual(drawn, []);
    program.versions = { alpha: "1.0", beta: "2.1" };
    await view.refresh();
    await has("alpha 1.0", "beta 2.1");
    assert.deepEqual(drawn.splice(0), [[beta]]);
    view.setLatest({ place, kernel: undefined }, new Map([["alpha", "1.1"]]));
    assert.deepEqual(drawn.splice(0), [[alpha]]);
    view.setLatest({ place, kernel: undefined }, new Map([["beta", "2.2"]]));
    assert.deepEqual(drawn, [undefined]);
    assert.deepEqual(view.getChildren(), [beta, alpha]);
  });

  it("scrolls once to the package that was asked for, when another version is there", async () => {
    await view.show({ place, kernel: undefined });
    await has("alpha 1.0", "beta 2.0");
    const revealed = (): readonly unknown[] => shown.revealed.map((row) => view.getTreeItem(row as never).id);
    for (const [asked, versions] of [
      ["Beta", { alpha: "1.0", beta: "2.1", needed: "1" }],
      ["gamma.x", { alpha: "1.0", beta: "2.1", "gamma-x": "1" }],
    ] as const) {
      view.revealOnceInstalled(asked);
      await view.refresh();
      // pip removes the earlier version first.
      program.versions = { alpha: "1.0" };
      await view.refresh();
      program.versions = versions;
      await view.refresh();
      await view.refresh();
    }
    assert.deepEqual(revealed(), ["beta", "gamma-x"]);
  });

  it("shows no newer versions of another environment", async () => {
    await view.show({ place, kernel: undefined });
    await has("alpha 1.0", "beta 2.0");
    const { target } = await view.session();
    await view.show({ place: { ...place, workspaceId: "research" }, kernel: undefined });
    await has("alpha 1.0", "beta 2.0");
    view.setLatest(target, new Map([["beta", "2.1"]]));
    assert.deepEqual(rows(), ["alpha 1.0", "beta 2.0"]);
  });

  it("drops a list that comes after that of a later reading", async () => {
    await view.show({ place, kernel: undefined });
    await has("alpha 1.0", "beta 2.0");
    const slow = Promise.withResolvers<void>();
    program.gate = slow.promise;
    const earlier = view.refresh();
    program.gate = Promise.resolve();
    program.versions = { alpha: "1.1" };
    await view.refresh();
    slow.resolve();
    await earlier;
    assert.deepEqual(rows(), ["alpha 1.1"]);
  });

  it("offers once to restart a kernel that has imported an earlier version", async () => {
    await view.show({ place, kernel: kernel() });
    await has("alpha 1.0", "beta 2.0");
    program.loaded = ["beta"];
    const before = editor.messages.length;
    // pip removes the earlier version first.
    program.versions = { alpha: "1.1" };
    await view.refresh();
    program.versions = { alpha: "1.1", beta: "2.1" };
    await view.refresh();
    await view.refresh();
    const texts = editor.messages.slice(before).map(({ text }) => text);
    assert.equal(texts.length, 1);
    assert.match(texts[0] ?? "", /^beta changed, but this kernel/);
  });

  it("says why it can't read, and tries again", async () => {
    failure = new CompanionUnavailableError("noPython", phrase`There is no Python.`);
    await view.show({ place, kernel: undefined });
    await has("Can't read the packages: There is no Python. Select to retry");
    failure = undefined;
    await view.refresh();
    await has("alpha 1.0", "beta 2.0");
  });

  it("forgets everything when the user signs out", async () => {
    await view.show({ place, kernel: undefined });
    await has("alpha 1.0", "beta 2.0");
    await until("the watcher", () => program.watchers === 1);
    signOut.fire("other");
    assert.equal(rows().length, 2);
    signOut.fire("acme");
    assert.deepEqual([program.watchers, rows(), view.target], [0, [], undefined]);
  });
});
