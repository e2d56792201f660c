import { lazy } from "../../api/lazy.ts";
import { defineFeature } from "../../ui/feature.ts";
import type { DebuggingServices } from "./debugging-services.ts";
import { debuggingDeclarations } from "./declarations.ts";

/** Debugs cells and modules with the debuggers of workspaces' kernels. */
export const debugging = defineFeature({
  commands: debuggingDeclarations,
  create: (services: DebuggingServices) => {
    const load = lazy(async () => {
      const loaded = new (await import("./kernel-debugging.ts")).KernelDebugging(services);
      services.subscriptions.push(loaded);
      return loaded;
    });
    return { handlers: async () => (await load()).commands() };
  },
});
