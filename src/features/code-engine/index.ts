import { defineFeature } from "../../ui/feature.ts";
import type { TreeParts } from "../../ui/tree/definition.ts";
import type { Trees } from "../../ui/tree/lazy-trees.ts";
import { codeEngineDeclarations } from "./declarations.ts";

interface CodeEngineServices extends TreeParts {
  readonly trees: Trees;
}

/** Code engine packages: their versions, functions, and source; functions run with typed values. */
export const codeEngine = defineFeature({
  commands: codeEngineDeclarations,
  create: (services: CodeEngineServices) => {
    const { registry, connections, trees } = services;
    return {
      handlers: async () => {
        const [{ codeEngineCommands }, tree] = await Promise.all([import("./handlers.ts"), trees.load("functions")]);
        return codeEngineCommands({ registry, connections, trees: { functions: tree } });
      },
      tree: { view: "functions", load: async () => (await import("./tree.ts")).codeEngineTree(services) },
      details: {
        types: ["functionPackage", "packageVersion"],
        load: async () => (await import("./tree.ts")).codeEngineReaders,
      },
      documents: {
        "function-source": { read: async (address) => (await import("./source.ts")).readSource(connections, address) },
        "function-result": { read: async (address) => (await import("./results.ts")).readResult(connections, address) },
      },
    };
  },
});
