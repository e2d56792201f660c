import type { CatalogueOperation } from "../../api/catalogue/operations/catalogue.ts";
import { type ContentHandler, contentHandlers } from "./content-server/handlers.ts";
import { readBody, sendJson } from "./http.ts";
import { type InternalHandler, internalHandlers } from "./internal-service.ts";
import { appStudioHandlers } from "./platform/app-studio.ts";
import { codeEngineHandlers } from "./platform/code-engine.ts";
import { designHandlers } from "./platform/designs.ts";
import type { PlatformHandler } from "./platform/handler.ts";
import { ErrorResponse } from "./platform/handler.ts";
import { pageChangeHandlers } from "./platform/page-changes.ts";
import { pageHandlers } from "./platform/pages.ts";
import { readHandlers } from "./platform/reads.ts";
import { sandboxHandlers } from "./platform/sandbox.ts";
import { workflowChangeHandlers } from "./platform/workflow-changes.ts";
import { workflowRunHandlers } from "./platform/workflow-runs.ts";
import { workflowHandlers } from "./platform/workflows.ts";
import { notebooksOf, platformHandlers } from "./platform/workspaces.ts";
import type { StateFile, WorkspaceState } from "./state.ts";
import type { Workspaces } from "./workspaces.ts";

/** The data, in addition to the request, that is needed to schedule a notebook. */
interface SchedulingPlace {
  readonly workspace: WorkspaceState;
  readonly workspaces: Workspaces;
  readonly file: StateFile;
}

type SchedulingHandler = (call: Parameters<ContentHandler>[0], place: SchedulingPlace) => Promise<void>;

type HandlerOf<Operation extends CatalogueOperation> = Operation["credential"] extends "platform"
  ? PlatformHandler
  : Operation["credential"] extends "internal"
    ? InternalHandler
    : Operation["id"] extends "contents.dataflow.update"
      ? SchedulingHandler
      : ContentHandler;

type Handlers = { readonly [Operation in CatalogueOperation as Operation["id"]]: HandlerOf<Operation> };

const updateDataflow: SchedulingHandler = async ({ exchange, parameters }, { workspace, workspaces, file }) => {
  const notebookId = parameters.get("notebookId") ?? "";
  const notebooks = await notebooksOf(workspaces, workspace.id, {});
  if (parameters.get("workspaceId") !== workspace.id || !notebooks.some(({ id }) => id === notebookId)) {
    throw new ErrorResponse(404, `Notebook ${notebookId} not found in workspace ${parameters.get("workspaceId")}`);
  }
  let dataflow: unknown;
  try {
    dataflow = JSON.parse((await readBody(exchange.request)).toString("utf8"));
  } catch {
    throw new ErrorResponse(400, "The body is not JSON.");
  }
  await file.change((state) => ({ ...state, dataflows: { ...state.dataflows, [notebookId]: dataflow } }));
  sendJson(exchange, 200, JSON.stringify({ ok: true }));
};

/** A handler for every operation of the catalog. A missing one is a compiler error. */
export const handlers = {
  ...platformHandlers,
  ...contentHandlers,
  ...designHandlers,
  ...sandboxHandlers,
  ...pageHandlers,
  ...appStudioHandlers,
  ...codeEngineHandlers,
  ...pageChangeHandlers,
  ...workflowHandlers,
  ...workflowRunHandlers,
  ...workflowChangeHandlers,
  ...readHandlers,
  ...internalHandlers,
  "contents.dataflow.update": updateDataflow,
} satisfies Handlers;
