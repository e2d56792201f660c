import { operationCommands } from "../features/api-explorer/handlers.ts";
import type { OperationDocuments } from "../features/api-explorer/operation-documents.ts";
import { checkpointCommands } from "../features/checkpoints/handlers.ts";
import { conflictCommands } from "../features/conflicts/handlers.ts";
import { designCommands } from "../features/designs/handlers.ts";
import { frontDoorCommands } from "../features/front-door/handlers.ts";
import { goToAnythingCommands } from "../features/navigation/go-to-anything.ts";
import { linkCommands } from "../features/navigation/links.ts";
import { RecentResources } from "../features/navigation/recent-resources.ts";
import { resourceCommands } from "../features/navigation/resources.ts";
import { pageCommands } from "../features/pages/handlers.ts";
import { goToFileCommands } from "../features/remote-search/go-to-file.ts";
import { searchCommands } from "../features/remote-search/search-in-workspace.ts";
import { sandboxCommands } from "../features/sandbox/handlers.ts";
import { sourceControlCommands } from "../features/sandbox/source-control/handlers.ts";
import type { PinnedRepositories } from "../features/sandbox/source-control/pinned-repositories.ts";
import type { SourceControls } from "../features/sandbox/source-control/source-controls.ts";
import { tenantCommands } from "../features/tenants/handlers.ts";
import { tenantMenuCommands } from "../features/tenants/menu.ts";
import { transferCommands } from "../features/transfers/handlers.ts";
import { workflowCommands } from "../features/workflows/handlers.ts";
import type { LazyPanels } from "../features/workflows/panels/lazy-panels.ts";
import { dataflowCommands } from "../features/workspaces/dataflow.ts";
import type { DataflowDocuments } from "../features/workspaces/dataflow-documents.ts";
import { workspaceCommands } from "../features/workspaces/handlers.ts";
import type { CommandHandlers } from "../ui/commands/command-runner.ts";
import { withProgressIn } from "../ui/commands/progress.ts";
import type { PlatformDocuments } from "../ui/documents/platform-documents.ts";
import type { WorkbenchParts } from "./registration.ts";
import { treeCommands } from "./tree-commands.ts";
import type { PlatformTrees } from "./trees.ts";

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

export { schemaText } from "../features/api-explorer/operation-schemas.ts";
export { FrontDoorServers } from "../features/front-door/servers.ts";
// Loaded together: a file more of its own would cost the entry what it shares with it.
export { createEditorTools } from "../features/language-model/editor-tools.ts";
