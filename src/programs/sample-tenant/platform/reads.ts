import {
  applicationEntries,
  cardEntry,
  dataPolicyEntries,
  datasetDataflowEntries,
  datasetPermissionsEntry,
  datasetQueryEntry,
  datasetSchemaEntry,
  datastoreEntries,
  filesetEntry,
  streamEntry,
} from "../seed/data-library.ts";
import {
  accountEntries,
  activityLogTypeEntries,
  aiSettingsEntry,
  grantEntries,
  groupEntries,
  publicationEntries,
  roleEntries,
  userEntries,
} from "../seed/organization.ts";
import { designCardEntry } from "./designs.ts";
import {
  ErrorResponse,
  fieldsOf,
  ok,
  type PlatformCall,
  type PlatformHandler,
  type PlatformResponse,
} from "./handler.ts";
import { pageById } from "./pages.ts";
import { modelEntries } from "./workflows.ts";
import { settingsShape } from "./workspaces.ts";

/** The platform's handlers for the reads of API description, 4.7. */
export const readHandlers = {
  "accounts.list": async () => ok(accountEntries()),
  "activityLog.types.list": async () => ok(activityLogTypeEntries()),
  "ai.settings.get": async () => ok(aiSettingsEntry()),
  "applications.list": async () => ok(applicationEntries()),
  "cards.get": async (call) =>
    found("Card", call, "id", (id) => cardEntry(id) ?? designCardEntry(call.file.state.designs, id)),
  "datasets.dataflows.list": async (call) => found("Dataset", call, "id", datasetDataflowEntries),
  "datasets.permissions.get": async (call) => found("Dataset", call, "id", datasetPermissionsEntry),
  "datasets.policies.list": async (call) => found("Dataset", call, "datasetId", dataPolicyEntries),
  "datasets.query": async (call) => {
    const { sql } = fieldsOf(call.body);
    const id = call.parameters.get("datasetId") ?? "";
    const result = datasetQueryEntry(id, String(sql));
    if (result === undefined) {
      throw new ErrorResponse(404, `Dataset ${id} not found`);
    }
    if ("refused" in result) {
      throw new ErrorResponse(400, String(result.refused));
    }
    return ok(result);
  },
  "datasets.schema.get": async (call) => found("Dataset", call, "id", datasetSchemaEntry),
  "datastores.list": async () => ok(datastoreEntries()),
  "filesets.get": async (call) => found("Fileset", call, "id", filesetEntry),
  "grants.list": async () => ok(grantEntries()),
  "groups.list": async (call) => ok(pageOf(groupEntries(), call)),
  "notebooks.settings.get": async ({ wire }) => ok(settingsShape(wire)),
  "publications.list": async () => ok(publicationEntries()),
  "roles.list": async () => ok(roleEntries()),
  "streams.get": async (call) => found("Stream", call, "id", streamEntry),
  "users.list": async (call) => ok(pageOf(userEntries(), call)),
  "pages.get": async (call) => found("Page", call, "id", (id) => pageById(call.file.state.pages, id)),
  "sandbox.config.get": async ({ file, wire }) =>
    ok({ ...file.state.sandbox.settings, domain: new URL(wire.origin).host }),
  "workflows.list": async (call) => ok(modelEntries(call.file.state.workflows)),
} satisfies Readonly<Record<string, PlatformHandler>>;

function found(kind: string, call: PlatformCall, name: string, find: (id: string) => unknown): PlatformResponse {
  const id = call.parameters.get(name) ?? "";
  const entry = find(id);
  if (entry === undefined) {
    throw new ErrorResponse(404, `${kind} ${id} not found`);
  }
  return ok(entry);
}

function pageOf<Item>(items: readonly Item[], { query }: PlatformCall): readonly Item[] {
  const offset = Number(query.get("offset") ?? 0);
  return items.slice(offset, offset + Number(query.get("limit") ?? items.length));
}
