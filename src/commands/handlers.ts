import type { DataflowDocuments } from "../documents/dataflow-documents.ts";
import type { OperationDocuments } from "../documents/operation-documents.ts";
import type { PlatformDocuments } from "../documents/platform-documents.ts";
import type { WorkspacesView } from "../views/workspaces.ts";
import { checkpointCommands } from "./checkpoints.ts";
import type { CommandHandlers } from "./command-runner.ts";
import { dataflowCommands } from "./dataflow.ts";
import { frontDoorCommands } from "./front-door.ts";
import type { WorkbenchParts } from "./registration.ts";
import { operationCommands } from "./run-operation.ts";
import { tenantCommands } from "./tenants.ts";
import { workspaceCommands } from "./workspaces.ts";

/** What the handlers share with what was registered before them. */
export interface HandlerParts extends WorkbenchParts {
  readonly view: WorkspacesView;
  readonly dataflows: DataflowDocuments;
  readonly operations: OperationDocuments;
  readonly documents: PlatformDocuments;
}

/** A handler for every declared command: loaded with the first one that a person runs. */
export function createHandlers(parts: HandlerParts): CommandHandlers {
  const { connections, context, dataflows, documents, files, lifecycle, log, operations, registry, secrets, view } =
    parts;
  return {
    ...tenantCommands({ registry, secrets, connections, trySampleTenant: parts.trySampleTenant }),
    ...workspaceCommands({
      ...{ registry, secrets, connections, lifecycle, view },
      storage: context.globalStorageUri,
    }),
    ...checkpointCommands({ connections, changed: (uri) => files.changed(uri) }),
    ...dataflowCommands({ connections, dataflows, documents, state: context.globalState, log }),
    ...operationCommands({ registry, connections, operations, documents, state: context.globalState, log }),
    ...frontDoorCommands({ registry, secrets }),
    "platformWorkbench.showLog": () => log.show(),
  };
}

// Loaded together: a file more of its own would cost the entry what it shares with it.
export { createEditorTools } from "../language-model/editor-tools.ts";
export { FrontDoorServers } from "../tenants/front-door-servers.ts";
export { schemaText } from "./operation-schemas.ts";
