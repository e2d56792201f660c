import * as checkpoints from "../../src/api/catalogue/operations/checkpoints.ts";
import * as contents from "../../src/api/catalogue/operations/contents.ts";
import * as notebooks from "../../src/api/catalogue/operations/notebooks.ts";
import * as workspaces from "../../src/api/catalogue/operations/workspaces.ts";
import { createItem } from "../../src/api/content-server/contents.ts";
import { startWorkspace } from "../../src/api/families/workspace-start.ts";
import type { ErrorKind, PlatformError } from "../../src/api/http/errors.ts";
import { type ContractTenant, wrongNotebookToken, wrongPlatformToken } from "./tenant.ts";

/** The rows of the API description, 7, for 4.1 and 4.2, in its words. */
export const rows = [
  // Proves 5.2: a 403 of the content server means that the notebook
  // Proves 7: GET content, 403: retrieval error that asks
  "GET content: 403",
  // Proves 7: Every error has a message, an entity identifier, and the response
  // Proves 7: GET content, 404: not-found error that names
  "GET content: 404",
  // Proves 7: GET content, other statuses: retrieval error
  "GET content: other non-2xx",
  // Proves 7: Create, 403: CRUD error that asks the user to check the token
  "create content or folder: 403",
  // Proves 7: Create, other statuses of either step: CRUD
  "create content or folder: other non-2xx (POST step or rename step)",
  // Proves 7: Update, 403: CRUD error that asks the user to check the token
  "update file: 403",
  "update file, delete content, update workspace config, update notebook dataflow: 404",
  // Proves 7: Delete, 403: CRUD error that asks the user to check the token
  "delete content: 403",
  // Proves 7: Update, delete, dataflow, configuration, other statuses
  "update, delete, dataflow, workspace config: other non-2xx",
  // Proves 7: Create a checkpoint: CRUD error
  "create checkpoint: non-2xx",
  "list checkpoints, settings, namespace: non-2xx",
  // Proves 7: Start, 500 or 403: workspace error: no access
  "start workspace: 500 or 403",
  // Proves 7: Start, other statuses: workspace error, operation start
  "start workspace: other non-2xx",
  "start workspace: runtime failure while starting",
] as const;

export interface ErrorCase {
  readonly row: (typeof rows)[number];
  readonly what: string;
  run(tenant: ContractTenant): Promise<PlatformError>;
  readonly kind: ErrorKind;
  readonly status: number;
  readonly entity: string;
  readonly word?: string;
  readonly message: RegExp;
}

const file = { type: "file", format: "text", content: "x" } as const;
const unknownId = "00000000-0000-4000-8000-000000000000";
export const salesId = "4f7c21aa-90d3-4b6e-8a51-2e6d0b9f3c10";
const tokenHint = /Check that the notebook token is valid\.$/;
const startHint = /not have access to it.*not be shared with you.*already started/;
const handshakeHint = /opened once in a browser.*Open it in the browser.*not have access to it.*already started/;
const bytes = Buffer.from("x");

/** The calls of the table; `stranger` is a client with a wrong credential. */
export const calls = {
  get: (tenant: ContractTenant, path = "README.md") => tenant.content().call(contents.getContent, { path }),
  create: (tenant: ContractTenant, path = "new.py") => createItem(tenant.content(), path, bytes),
  createFolder: (tenant: ContractTenant, path = "new folder") => createItem(tenant.content(), path, undefined),
  update: (tenant: ContractTenant, path = "kept.txt") =>
    tenant.content().call(contents.updateContent, { path, body: file }),
  delete: (tenant: ContractTenant, path = "kept.txt") => tenant.content().call(contents.deleteContent, { path }),
  checkpoint: (tenant: ContractTenant, path = "kept.txt") =>
    tenant.content().call(checkpoints.createCheckpoint, { path }),
  checkpoints: (tenant: ContractTenant, path = "kept.txt") =>
    tenant.content().call(checkpoints.listCheckpoints, { path }),
  dataflow: (tenant: ContractTenant, notebookId = "n-1") =>
    tenant.content().call(notebooks.updateDataflow, { workspaceId: salesId, notebookId, body: {} }),
  configuration: (tenant: ContractTenant, workspaceId: string = salesId) =>
    tenant.platform().call(workspaces.updateWorkspace, { workspaceId, body: { name: "x" } }),
  settings: (tenant: ContractTenant) => tenant.platform().call(workspaces.getSettings, {}),
  namespace: (tenant: ContractTenant) => tenant.platform().call(workspaces.getNamespace, {}),
  start: (tenant: ContractTenant, workspaceId: string = salesId) => startWorkspace(tenant.platform(), workspaceId),
} as const;

/** Errors that the tenant reports by itself. */
export const provoked: readonly ErrorCase[] = [
  {
    row: "GET content: 403",
    what: "a wrong token",
    run: (tenant) =>
      tenant.failure(
        tenant.content(tenant.running, wrongNotebookToken).call(contents.getContent, { path: "README.md" }),
      ),
    kind: "retrieval",
    status: 403,
    entity: "README.md",
    message: tokenHint,
  },
  {
    row: "GET content: 404",
    what: "a missing path",
    run: (tenant) => tenant.failure(calls.get(tenant, "data/no such.csv")),
    kind: "notFound",
    status: 404,
    entity: "data/no such.csv",
    message: /^Can't read data\/no such\.csv: .*\(404\)/,
  },
  {
    row: "GET content: 404",
    what: "told in plain text under a JSON content type",
    run: async (tenant) => {
      tenant.tenant.faults.plainText404(true);
      try {
        return await tenant.failure(calls.get(tenant, "data/no such.csv"));
      } finally {
        tenant.tenant.faults.plainText404(false);
      }
    },
    kind: "notFound",
    status: 404,
    entity: "data/no such.csv",
    message: /^Can't read data\/no such\.csv: /,
  },
  {
    row: "GET content: other non-2xx",
    what: "a file asked for as a directory",
    run: (tenant) =>
      tenant.failure(tenant.content().call(contents.getContent, { path: "README.md", type: "directory" })),
    kind: "retrieval",
    status: 400,
    entity: "README.md",
    message: /^Can't read README\.md: .*\(400\)/,
  },
  {
    row: "GET content: other non-2xx",
    what: "the hash of a directory",
    run: (tenant) => tenant.failure(tenant.content().call(contents.getContent, { path: "", hash: 1 })),
    kind: "retrieval",
    status: 500,
    entity: "the workspace root",
    message: /^Can't read the workspace root: /,
  },
  ...(["file", "directory"] as const).map(
    (type): ErrorCase => ({
      row: "create content or folder: 403",
      what: `a wrong token, ${type}`,
      run: (tenant) =>
        tenant.failure(createItem(tenant.content(tenant.running, wrongNotebookToken), "new", bytes, { type })),
      kind: "crud",
      status: 403,
      entity: "new",
      message: tokenHint,
      word: type === "file" ? "create" : "create_folder",
    }),
  ),
  {
    row: "create content or folder: other non-2xx (POST step or rename step)",
    what: "POST in a directory that is not there",
    run: (tenant) => tenant.failure(calls.create(tenant, "nowhere/new.py")),
    kind: "crud",
    word: "create",
    status: 404,
    entity: "nowhere/new.py",
    message: /^Can't create nowhere\/new\.py: /,
  },
  {
    row: "create content or folder: other non-2xx (POST step or rename step)",
    what: "POST of a folder in a directory that is not there",
    run: (tenant) => tenant.failure(calls.createFolder(tenant, "nowhere/new")),
    kind: "crud",
    word: "create_folder",
    status: 404,
    entity: "nowhere/new",
    message: /^Can't create nowhere\/new: /,
  },
  ...(["file", "directory"] as const).map(
    (type): ErrorCase => ({
      row: "create content or folder: other non-2xx (POST step or rename step)",
      what: `the POST step by itself in a directory that is not there, ${type}`,
      run: (tenant) =>
        tenant.failure(
          tenant.content().call(contents.createContent, { parentPath: "nowhere", body: { type, path: "nowhere" } }),
        ),
      kind: "crud",
      status: 404,
      entity: "nowhere",
      message: /^Can't create an item in nowhere: /,
      word: type === "file" ? "create" : "create_folder",
    }),
  ),
  {
    row: "create content or folder: other non-2xx (POST step or rename step)",
    what: "rename onto what is there",
    run: (tenant) => tenant.failure(calls.create(tenant, "README.md")),
    kind: "crud",
    word: "create",
    status: 409,
    entity: "README.md",
    message: /^Can't create README\.md: .*exists/,
  },
  {
    row: "create content or folder: other non-2xx (POST step or rename step)",
    what: "rename of a folder onto what is there",
    run: (tenant) => tenant.failure(calls.createFolder(tenant, "data")),
    kind: "crud",
    word: "create_folder",
    status: 409,
    entity: "data",
    message: /^Can't create data: .*exists/,
  },
  {
    row: "update file: 403",
    what: "a wrong token",
    run: (tenant) =>
      tenant.failure(
        tenant
          .content(tenant.running, wrongNotebookToken)
          .call(contents.updateContent, { path: "kept.txt", body: file }),
      ),
    kind: "crud",
    word: "update",
    status: 403,
    entity: "kept.txt",
    message: tokenHint,
  },
  {
    row: "update file, delete content, update workspace config, update notebook dataflow: 404",
    // Proves 7: Delete, 404: not-found error that names the path
    what: "deleting a missing item",
    run: (tenant) => tenant.failure(calls.delete(tenant, "data/no such.csv")),
    kind: "notFound",
    word: "delete",
    status: 404,
    entity: "data/no such.csv",
    message: /^Can't delete data\/no such/,
  },
  {
    row: "update file, delete content, update workspace config, update notebook dataflow: 404",
    // Proves 7: Configuration, 404: not-found error that names the workspace
    what: "the configuration of an unknown workspace",
    run: (tenant) => tenant.failure(calls.configuration(tenant, unknownId)),
    kind: "notFound",
    word: "update_config",
    status: 404,
    entity: unknownId,
    message: new RegExp(unknownId),
  },
  {
    row: "update file, delete content, update workspace config, update notebook dataflow: 404",
    // Proves 7: Dataflow, 404: not-found error that names workspace and notebook
    what: "the dataflow of an unknown notebook",
    run: (tenant) => tenant.failure(calls.dataflow(tenant, "no-such-notebook")),
    kind: "notFound",
    word: "update_notebook_dataflow",
    status: 404,
    entity: `workspace ${salesId}, notebook no-such-notebook`,
    message: /no-such-notebook/,
  },
  {
    row: "delete content: 403",
    what: "a wrong token",
    run: (tenant) =>
      tenant.failure(
        tenant.content(tenant.running, wrongNotebookToken).call(contents.deleteContent, { path: "kept.txt" }),
      ),
    kind: "crud",
    word: "delete",
    status: 403,
    entity: "kept.txt",
    message: tokenHint,
  },
  {
    row: "update, delete, dataflow, workspace config: other non-2xx",
    what: "saving in a directory that is not there",
    run: (tenant) => tenant.failure(calls.update(tenant, "nowhere/a.txt")),
    kind: "crud",
    word: "update",
    status: 500,
    entity: "nowhere/a.txt",
    message: /^Can't save nowhere\/a\.txt: /,
  },
  {
    row: "update, delete, dataflow, workspace config: other non-2xx",
    what: "deleting a hidden file",
    run: (tenant) => tenant.failure(calls.delete(tenant, ".secret")),
    kind: "crud",
    word: "delete",
    status: 400,
    entity: ".secret",
    message: /^Can't delete \.secret: .*\(400\)/,
  },
  {
    row: "create checkpoint: non-2xx",
    what: "of a file that is not there",
    run: (tenant) => tenant.failure(calls.checkpoint(tenant, "no such.txt")),
    kind: "crud",
    word: "create_checkpoint",
    status: 500,
    entity: "no such.txt",
    message: /^Can't create a checkpoint of no such/,
  },
  {
    row: "create checkpoint: non-2xx",
    what: "a wrong token",
    run: (tenant) =>
      tenant.failure(
        tenant.content(tenant.running, wrongNotebookToken).call(checkpoints.createCheckpoint, { path: "kept.txt" }),
      ),
    kind: "crud",
    word: "create_checkpoint",
    status: 403,
    entity: "kept.txt",
    message: tokenHint,
  },
  {
    row: "list checkpoints, settings, namespace: non-2xx",
    // Proves 7: List checkpoints: retrieval error
    what: "checkpoints with a wrong token",
    run: (tenant) =>
      tenant.failure(
        tenant.content(tenant.running, wrongNotebookToken).call(checkpoints.listCheckpoints, { path: "kept.txt" }),
      ),
    kind: "retrieval",
    status: 403,
    entity: "kept.txt",
    message: tokenHint,
  },
  {
    row: "list checkpoints, settings, namespace: non-2xx",
    // Proves 7: Settings: retrieval error
    what: "settings with a wrong credential",
    run: (tenant) => tenant.failure(tenant.platform(wrongPlatformToken).call(workspaces.getSettings, {})),
    kind: "retrieval",
    status: 401,
    entity: "settings",
    message: /Unauthorized \(401\) \(trace .*Sign in again\.$/,
  },
  {
    row: "list checkpoints, settings, namespace: non-2xx",
    // Proves 7: Namespace: retrieval error
    what: "namespace with a wrong credential",
    run: (tenant) => tenant.failure(tenant.platform(wrongPlatformToken).call(workspaces.getNamespace, {})),
    kind: "retrieval",
    status: 401,
    entity: "user namespace",
    message: /Sign in again\.$/,
  },
  {
    row: "start workspace: 500 or 403",
    what: "one that runs already",
    run: (tenant) => tenant.failure(calls.start(tenant)),
    kind: "workspace",
    word: "start",
    status: 500,
    entity: salesId,
    message: startHint,
  },
  {
    row: "start workspace: 500 or 403",
    what: "somebody else's",
    run: (tenant) => tenant.failure(calls.start(tenant, tenant.workspace("Payroll analytics").id)),
    kind: "workspace",
    word: "start",
    status: 403,
    message: startHint,
    entity: "e5b8920c-47d6-4e3a-8c1f-6a94d3027b58",
  },
  {
    row: "start workspace: 500 or 403",
    // Proves 7: Start, 403 that requires a browser first
    what: "one that requires the browser first",
    run: (tenant) => tenant.failure(calls.start(tenant, tenant.workspace("Finance close").id)),
    kind: "workspace",
    word: "start",
    status: 403,
    message: handshakeHint,
    entity: "71f3c6e9-b504-4a8e-9d1b-c02d7e68f435",
  },
  {
    row: "start workspace: other non-2xx",
    what: "an unknown one",
    run: (tenant) => tenant.failure(calls.start(tenant, unknownId)),
    kind: "workspace",
    word: "start",
    status: 404,
    entity: unknownId,
    message: /not found \(404\)/,
  },
  {
    row: "start workspace: other non-2xx",
    what: "a wrong credential",
    run: (tenant) => tenant.failure(startWorkspace(tenant.platform(wrongPlatformToken), salesId)),
    kind: "workspace",
    word: "start",
    status: 401,
    entity: salesId,
    message: /Sign in again\.$/,
  },
];
