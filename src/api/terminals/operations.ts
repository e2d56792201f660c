import * as z from "zod/mini";
import { defineOperation } from "../catalogue/operation.ts";

// Terminals of a content server, as in Jupyter Server. The API description does not mention them, so they are not
// operations of the catalog. A server without them responds with 404.

const terminal = z.looseObject({ name: z.string(), last_activity: z.nullish(z.string()) });
export type TerminalModel = z.output<typeof terminal>;

const name = z.string().check(z.minLength(1));

export const listTerminals = defineOperation({
  id: "terminals.list",
  section: "beyond",
  summary: "List the running terminals",
  method: "GET",
  path: "api/terminals",
  pathParameters: {},
  // Servers that stop when they are idle must not count this request as activity.
  queryParameters: { no_track_activity: z.optional(z.literal(1)) },
  body: z.undefined(),
  response: z.array(terminal),
  credential: "notebook",
  effect: "read",
  failure: "Can't list the terminals of this workspace",
  entity: "terminals",
  errors: { otherwise: { kind: "retrieval" } },
});

export const getTerminal = defineOperation({
  id: "terminals.get",
  section: "beyond",
  summary: "Read a running terminal's state",
  method: "GET",
  path: "api/terminals/{name}",
  pathParameters: { name },
  queryParameters: {},
  body: z.undefined(),
  response: terminal,
  credential: "notebook",
  effect: "read",
  failure: "Can't read the state of terminal {name}",
  entity: "terminal {name}",
  errors: { otherwise: { kind: "retrieval" } },
});

export const createTerminal = defineOperation({
  id: "terminals.create",
  section: "beyond",
  summary: "Start a terminal",
  method: "POST",
  path: "api/terminals",
  pathParameters: {},
  queryParameters: {},
  body: z.strictObject({ cwd: z.optional(z.string().check(z.minLength(1))) }),
  response: terminal,
  credential: "notebook",
  effect: "change",
  failure: "Can't start a terminal",
  entity: "terminals",
  errors: { otherwise: { kind: "crud" } },
});

export const deleteTerminal = defineOperation({
  id: "terminals.delete",
  section: "beyond",
  summary: "End a terminal and the programs that run in it",
  method: "DELETE",
  path: "api/terminals/{name}",
  pathParameters: { name },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Can't end terminal {name}",
  entity: "terminal {name}",
  errors: { otherwise: { kind: "crud" } },
});
