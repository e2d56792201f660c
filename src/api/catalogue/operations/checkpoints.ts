import * as z from "zod/mini";
import { contentChangeErrors, contentReadErrors } from "../content-errors.ts";
import { checkpoint, checkpoints } from "../models/contents.ts";
import { defineOperation } from "../operation.ts";

// The checkpoints of a content server's files (API description, 4.2).

const pathBelowRoot = { path: z.string().check(z.minLength(1)) };
const checkpointId = z.string().check(z.minLength(1));

export const createCheckpoint = defineOperation({
  id: "contents.checkpoints.create",
  section: "4.2",
  summary: "Create a checkpoint of a file or notebook",
  method: "POST",
  path: "api/contents/{path*}/checkpoints",
  pathParameters: pathBelowRoot,
  queryParameters: {},
  body: z.undefined(),
  response: checkpoint,
  credential: "notebook",
  effect: "change",
  failure: "Can't create a checkpoint of {path}",
  entity: "{path}",
  errors: contentChangeErrors("create_checkpoint"),
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
  response: checkpoints,
  credential: "notebook",
  effect: "read",
  failure: "Can't list the checkpoints of {path}",
  entity: "{path}",
  errors: contentReadErrors,
});

export const restoreCheckpoint = defineOperation({
  id: "contents.checkpoints.restore",
  section: "beyond",
  summary: "Restore a file from a checkpoint",
  method: "POST",
  path: "api/contents/{path*}/checkpoints/{checkpointId}",
  pathParameters: { ...pathBelowRoot, checkpointId },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Can't restore the checkpoint of {path}",
  entity: "{path}",
  errors: contentChangeErrors("restore_checkpoint"),
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
  response: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Can't delete the checkpoint of {path}",
  entity: "{path}",
  errors: contentChangeErrors("delete_checkpoint"),
});
