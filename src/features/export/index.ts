import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import type { Connections } from "../../tenants/connections.ts";
import { defineFeature } from "../../ui/feature.ts";
import { exportDeclarations } from "./declarations.ts";

interface ExportServices {
  readonly connections: Connections;
  readonly files: PlatformFileSystem;
}

/** Exports notebooks to other formats with nbconvert of their content server. */
export const notebookExport = defineFeature({
  commands: exportDeclarations,
  create: (services: ExportServices) => ({
    handlers: async () => (await import("./handlers.ts")).exportCommands(services),
  }),
});
