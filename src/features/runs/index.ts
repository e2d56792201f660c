import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import { lazy } from "../../api/lazy.ts";
import { defineFeature } from "../../ui/feature.ts";
import { runsDeclarations } from "./declarations.ts";
import { ownRunsKey, type RunServices } from "./run-services.ts";
import type { RunElement } from "./run-window.ts";

/** Runs of notebooks on their server, which continue without the editor: with parameters, progress, and comparisons. */
export const runs = defineFeature({
  commands: runsDeclarations,
  create: (services: RunServices) => {
    const changed = new vscode.EventEmitter<RunElement[] | undefined>();
    const load = lazy(async () => {
      const loaded = new (await import("./run-window.ts")).RunWindow(services, {
        isVisible: () => view.visible,
        redraw: (elements) => changed.fire(elements),
      });
      services.subscriptions.push(loaded);
      return loaded;
    });
    const view = vscode.window.createTreeView<RunElement>("platformWorkbench.runs", {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getTreeItem: ({ row }) => row,
        getChildren: async (element) => (element === undefined ? (await load()).elements() : []),
      },
    });
    if (services.windowState.get(ownRunsKey) !== undefined) {
      load().catch((error: unknown) => services.log.error(`runs: ${errorMessage(error)}`));
    }
    return {
      handlers: async () => (await import("./handlers.ts")).runCommands(await load(), services),
      documents: {
        "run-changes": {
          read: async (address) => (await import("./run-changes.ts")).readChanges(services.connections, address),
        },
      },
      disposables: [changed, view],
    };
  },
});
