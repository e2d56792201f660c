import * as vscode from "vscode";
import { lazy } from "../../api/lazy.ts";
import { defineFeature } from "../../ui/feature.ts";
import { type DebuggingServices, debugType } from "./debugging-services.ts";
import { debuggingDeclarations } from "./declarations.ts";

/** Debugs cells and files with the debuggers of workspaces' kernels. */
export const debugging = defineFeature({
  commands: debuggingDeclarations,
  create: (services: DebuggingServices) => {
    const load = lazy(async () => {
      const loaded = new (await import("./kernel-debugging.ts")).KernelDebugging(services);
      services.subscriptions.push(loaded);
      return loaded;
    });
    const resolver = vscode.debug.registerDebugConfigurationProvider(debugType, {
      resolveDebugConfiguration: async (folder, configuration) => (await load()).resolve(folder, configuration),
    });
    return { handlers: async () => (await load()).commands(), disposables: [resolver] };
  },
});
