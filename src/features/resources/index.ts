import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import { lazy } from "../../api/lazy.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import { activeUris } from "../../ui/commands/active-uris.ts";
import { defineFeature } from "../../ui/feature.ts";
import type { ResourceServices } from "./resource-services.ts";

/** The memory and processors of the workspace whose file is in the active editor, in the status bar. */
export const resources = defineFeature({
  commands: {},
  create: (services: ResourceServices) => {
    const load = lazy(async () => {
      const [{ ResourceStatus }, usages] = await Promise.all([import("./resource-status.ts"), services.usages()]);
      const loaded = new ResourceStatus(services, usages);
      services.subscriptions.push(loaded);
      return loaded;
    });
    let hasLoaded = false;
    const update = (): void => {
      if (hasLoaded || activeUris().some((uri) => uri.scheme === scheme)) {
        hasLoaded = true;
        load()
          .then((status) => status.update())
          .catch((error: unknown) => services.log.error(`resources: ${errorMessage(error)}`));
      }
    };
    update();
    const { tabGroups } = vscode.window;
    return { disposables: [tabGroups.onDidChangeTabs(update), tabGroups.onDidChangeTabGroups(update)] };
  },
});
