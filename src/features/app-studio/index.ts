import { defineFeature } from "../../ui/feature.ts";
import type { TreeParts } from "../../ui/tree/definition.ts";
import type { Trees } from "../../ui/tree/lazy-trees.ts";
import { appStudioDeclarations } from "./declarations.ts";

interface AppStudioServices extends TreeParts {
  readonly trees: Trees;
}

/** App Studio apps: their views, cards, and access; apps can be shared. */
export const appStudio = defineFeature({
  commands: appStudioDeclarations,
  create: (services: AppStudioServices) => {
    const { registry, connections, trees } = services;
    return {
      handlers: async () => {
        const [{ appStudioCommands }, tree] = await Promise.all([import("./handlers.ts"), trees.load("apps")]);
        return appStudioCommands({ registry, connections, trees: { apps: tree } });
      },
      tree: { view: "apps", load: async () => (await import("./tree.ts")).appStudioTree(services) },
      details: { types: ["studioApp"], load: async () => (await import("./tree.ts")).appStudioReaders },
    };
  },
});
