import type * as vscode from "vscode";
import { lazy } from "../../api/lazy.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { DocumentReload } from "../../ui/documents/platform-documents.ts";
import { defineFeature } from "../../ui/feature.ts";
import { apiExplorerDeclarations } from "./declarations.ts";

interface ApiExplorerServices {
  readonly registry: TenantRegistry;
  readonly connections: Connections;
  readonly documents: DocumentReload;
  readonly state: vscode.Memento;
  readonly log: ExtensionLog;
}

/** Commands for any operation of the platform's API: parameters, body, and response. */
export const apiExplorer = defineFeature({
  commands: apiExplorerDeclarations,
  create: ({ registry, connections, documents, state, log }: ApiExplorerServices) => {
    const load = lazy(
      async () => new (await import("./operation-documents.ts")).OperationDocuments(state, connections),
    );
    return {
      handlers: async () => {
        const [{ operationCommands }, operations] = await Promise.all([import("./handlers.ts"), load()]);
        return operationCommands({ registry, connections, operations, documents, state, log });
      },
      documents: {
        "operation-body": {
          read: async (address, uri) => (await load()).body.read(address, uri),
          write: async (address, text, uri) => (await load()).body.write(address, text, uri),
        },
        "operation-response": { read: async (address, uri) => (await load()).response.read(address, uri) },
        "operation-schema": {
          read: async ({ key }) => (await import("./operation-schemas.ts")).schemaText(key),
        },
      },
    };
  },
});
