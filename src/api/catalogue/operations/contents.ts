import * as z from "zod/mini";
import { checkpoint, checkpoints, contentItem, createBody, renameBody, updateBody } from "../models/contents.ts";
import { defineOperation } from "../operation.ts";

const tokenRemedy = "Is the notebook token valid?";
const path = { path: z.string() };
const pathBelowRoot = { path: z.string().check(z.minLength(1)) };
const checkpointId = z.string().check(z.minLength(1));
const retrieval = { 403: { kind: "retrieval", remedy: tokenRemedy }, otherwise: { kind: "retrieval" } } as const;

function changeErrors<Word extends string>(word: Word) {
  return { 403: { kind: "crud", word, remedy: tokenRemedy }, otherwise: { kind: "crud", word } } as const;
}

export const getContent = defineOperation({
  id: "contents.get",
  section: "4.2",
  summary: "Read a content item, with its body or children or without",
  method: "GET",
  path: "api/contents/{path*}",
  pathParameters: path,
  queryParameters: {
    content: z.optional(z.union([z.literal(0), z.literal(1)])),
    type: z.optional(z.enum(["notebook", "file", "directory"])),
    format: z.optional(z.enum(["json", "text", "base64"])),
    hash: z.optional(z.union([z.literal(0), z.literal(1)])),
  },
  body: z.undefined(),
  answer: contentItem,
  credential: "notebook",
  effect: "read",
  failure: "Cannot read {path}",
  entity: "{path}",
  errors: { ...retrieval, 404: { kind: "notFound" } },
  transfer: true,
});

export const createContent = defineOperation({
  id: "contents.create",
  section: "4.2",
  summary: "Create an item with a default name in a directory, or copy one",
  method: "POST",
  path: "api/contents/{parentPath*}",
  pathParameters: { parentPath: z.string() },
  queryParameters: {},
  body: createBody,
  answer: contentItem,
  credential: "notebook",
  effect: "change",
  failure: "Cannot create an item in {parentPath}",
  entity: "{parentPath}",
  errors: changeErrors("create"),
});

export const renameContent = defineOperation({
  id: "contents.rename",
  section: "4.2",
  summary: "Rename or move an item",
  method: "PATCH",
  path: "api/contents/{oldPath*}",
  pathParameters: { oldPath: z.string().check(z.minLength(1)) },
  queryParameters: {},
  body: renameBody,
  answer: contentItem,
  credential: "notebook",
  effect: "change",
  failure: "Cannot rename {oldPath}",
  entity: "{oldPath}",
  errors: changeErrors("rename"),
});

export const updateContent = defineOperation({
  id: "contents.update",
  section: "4.2",
  summary: "Write the content of a notebook or file",
  method: "PUT",
  path: "api/contents/{path*}",
  pathParameters: pathBelowRoot,
  queryParameters: {},
  body: updateBody,
  answer: contentItem,
  credential: "notebook",
  effect: "destroy",
  failure: "Cannot save {path}",
  entity: "{path}",
  errors: { ...changeErrors("update"), 404: { kind: "notFound", word: "update" } },
  transfer: true,
});

export const deleteContent = defineOperation({
  id: "contents.delete",
  section: "4.2",
  summary: "Delete an item",
  method: "DELETE",
  path: "api/contents/{path*}",
  pathParameters: pathBelowRoot,
  queryParameters: {},
  body: z.undefined(),
  answer: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Cannot delete {path}",
  entity: "{path}",
  errors: { ...changeErrors("delete"), 404: { kind: "notFound", word: "delete" } },
});

export const createCheckpoint = defineOperation({
  id: "contents.checkpoints.create",
  section: "4.2",
  summary: "Create a checkpoint of a file or notebook",
  method: "POST",
  path: "api/contents/{path*}/checkpoints",
  pathParameters: pathBelowRoot,
  queryParameters: {},
  body: z.undefined(),
  answer: checkpoint,
  credential: "notebook",
  effect: "change",
  failure: "Cannot create a checkpoint of {path}",
  entity: "{path}",
  errors: changeErrors("create_checkpoint"),
});

export const listCheckpoints = defineOperation({
  id: "contents.checkpoints.list",
  section: "4.2",
  summary: "List the checkpoints of a file or notebook",
  method: "GET",
  path: "api/contents/{path*}/checkpoints",
  pathParameters: pathBelowRoot,
  queryParameters: {},
  body: z.undefined(),
  answer: checkpoints,
  credential: "notebook",
  effect: "read",
  failure: "Cannot list the checkpoints of {path}",
  entity: "{path}",
  errors: retrieval,
});

export const restoreCheckpoint = defineOperation({
  id: "contents.checkpoints.restore",
  section: "beyond",
  summary: "Put a checkpoint's content back in place of the file's",
  method: "POST",
  path: "api/contents/{path*}/checkpoints/{checkpointId}",
  pathParameters: { ...pathBelowRoot, checkpointId },
  queryParameters: {},
  body: z.undefined(),
  answer: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Cannot restore the checkpoint of {path}",
  entity: "{path}",
  errors: changeErrors("restore_checkpoint"),
});

export const deleteCheckpoint = defineOperation({
  id: "contents.checkpoints.delete",
  section: "beyond",
  summary: "Delete a checkpoint",
  method: "DELETE",
  path: "api/contents/{path*}/checkpoints/{checkpointId}",
  pathParameters: { ...pathBelowRoot, checkpointId },
  queryParameters: {},
  body: z.undefined(),
  answer: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Cannot delete the checkpoint of {path}",
  entity: "{path}",
  errors: changeErrors("delete_checkpoint"),
});

export const updateDataflow = defineOperation({
  id: "contents.dataflow.update",
  section: "4.2",
  summary: "Update a notebook's dataflow (scheduling) configuration",
  method: "PUT",
  path: "<services>/workspaces/{workspaceId}/notebooks/{notebookId}/dataflow",
  pathParameters: { workspaceId: z.string().check(z.minLength(1)), notebookId: z.string().check(z.minLength(1)) },
  queryParameters: {},
  body: z.record(z.string(), z.unknown()),
  answer: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Cannot update the dataflow of notebook {notebookId} in workspace {workspaceId}",
  entity: "workspace {workspaceId}, notebook {notebookId}",
  errors: {
    404: { kind: "notFound", word: "update_notebook_dataflow" },
    otherwise: { kind: "crud", word: "update_notebook_dataflow" },
  },
});
