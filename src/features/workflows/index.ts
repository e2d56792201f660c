import type * as vscode from "vscode";
import { lazy } from "../../api/lazy.ts";
import { defineFeature } from "../../ui/feature.ts";
import type { TreeParts } from "../../ui/tree/definition.ts";
import type { Trees } from "../../ui/tree/lazy-trees.ts";
import { workflowsDeclarations } from "./declarations.ts";
import { LazyPanels } from "./panels/lazy-panels.ts";

interface WorkflowServices extends TreeParts {
  readonly trees: Trees;
  readonly state: vscode.Memento;
  readonly extensionUri: vscode.Uri;
  readonly subscriptions: vscode.Disposable[];
}

/** Workflows with versions, executions, triggers, and permissions; definitions as diagrams, executions as charts. */
export const workflows = defineFeature({
  commands: workflowsDeclarations,
  create: (services: WorkflowServices) => {
    const { registry, connections, trees, state, extensionUri, log, subscriptions } = services;
    const definitions = lazy(async () => {
      const loaded = (await import("./definition-document.ts")).definitionDocuments(connections);
      subscriptions.push(loaded);
      return loaded.source;
    });
    const panels = new LazyPanels({ connections, extensionUri, log });
    return {
      handlers: async () => {
        const [{ workflowCommands }, tree] = await Promise.all([import("./handlers.ts"), trees.load("workflows")]);
        return workflowCommands({ registry, connections, panels, state, trees: { workflows: tree } });
      },
      tree: {
        view: "workflows",
        load: async () => (await import("./tree.ts")).workflowsTree(services),
      },
      details: {
        types: ["workflow", "workflowVersion", "execution", "trigger", "startForm", "attachedTriggers"],
        load: async () => (await import("./tree.ts")).workflowReaders,
      },
      documents: {
        "workflow-definition": {
          read: async (address, uri) => (await definitions()).read(address, uri),
          write: async (address, text, uri) => (await definitions()).write(address, text, uri),
        },
      },
      disposables: [panels],
    };
  },
});
