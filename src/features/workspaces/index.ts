import { setTimeout as pause } from "node:timers/promises";
import type * as vscode from "vscode";
import { lazy } from "../../api/lazy.ts";
import type { ResourceUsages } from "../../tenants/workspaces/resource-usages.ts";
import type { WorkspaceLifecycle } from "../../tenants/workspaces/workspace-lifecycle.ts";
import type { DocumentReload } from "../../ui/documents/platform-documents.ts";
import { defineFeature } from "../../ui/feature.ts";
import type { TreeParts } from "../../ui/tree/definition.ts";
import type { Trees } from "../../ui/tree/lazy-trees.ts";
import { workspacesDeclarations } from "./declarations.ts";

interface WorkspaceServices extends TreeParts {
  readonly lifecycle: WorkspaceLifecycle;
  readonly trees: Trees;
  readonly usages: () => Promise<ResourceUsages>;
  readonly documents: DocumentReload;
  readonly state: vscode.Memento;
  /** The extension's own folder on this machine. */
  readonly storage: vscode.Uri;
  readonly subscriptions: vscode.Disposable[];
}

/** Maximum milliseconds until the editor marks a document as saved. A change before that is lost. */
const savedAfter = 500;

/** Notebook workspaces: start, stop, open as folders, configure, and schedule their notebooks. */
export const workspaces = defineFeature({
  commands: workspacesDeclarations,
  create: (services: WorkspaceServices) => {
    const { registry, secrets, connections, lifecycle, trees, usages, documents, state, storage, log, subscriptions } =
      services;
    const dataflows = lazy(
      async () => new (await import("./dataflow-documents.ts")).DataflowDocuments(state, connections),
    );
    const workspaceFiles = lazy(async () => (await import("./workspace-file.ts")).workspaceFileSource(storage));
    const configurations = lazy(async () => {
      const { ConfigurationDocuments, closeComparisons } = await import("./configuration-documents.ts");
      const loaded = new ConfigurationDocuments({
        connections,
        documents,
        log,
        onSaved: async (_, uri) => {
          const refreshed = trees.load("workspaces").then((tree) => tree.refresh());
          // The platform may have changed what was sent.
          await pause(savedAfter);
          documents.reload(uri);
          await Promise.all([refreshed, closeComparisons(uri)]);
        },
      });
      subscriptions.push(loaded);
      return loaded;
    });
    return {
      handlers: async () => {
        const [{ workspaceCommands }, { dataflowCommands }, { runningCommands }, loadedDataflows, tree, loadedUsages] =
          await Promise.all([
            import("./handlers.ts"),
            import("./dataflow.ts"),
            import("./running/running-commands.ts"),
            dataflows(),
            trees.load("workspaces"),
            usages(),
          ]);
        return {
          ...workspaceCommands({ registry, secrets, connections, lifecycle, storage, documents, tree, configurations }),
          ...runningCommands({ registry, connections, tree, usages: loadedUsages }),
          ...dataflowCommands({ connections, dataflows: loadedDataflows, documents, state, log }),
        };
      },
      tree: {
        view: "workspaces",
        options: { canCollapseAll: false },
        load: async () => (await import("./tree.ts")).workspacesTree({ ...services, usages: await usages() }),
        onCreated: async (tree) => {
          const [{ workspaceTreeRow }, { followUsage }] = await Promise.all([
            import("./tree.ts"),
            import("./running/row-usage.ts"),
          ]);
          const usage = followUsage(tree, await usages());
          const changes = lifecycle.onDidChangeState(({ tenantId, workspaceId, workspace }) => {
            const row = tree.row(tenantId, `workspace/${workspaceId}`);
            if (row !== undefined) {
              tree.replace(workspace === undefined ? row : workspaceTreeRow(tenantId, workspace));
            }
          });
          return {
            dispose: () => {
              usage.dispose();
              changes.dispose();
            },
          };
        },
      },
      details: {
        types: ["workspace", "notebookSettings"],
        load: async () => (await import("./details.ts")).workspaceReaders,
      },
      documents: {
        configuration: {
          read: async (address, uri) => (await configurations()).configuration.read(address, uri),
          write: async (address, text, uri) => (await configurations()).configuration.write(address, text, uri),
        },
        "configuration-on-platform": {
          read: async (address, uri) => (await configurations()).onPlatform.read(address, uri),
        },
        "configuration-schema": { read: async () => (await configurations()).schemas.text() },
        dataflow: {
          read: async (address, uri) => (await dataflows()).body.read(address, uri),
          write: async (address, text, uri) => (await dataflows()).body.write(address, text, uri),
        },
        "workspace-file": {
          read: async (address, uri) => (await workspaceFiles()).read(address, uri),
          write: async (address, text, uri) => (await workspaceFiles()).write(address, text, uri),
        },
        "dataflow-schema": { read: async (address, uri) => (await dataflows()).schema.read(address, uri) },
        "dataflow-response": { read: async (address, uri) => (await dataflows()).response.read(address, uri) },
      },
    };
  },
});
