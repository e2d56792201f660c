import * as z from "zod/mini";
import { contentChangeErrors } from "../content-errors.ts";
import { contentItem, createBody, renameBody, updateBody } from "../models/contents.ts";
import { defineOperation } from "../operation.ts";

export { getContent } from "./content-reading.ts";

const belowRoot = z.string().check(z.minLength(1));
const pathBelowRoot = { path: belowRoot };

export const createContent = defineOperation({
  id: "contents.create",
  section: "4.2",
  summary: "Create an item with a default name in a folder, or copy an item",
  method: "POST",
  path: "api/contents/{parentPath*}",
  pathParameters: { parentPath: z.string() },
  queryParameters: {},
  body: createBody,
  // For concurrent requests, Jupyter Server can choose the same free name, and then fails or returns the same item
  // twice.
  isSerial: true,
  response: contentItem,
  credential: "notebook",
  effect: "change",
  failure: "Can't create an item in {parentPath}",
  entity: "{parentPath}",
  folderWord: "create_folder",
  errors: contentChangeErrors("create"),
});

export const renameContent = defineOperation({
  id: "contents.rename",
  section: "4.2",
  summary: "Rename or move an item",
  method: "PATCH",
  path: "api/contents/{oldPath*}",
  pathParameters: { oldPath: belowRoot },
  queryParameters: {},
  body: renameBody,
  response: contentItem,
  credential: "notebook",
  effect: "change",
  failure: "Can't rename {oldPath}",
  entity: "{oldPath}",
  errors: contentChangeErrors("rename"),
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
  sendsBodyAsGiven: true,
  response: contentItem,
  credential: "notebook",
  effect: "destroy",
  failure: "Can't save {path}",
  entity: "{path}",
  errors: { ...contentChangeErrors("update"), 404: { kind: "notFound", word: "update" } },
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
  response: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Can't delete {path}",
  entity: "{path}",
  errors: { ...contentChangeErrors("delete"), 404: { kind: "notFound", word: "delete" } },
});
