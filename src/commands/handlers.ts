import type { DataflowDocuments } from "../documents/dataflow-documents.ts";
import type { OperationDocuments } from "../documents/operation-documents.ts";
import type { PlatformDocuments } from "../documents/platform-documents.ts";
import type { PlatformTrees } from "../views/trees.ts";
import { checkpointCommands } from "./checkpoints.ts";
import type { CommandHandlers } from "./command-runner.ts";
import { dataflowCommands } from "./dataflow.ts";
import type { WorkbenchParts } from "./registration.ts";
import { resourceCommands } from "./resources.ts";
import { operationCommands } from "./run-operation.ts";
import { tenantCommands } from "./tenants.ts";
import { treeCommands } from "./trees.ts";
import { workspaceCommands } from "./workspaces.ts";

/** What the handlers share with what was registered before them. */
export interface HandlerParts extends WorkbenchParts {
  readonly trees: PlatformTrees;
  readonly dataflows: DataflowDocuments;
  readonly operations: OperationDocuments;
  readonly documents: PlatformDocuments;
}

/** A handler for every declared command: loaded with the first one that a person runs. */
export function createHandlers(parts: HandlerParts): CommandHandlers {
  const { connections, context, dataflows, documents, files, lifecycle, log, operations, registry, secrets, trees } =
    parts;
  return {
    ...tenantCommands({ registry, secrets, connections, trySampleTenant: parts.trySampleTenant }),
    ...workspaceCommands({
      ...{ registry, secrets, connections, lifecycle },
      storage: context.globalStorageUri,
    }),
    ...checkpointCommands({ connections, changed: (uri) => files.changed(uri) }),
    ...dataflowCommands({ connections, dataflows, documents, state: context.globalState, log }),
    ...operationCommands({ registry, connections, operations, documents, state: context.globalState, log }),
    ...treeCommands(trees),
    ...resourceCommands({ connections }),
    "platformWorkbench.showLog": () => log.show(),
  };
}

export { schemaText } from "./operation-schemas.ts";
