import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import { defineFeature } from "../../ui/feature.ts";
import { conflictsDeclarations } from "./declarations.ts";

/** Compares and merges an editor's version of a file with the server's. */
export const conflicts = defineFeature({
  commands: conflictsDeclarations,
  create: ({ files }: { readonly files: PlatformFileSystem }) => ({
    handlers: async () => (await import("./handlers.ts")).conflictCommands({ files }),
  }),
});
