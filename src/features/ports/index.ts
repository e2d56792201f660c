import { lazy } from "../../api/lazy.ts";
import { defineFeature } from "../../ui/feature.ts";
import { portsDeclarations } from "./declarations.ts";
import type { PortServices } from "./port-services.ts";

/** Ports of workspaces on this computer. */
export const ports = defineFeature({
  commands: portsDeclarations,
  create: (services: PortServices) => ({
    handlers: lazy(async () => (await import("./handlers.ts")).portCommands(services)),
  }),
});
