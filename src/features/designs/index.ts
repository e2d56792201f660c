import { defineFeature } from "../../ui/feature.ts";
import type { TreeParts } from "../../ui/tree/definition.ts";
import type { Trees } from "../../ui/tree/lazy-trees.ts";
import { designsDeclarations } from "./declarations.ts";

interface DesignServices extends TreeParts {
  readonly trees: Trees;
}

/** App designs with their versions, owners, and cards. The files of a version can be compared and downloaded. */
export const designs = defineFeature({
  commands: designsDeclarations,
  create: (services: DesignServices) => {
    const { registry, connections, trees } = services;
    return {
      handlers: async () => {
        const [{ designCommands }, tree] = await Promise.all([import("./handlers.ts"), trees.load("designs")]);
        return designCommands({ registry, connections, trees: { designs: tree } });
      },
      tree: { view: "designs", load: async () => (await import("./tree.ts")).designsTree(services) },
      details: {
        types: ["design", "designVersion"],
        load: async () => (await import("./tree.ts")).designReaders,
      },
      documents: {
        "design-file": { read: async (address) => (await import("./files.ts")).readDesignFile(connections, address) },
      },
    };
  },
});
