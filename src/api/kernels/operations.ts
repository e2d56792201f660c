import * as z from "zod/mini";
import { defineOperation } from "../catalogue/operation.ts";

// Kernels and sessions of a content server, as in Jupyter Server. The API description does not mention them, so they
// are not operations of the catalog. A server without them responds with 404.

const kernel = z.looseObject({
  id: z.string(),
  name: z.optional(z.string()),
  execution_state: z.nullish(z.string()),
  connections: z.nullish(z.number()),
  last_activity: z.nullish(z.string()),
});
const session = z.looseObject({
  id: z.string(),
  path: z.nullish(z.string()),
  name: z.nullish(z.string()),
  type: z.nullish(z.string()),
  kernel: z.nullish(kernel),
});
export type KernelModel = z.output<typeof kernel>;
export type SessionModel = z.output<typeof session>;

const id = z.string().check(z.minLength(1));
const kernelChoice = z.union([z.strictObject({ name: z.string() }), z.strictObject({ id: z.string() })]);
const errors = { otherwise: { kind: "crud" } } as const;
const readErrors = { otherwise: { kind: "retrieval" } } as const;
/** Servers that stop when they are idle must not count a request with this parameter as activity. */
const noActivity = { no_track_activity: z.optional(z.literal(1)) };
/** Milliseconds. The server responds after the kernel's interpreter has started, which takes long on a busy machine. */
const startTimeoutMs = 120_000;

export const listKernelSpecs = defineOperation({
  id: "kernels.specs.list",
  section: "beyond",
  summary: "List the kernels that the server can start",
  method: "GET",
  path: "api/kernelspecs",
  pathParameters: {},
  queryParameters: {},
  body: z.undefined(),
  response: z.looseObject({
    default: z.nullish(z.string()),
    kernelspecs: z.record(
      z.string(),
      z.looseObject({
        name: z.nullish(z.string()),
        spec: z.looseObject({ display_name: z.nullish(z.string()), language: z.nullish(z.string()) }),
        resources: z.nullish(z.record(z.string(), z.unknown())),
      }),
    ),
  }),
  credential: "notebook",
  effect: "read",
  failure: "Can't list the kernels of this workspace",
  entity: "kernels",
  errors: readErrors,
});

export const getKernelLogo = defineOperation({
  id: "kernels.logos.get",
  section: "beyond",
  summary: "Read the logo of a kernel",
  method: "GET",
  path: "kernelspecs/{name}/{file}",
  pathParameters: { name: id, file: id },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "notebook",
  effect: "read",
  failure: "Can't read the logo of kernel {name}",
  entity: "kernel {name}",
  errors: readErrors,
});

export const listKernels = defineOperation({
  id: "kernels.list",
  section: "beyond",
  summary: "List the running kernels",
  method: "GET",
  path: "api/kernels",
  pathParameters: {},
  queryParameters: noActivity,
  body: z.undefined(),
  response: z.array(kernel),
  credential: "notebook",
  effect: "read",
  failure: "Can't list the running kernels",
  entity: "kernels",
  errors: readErrors,
});

export const getKernel = defineOperation({
  id: "kernels.get",
  section: "beyond",
  summary: "Read a running kernel's state",
  method: "GET",
  path: "api/kernels/{kernelId}",
  pathParameters: { kernelId: id },
  queryParameters: noActivity,
  body: z.undefined(),
  response: kernel,
  credential: "notebook",
  effect: "read",
  failure: "Can't read the state of kernel {kernelId}",
  entity: "kernel {kernelId}",
  errors: readErrors,
});

export const interruptKernel = defineOperation({
  id: "kernels.interrupt",
  section: "beyond",
  summary: "Interrupt a kernel",
  method: "POST",
  path: "api/kernels/{kernelId}/interrupt",
  pathParameters: { kernelId: id },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Can't interrupt kernel {kernelId}",
  entity: "kernel {kernelId}",
  errors,
});

export const restartKernel = defineOperation({
  id: "kernels.restart",
  section: "beyond",
  summary: "Restart a kernel",
  method: "POST",
  path: "api/kernels/{kernelId}/restart",
  pathParameters: { kernelId: id },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Can't restart kernel {kernelId}",
  entity: "kernel {kernelId}",
  errors,
  timeLimitMs: startTimeoutMs,
});

export const shutDownKernel = defineOperation({
  id: "kernels.shutDown",
  section: "beyond",
  summary: "Shut down a kernel",
  method: "DELETE",
  path: "api/kernels/{kernelId}",
  pathParameters: { kernelId: id },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Can't shut down kernel {kernelId}",
  entity: "kernel {kernelId}",
  errors,
});

export const listSessions = defineOperation({
  id: "kernels.sessions.list",
  section: "beyond",
  summary: "List the sessions: which notebook uses which kernel",
  method: "GET",
  path: "api/sessions",
  pathParameters: {},
  queryParameters: noActivity,
  body: z.undefined(),
  response: z.array(session),
  credential: "notebook",
  effect: "read",
  failure: "Can't list the sessions",
  entity: "sessions",
  errors: readErrors,
});

export const createSession = defineOperation({
  id: "kernels.sessions.create",
  section: "beyond",
  summary: "Open the session of a notebook, and start its kernel if none is running",
  method: "POST",
  path: "api/sessions",
  pathParameters: {},
  queryParameters: {},
  body: z.strictObject({
    path: z.string().check(z.minLength(1)),
    name: z.string(),
    type: z.enum(["notebook", "console"]),
    kernel: kernelChoice,
  }),
  response: session,
  credential: "notebook",
  effect: "change",
  failure: "Can't start a kernel",
  entity: "sessions",
  errors,
  timeLimitMs: startTimeoutMs,
});

export const updateSession = defineOperation({
  id: "kernels.sessions.update",
  section: "beyond",
  summary: "Move a session to another path, or give it another kernel",
  method: "PATCH",
  path: "api/sessions/{sessionId}",
  pathParameters: { sessionId: id },
  queryParameters: {},
  body: z.strictObject({
    path: z.optional(z.string().check(z.minLength(1))),
    name: z.optional(z.string()),
    kernel: z.optional(kernelChoice),
  }),
  response: session,
  credential: "notebook",
  effect: "change",
  failure: "Can't change session {sessionId}",
  entity: "session {sessionId}",
  errors,
  timeLimitMs: startTimeoutMs,
});

export const deleteSession = defineOperation({
  id: "kernels.sessions.delete",
  section: "beyond",
  summary: "End a session and its kernel",
  method: "DELETE",
  path: "api/sessions/{sessionId}",
  pathParameters: { sessionId: id },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Can't end session {sessionId}",
  entity: "session {sessionId}",
  errors,
});
