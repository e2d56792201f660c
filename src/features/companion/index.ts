import { lazy } from "../../api/lazy.ts";
import { defineFeature } from "../../ui/feature.ts";
import type { CompanionServices } from "./companion-services.ts";
import { companionDeclarations } from "./declarations.ts";

/** The companions of workspaces, which other features use. The first one that needs a companion starts it. */
export const companion = defineFeature({
  commands: companionDeclarations,
  create: (services: CompanionServices) => {
    const load = lazy(async () => {
      const { WorkspaceCompanions } = await import("./workspace-companions.ts");
      const loaded = new WorkspaceCompanions(services, (place) => services.companions.notify(place));
      services.subscriptions.push(loaded);
      return loaded;
    });
    services.companions.provide(load);
    return {
      handlers: async () => (await import("./handlers.ts")).companionCommands(await load(), services),
    };
  },
});
