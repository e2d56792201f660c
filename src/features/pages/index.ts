import type * as vscode from "vscode";
import { lazy } from "../../api/lazy.ts";
import { defineFeature } from "../../ui/feature.ts";
import type { TreeParts } from "../../ui/tree/definition.ts";
import type { Trees } from "../../ui/tree/lazy-trees.ts";
import { pagesDeclarations } from "./declarations.ts";

interface PageServices extends TreeParts {
  readonly trees: Trees;
  readonly subscriptions: vscode.Disposable[];
}

/** The page hierarchy with collections, filter views, and sharing. */
export const pages = defineFeature({
  commands: pagesDeclarations,
  create: (services: PageServices) => {
    const { registry, connections, trees, subscriptions } = services;
    const documents = lazy(async () => {
      const { PageDocuments } = await import("./documents.ts");
      const loaded = new PageDocuments({
        connections,
        onSaved: async (tenantId, pageId) =>
          (await trees.load("pages")).refreshLists(tenantId, `page/${pageId}/filterViews`),
      });
      subscriptions.push(loaded);
      return loaded;
    });
    return {
      handlers: async () => {
        const [{ pageCommands }, tree] = await Promise.all([import("./handlers.ts"), trees.load("pages")]);
        return pageCommands({ registry, connections, trees: { pages: tree }, documents });
      },
      tree: {
        view: "pages",
        options: { canSelectMany: true, canDrag: true },
        load: async () => (await import("./tree.ts")).pagesTree(services),
      },
      details: {
        types: ["page", "collection", "filterView", "card"],
        load: async () => (await import("./tree.ts")).pageReaders,
      },
      documents: {
        "filter-view": {
          read: async (address, uri) => (await documents()).filterView.read(address, uri),
          write: async (address, text, uri) => (await documents()).filterView.write(address, text, uri),
        },
        "filter-view-schema": {
          read: async () =>
            `${JSON.stringify((await import("./analyzer-document.ts")).settingsSchema(), undefined, 2)}\n`,
        },
        "page-summary": { read: async (address, uri) => (await documents()).summary.read(address, uri) },
      },
    };
  },
});
