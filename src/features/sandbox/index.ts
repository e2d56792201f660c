import type * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import { lazy } from "../../api/lazy.ts";
import { defineFeature } from "../../ui/feature.ts";
import type { TreeParts } from "../../ui/tree/definition.ts";
import type { Trees } from "../../ui/tree/lazy-trees.ts";
import { sandboxDeclarations } from "./declarations.ts";
import { sourceControlDeclarations } from "./source-control/declarations.ts";
import { PinnedRepositories } from "./source-control/pinned-repositories.ts";

interface SandboxServices extends TreeParts {
  readonly trees: Trees;
  readonly state: vscode.Memento;
  readonly subscriptions: vscode.Disposable[];
}

/** Repositories with commits, promotions, access, and permissions; pinned ones have an entry in Source Control. */
export const sandbox = defineFeature({
  commands: { ...sandboxDeclarations, ...sourceControlDeclarations },
  create: (services: SandboxServices) => {
    const { registry, connections, secrets, trees, state, log, subscriptions } = services;
    const pinned = new PinnedRepositories(state);
    const controls = lazy(async () => {
      const { SourceControls } = await import("./source-control/source-controls.ts");
      const loaded = new SourceControls(pinned, connections, secrets, log);
      subscriptions.push(loaded);
      return loaded;
    });
    if (pinned.all.length > 0) {
      controls().catch((error: unknown) => log.error(errorMessage(error)));
    }
    return {
      handlers: async () => {
        const [{ sandboxCommands }, { sourceControlCommands }, tree] = await Promise.all([
          import("./handlers.ts"),
          import("./source-control/handlers.ts"),
          trees.load("sandbox"),
        ]);
        return {
          ...sandboxCommands({ registry, connections, trees: { sandbox: tree } }),
          ...sourceControlCommands({ registry, connections, pinned, controls }),
        };
      },
      tree: {
        view: "sandbox",
        load: async () => (await import("./tree.ts")).sandboxTree(services, pinned),
        // The rows' menus differ for pinned repositories.
        onCreated: async (tree) =>
          pinned.onDidChange(({ tenantId, id }) => {
            const row = tree.row(tenantId, `repository/${id}`);
            if (row !== undefined) {
              tree.replace(row);
            }
          }),
      },
      details: {
        types: ["repository", "commit", "commitRequest", "promotion", "deployment"],
        load: async () => (await import("./tree.ts")).sandboxReaders,
      },
      documents: {
        "sandbox-history": {
          read: async (address) => (await import("./history-document.ts")).readHistory(connections, address),
        },
      },
      disposables: [pinned],
    };
  },
});
