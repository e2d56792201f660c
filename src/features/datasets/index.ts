import { defineFeature } from "../../ui/feature.ts";
import type { TreeParts } from "../../ui/tree/definition.ts";
import { datasetsDeclarations } from "./declarations.ts";

/** Datasets that notebooks and cards use: their columns, and their first rows by SQL. */
export const datasets = defineFeature({
  commands: datasetsDeclarations,
  create: ({ registry, connections }: TreeParts) => ({
    handlers: async () => (await import("./handlers.ts")).datasetCommands({ registry, connections }),
    details: {
      types: ["dataset", "datasetQuery"],
      load: async () => (await import("./details.ts")).datasetReaders,
    },
  }),
});
