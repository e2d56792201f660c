import { errorMessage } from "../../api/error-message.ts";
import { lazy } from "../../api/lazy.ts";
import { defineFeature } from "../../ui/feature.ts";
import { portsDeclarations } from "./declarations.ts";
import type { PortServices } from "./port-services.ts";

/** Ports of workspaces on this computer. */
export const ports = defineFeature({
  commands: portsDeclarations,
  create: (services: PortServices) => {
    const load = lazy(async () => {
      const loaded = new (await import("./port-window.ts")).PortWindow(services);
      services.subscriptions.push(loaded);
      return loaded;
    });
    services.ports.provide(load);
    return {
      handlers: async () => (await import("./handlers.ts")).portCommands(services, (await load()).forwarded),
      disposables: [
        services.companions.onDidChange((place) => {
          load()
            .then((loaded) => loaded.update(place))
            .catch((error: unknown) => services.log.error(`ports: ${errorMessage(error)}`));
        }),
      ],
    };
  },
});
