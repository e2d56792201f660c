import { operationsDeclarations } from "../features/api-explorer/declarations.ts";
import { checkpointsDeclarations } from "../features/checkpoints/declarations.ts";
import { conflictsDeclarations } from "../features/conflicts/declarations.ts";
import { designsDeclarations } from "../features/designs/declarations.ts";
import { navigationDeclarations } from "../features/navigation/declarations.ts";
import { resourcesDeclarations } from "../features/navigation/resource-declarations.ts";
import { pagesDeclarations } from "../features/pages/declarations.ts";
import { sandboxDeclarations } from "../features/sandbox/declarations.ts";
import { sourceControlDeclarations } from "../features/sandbox/source-control/declarations.ts";
import { tenantsDeclarations } from "../features/tenants/declarations.ts";
import { transferDeclarations } from "../features/transfers/declarations.ts";
import { workflowsDeclarations } from "../features/workflows/declarations.ts";
import { dataflowDeclarations } from "../features/workspaces/dataflow-declarations.ts";
import { workspacesDeclarations } from "../features/workspaces/declarations.ts";

export const category = "Platform";

/** Every command, declared once: the manifest is generated from this, the runner demands a handler for each. */
export const commands = {
  ...tenantsDeclarations,
  ...workspacesDeclarations,
  ...checkpointsDeclarations,
  ...conflictsDeclarations,
  ...dataflowDeclarations,
  ...operationsDeclarations,
  ...navigationDeclarations,
  ...transferDeclarations,
  ...designsDeclarations,
  ...pagesDeclarations,
  ...sandboxDeclarations,
  ...sourceControlDeclarations,
  ...workflowsDeclarations,
  ...resourcesDeclarations,
};

export type CommandId = keyof typeof commands;
