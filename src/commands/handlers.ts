import type { DataflowDocuments } from "../documents/dataflow-documents.ts";
import type { OperationDocuments } from "../documents/operation-documents.ts";
import type { PlatformDocuments } from "../documents/platform-documents.ts";
import type { PinnedRepositories } from "../source-control/pinned-repositories.ts";
import type { SourceControls } from "../source-control/source-controls.ts";
import type { PlatformTrees } from "../views/trees.ts";
import type { LazyPanels } from "../webviews/lazy-panels.ts";
import { checkpointCommands } from "./checkpoints.ts";
import type { CommandHandlers } from "./command-runner.ts";
import { conflictCommands } from "./conflicts.ts";
import { dataflowCommands } from "./dataflow.ts";
import { designCommands } from "./designs.ts";
import { frontDoorCommands } from "./front-door.ts";
import { goToAnythingCommands } from "./go-to-anything.ts";
import { goToFileCommands } from "./go-to-file.ts";
import { linkCommands } from "./links.ts";
import { pageCommands } from "./pages.ts";
import { withProgressIn } from "./progress.ts";
import { RecentResources } from "./recent-resources.ts";
import type { WorkbenchParts } from "./registration.ts";
import { resourceCommands } from "./resources.ts";
import { operationCommands } from "./run-operation.ts";
import { sandboxCommands } from "./sandbox.ts";
import { searchCommands } from "./search-in-workspace.ts";
import { sourceControlCommands } from "./source-control.ts";
import { tenantMenuCommands } from "./tenant-menu.ts";
import { tenantCommands } from "./tenants.ts";
import { transferCommands } from "./transfers.ts";
import { treeCommands } from "./trees.ts";
import { workflowCommands } from "./workflows.ts";
import { workspaceCommands } from "./workspaces.ts";

/** What the handlers share with what was registered before them. */
export interface HandlerParts extends WorkbenchParts {
  readonly trees: PlatformTrees;
  readonly pinned: PinnedRepositories;
  readonly sourceControls: () => Promise<SourceControls>;
  readonly dataflows: DataflowDocuments;
  readonly operations: OperationDocuments;
  readonly documents: PlatformDocuments;
  readonly panels: LazyPanels;
}

/** A handler for every declared command: loaded with the first one that a person runs. */
export function createHandlers(parts: HandlerParts): CommandHandlers {
  const { connections, context, dataflows, documents, files, lifecycle, log, operations, registry, secrets, trees } =
    parts;
  const recent = new RecentResources(context.globalState);
  return {
    ...tenantCommands({ registry, secrets, connections, trySampleTenant: parts.trySampleTenant }),
    ...workspaceCommands({
      ...{ registry, secrets, connections, lifecycle },
      storage: context.globalStorageUri,
    }),
    ...checkpointCommands({ files, storage: context.globalStorageUri }),
    ...conflictCommands({ files }),
    ...dataflowCommands({ connections, dataflows, documents, state: context.globalState, log }),
    ...operationCommands({ registry, connections, operations, documents, state: context.globalState, log }),
    ...treeCommands(trees),
    ...designCommands({ registry, connections: withProgressIn(trees.designs, connections), trees }),
    ...pageCommands({ registry, connections: withProgressIn(trees.pages, connections), trees }),
    ...workflowCommands({
      ...{ registry, connections: withProgressIn(trees.workflows, connections), trees },
      ...{ panels: parts.panels, state: context.globalState },
    }),
    ...resourceCommands({ registry, connections, recent }),
    ...sourceControlCommands({ registry, connections, pinned: parts.pinned, controls: parts.sourceControls }),
    ...sandboxCommands({ registry, connections: withProgressIn(trees.sandbox, connections), trees }),
    ...goToAnythingCommands({ registry, connections, trees, recent }),
    ...goToFileCommands({ registry, connections }),
    ...searchCommands({ registry, connections, state: context.globalState, subscriptions: context.subscriptions }),
    ...transferCommands({ registry, connections, files, log }),
    ...linkCommands({ connections, trees }),
    ...tenantMenuCommands({ registry, secrets }),
    ...frontDoorCommands({ registry, secrets }),
    "platformWorkbench.showLog": () => log.show(),
  };
}

// Loaded together: a file more of its own would cost the entry what it shares with it.
export { createEditorTools } from "../language-model/editor-tools.ts";
export { FrontDoorServers } from "../tenants/front-door-servers.ts";
export { schemaText } from "./operation-schemas.ts";
