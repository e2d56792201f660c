import { checkpointsDeclarations } from "./declarations/checkpoints.ts";
import { conflictsDeclarations } from "./declarations/conflicts.ts";
import { dataflowDeclarations } from "./declarations/dataflow.ts";
import { designsDeclarations } from "./declarations/designs.ts";
import { navigationDeclarations } from "./declarations/navigation.ts";
import { operationsDeclarations } from "./declarations/operations.ts";
import { pagesDeclarations } from "./declarations/pages.ts";
import { resourcesDeclarations } from "./declarations/resources.ts";
import { sandboxDeclarations } from "./declarations/sandbox.ts";
import { sourceControlDeclarations } from "./declarations/source-control.ts";
import { tenantsDeclarations } from "./declarations/tenants.ts";
import { transferDeclarations } from "./declarations/transfer.ts";
import { workflowsDeclarations } from "./declarations/workflows.ts";
import { workspacesDeclarations } from "./declarations/workspaces.ts";

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
