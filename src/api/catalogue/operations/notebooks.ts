import * as z from "zod/mini";
import { listUnder } from "../models/list-under.ts";
import { instanceSettings, platformNotebook } from "../models/workspaces.ts";
import { defineOperation } from "../operation.ts";

// Notebooks that the platform has on record, and their schedules (API description, 4.2 and 4.7).

export const updateDataflow = defineOperation({
  id: "contents.dataflow.update",
  section: "4.2",
  summary: "Update a notebook's dataflow (scheduling) configuration",
  method: "PUT",
  path: "<services>/workspaces/{workspaceId}/notebooks/{notebookId}/dataflow",
  pathParameters: { workspaceId: z.string().check(z.minLength(1)), notebookId: z.string().check(z.minLength(1)) },
  queryParameters: {},
  body: z.record(z.string(), z.unknown()),
  response: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Can't update the dataflow of notebook {notebookId} in workspace {workspaceId}",
  entity: "workspace {workspaceId}, notebook {notebookId}",
  errors: {
    404: { kind: "notFound", word: "update_notebook_dataflow" },
    otherwise: { kind: "crud", word: "update_notebook_dataflow" },
  },
});

/** A page of `/search/notebooks`, which has the notebook id that a dataflow update needs. */
export const searchNotebooks = defineOperation({
  id: "workspaces.notebooks.search",
  section: "beyond",
  summary: "List the notebooks that the platform has a record of",
  method: "POST",
  path: "/api/datascience/v1/search/notebooks",
  pathParameters: {},
  queryParameters: {},
  body: z._default(z.record(z.string(), z.unknown()), {}),
  response: listUnder(platformNotebook, ["notebooks"], {}),
  credential: "platform",
  effect: "read",
  failure: "Can't list the notebooks",
  entity: "notebooks",
  errors: { otherwise: { kind: "retrieval" } },
});

export const getNotebookSettings = defineOperation({
  id: "notebooks.settings.get",
  section: "4.7",
  summary: "Read the settings of the notebook service",
  method: "GET",
  path: "/api/notebook/v1/settings",
  pathParameters: {},
  queryParameters: {},
  body: z.undefined(),
  response: instanceSettings,
  credential: "platform",
  effect: "read",
  failure: "Can't read the notebook service's settings",
  entity: "notebook settings",
  errors: { otherwise: { kind: "retrieval" } },
});
