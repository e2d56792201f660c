import assert from "node:assert/strict";
import type * as vscode from "vscode";
import type { TreeDefinition, TreeParts, TreeRow } from "../../../../src/ui/tree/definition.ts";
import type { TreeElement } from "../../../../src/ui/tree/elements.ts";
import { PlatformTree } from "../../../../src/ui/tree/platform-tree.ts";
import { EventEmitter, editor } from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";

describe("the conditions of a view's welcome content", () => {
  it("are those of now, also if an earlier look ends later", async () => {
    editor.executed.length = 0;
    const changed = new EventEmitter<void>();
    const credential = Promise.withResolvers<object | undefined>();
    const registry = { all: [{ id: "acme" }], current: undefined, onDidChange: changed.event };
    const parts = {
      registry,
      secrets: { credential: () => credential.promise, onDidChange: new EventEmitter<never>().event },
      connections: { platform: () => assert.fail("nothing is connected") },
      log: {},
    } as unknown as TreeParts;
    const event = new EventEmitter<never>().event;
    const view = {
      visible: true,
      onDidChangeVisibility: event,
      onDidCollapseElement: event,
      onDidExpandElement: event,
    };
    const definition = { view: "workspaces", top: () => ({ key: "workspaces" }) } as unknown as TreeDefinition<TreeRow>;
    const tree = new PlatformTree(definition, view as unknown as vscode.TreeView<TreeElement>, parts);
    const contexts = (): readonly unknown[] => editor.executed.map(([, , value]) => value);
    registry.all = [];
    changed.fire();
    await until("the conditions", () => contexts().length === 2);
    credential.resolve({});
    // What waits for the credential continues before this.
    await new Promise(setImmediate);
    assert.deepEqual(contexts(), ["none", "noTenant"]);
    tree.dispose();
  });
});
