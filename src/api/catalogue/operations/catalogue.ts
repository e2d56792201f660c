import * as appStudio from "./app-studio.ts";
import * as checkpoints from "./checkpoints.ts";
import * as codeEngine from "./code-engine.ts";
import * as contents from "./contents.ts";
import * as data from "./data.ts";
import * as datasetQueries from "./dataset-queries.ts";
import * as designs from "./designs.ts";
import * as executions from "./executions.ts";
import * as filterViews from "./filter-views.ts";
import * as frontDoor from "./front-door.ts";
import * as instance from "./instance.ts";
import * as notebooks from "./notebooks.ts";
import * as ownership from "./ownership.ts";
import * as pageChanges from "./page-changes.ts";
import * as pages from "./pages.ts";
import * as sandbox from "./sandbox.ts";
import * as triggers from "./triggers.ts";
import * as users from "./users.ts";
import * as workflowChanges from "./workflow-changes.ts";
import * as workflowRuns from "./workflow-runs.ts";
import * as workflows from "./workflows.ts";
import * as workspaces from "./workspaces.ts";

/** Every operation of the platform, declared once. Clients, routers, commands, and documents are derived from it. */
export const catalogue = [
  ...Object.values(workspaces),
  ...Object.values(contents),
  ...Object.values(checkpoints),
  ...Object.values(notebooks),
  ...Object.values(designs),
  ...Object.values(sandbox),
  ...Object.values(pages),
  ...Object.values(pageChanges),
  ...Object.values(filterViews),
  ...Object.values(workflows),
  ...Object.values(executions),
  ...Object.values(triggers),
  ...Object.values(workflowRuns),
  ...Object.values(workflowChanges),
  ...Object.values(users),
  ...Object.values(ownership),
  ...Object.values(data),
  ...Object.values(datasetQueries),
  ...Object.values(instance),
  ...Object.values(codeEngine),
  ...Object.values(appStudio),
  ...Object.values(frontDoor),
] as const;

export type CatalogueOperation = (typeof catalogue)[number];
export type OperationId = CatalogueOperation["id"];
