import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import { lazy } from "../../api/lazy.ts";
import { defineFeature } from "../../ui/feature.ts";
import { terminalsDeclarations } from "./declarations.ts";
import type { TerminalServices } from "./terminal-services.ts";

/** Terminals of workspaces, in the editor's terminal panel. */
export const terminals = defineFeature({
  commands: terminalsDeclarations,
  create: (services: TerminalServices) => {
    const load = lazy(async () => {
      const loaded = new (await import("./workspace-terminals.ts")).WorkspaceTerminals(services);
      services.subscriptions.push(loaded);
      return loaded;
    });
    // The terminals of the window before it was reloaded.
    if (services.windowState.get("terminals") !== undefined) {
      load()
        .then((loaded) => loaded.restore())
        .catch((error: unknown) => services.log.error(`terminals: ${errorMessage(error)}`));
    }
    services.terminalCommands.run = async (command) =>
      (await import("./handlers.ts")).runInTerminal(await load(), command);
    return {
      handlers: async () => (await import("./handlers.ts")).terminalCommands(await load(), services),
      disposables: [
        vscode.window.registerTerminalProfileProvider("platformWorkbench.terminal", {
          provideTerminalProfile: async () => (await import("./handlers.ts")).terminalProfile(await load(), services),
        }),
      ],
    };
  },
});
