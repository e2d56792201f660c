import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod/mini";
import { nameOf } from "../catalogue/content-path.ts";
import { getContent } from "../catalogue/operations/content-reading.ts";
import type { ContentClient } from "../client/client.ts";
import { asciiLiteral, loader, packages } from "../companion/program.ts";
import { hasStatus } from "../http/errors.ts";
import { openKernelConnection } from "../kernels/connection/open-connection.ts";
import { noJournal } from "../kernels/executions/execution-journal.ts";
import { KernelServer } from "../kernels/kernel-server.ts";
import type { KernelSpec } from "../kernels/models.ts";
import { phrase } from "../phrase.ts";
import { WordedError } from "../worded-error.ts";

/** Milliseconds between two looks at whether the run has begun. */
const pauseMs = 250;
/** Milliseconds for the start of the kernel and the program. */
const startTimeoutMs = 120_000;
/** Name of the variable with the outcome, in the kernel of the run. */
const variable = "_platform_workbench_run";
/** Name of the program's package, in the kernel of the run. */
const packageName = "platform_workbench_run";
const folder = "notebook_run.";

/** What to run. */
export interface RunRequest {
  /** The content path of the notebook. */
  readonly path: string;
  /** The content path of the executed notebook, in the same folder. */
  readonly target: string;
  /** Python literals by name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The kernel spec for the cells. */
  readonly kernel: KernelSpec;
  /** The kernel spec for the program: the same, if it is Python's. */
  readonly programKernel: KernelSpec;
}

/** A run that has begun. */
export interface StartedRun {
  readonly sessionId: string;
  readonly kernelId: string;
}

/**
 * Starts a run in a session of its own, at the path of the executed notebook. Resolves when the executed notebook exists:
 * from then on, the run needs no client. Throws a WordedError if the program refuses, or a PlatformError. Nothing is left
 * behind then.
 */
export async function startRun(
  client: () => Promise<ContentClient>,
  request: RunRequest,
  signal: AbortSignal,
): Promise<StartedRun> {
  const { target, programKernel } = request;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(startTimeoutMs)]);
  const server = new KernelServer(client);
  const session = await server.openSession(target, { type: "new", specName: programKernel.name }, { signal });
  const kernelId = session.kernel?.id;
  try {
    if (kernelId === undefined) {
      throw new WordedError(phrase`Can't run ${nameOf(request.path)}: the server didn't start a kernel.`);
    }
    const connection = await openKernelConnection({ client, kernelId, journal: noJournal, recorder: "off" });
    const aborted = Promise.withResolvers<never>();
    // Afterward, nobody waits for it.
    aborted.promise.catch(() => undefined);
    limit.addEventListener("abort", () => aborted.reject(limit.reason), { once: true });
    try {
      // Before its first reply, a kernel accepts no request.
      await Promise.race([connection.ready(), aborted.promise]);
      const refused = connection
        .request("shell", "execute_request", {
          code: codeOf(request),
          silent: true,
          store_history: false,
          allow_stdin: false,
          stop_on_error: false,
          user_expressions: { status: variable },
        })
        .then(({ content }) => refusal(content));
      // If the connection is lost after the beginning, the run continues.
      const ended = refused.catch(() => undefined);
      let reason: string | undefined;
      void ended.then((found) => {
        reason = found;
      });
      while (reason === undefined && !(await exists(await client(), target, limit))) {
        await delay(pauseMs, undefined, { signal: limit });
      }
      if (reason !== undefined) {
        throw new WordedError(phrase`Can't run ${nameOf(request.path)}: ${reason}.`);
      }
    } finally {
      connection.dispose();
    }
    return { sessionId: session.id, kernelId };
  } catch (error) {
    await server.endSession(session.id).catch(() => undefined);
    signal.throwIfAborted();
    throw limit.aborted
      ? new WordedError(phrase`Can't run ${nameOf(request.path)}: the kernel didn't start the run in time.`)
      : error;
  }
}

function codeOf({ path, target, parameters, kernel, programKernel }: RunRequest): string {
  const job = {
    source: nameOf(path),
    target: nameOf(target),
    parameters,
    kernel: kernel.name === programKernel.name ? null : kernel.name,
  };
  const sources = Object.entries(packages)
    .filter(([name]) => name.startsWith(folder))
    .map(([name, source]) => [name.slice(folder.length), source]);
  const literal = (value: unknown): string => `json.loads(${asciiLiteral(JSON.stringify(value))})`;
  return [
    loader,
    `add_package("${packageName}", ${literal(Object.fromEntries(sources))})`,
    `from ${packageName}.run import execute`,
    `${variable} = execute(${literal(job)})\n`,
  ].join("\n\n");
}

async function exists(client: ContentClient, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.call(getContent, { path, content: 0, no_track_activity: 1 }, { signal });
    return true;
  } catch (error) {
    if (hasStatus(error, 404)) {
      return false;
    }
    throw error;
  }
}

const reply = z.looseObject({
  status: z.string(),
  evalue: z.optional(z.string()),
  user_expressions: z.optional(
    z.looseObject({ status: z.optional(z.looseObject({ data: z.optional(z.record(z.string(), z.unknown())) })) }),
  ),
});
const outcome = z.looseObject({ state: z.string(), reason: z.optional(z.string()) });

/** Why the program has not begun the run. Undefined if it has. */
function refusal(content: unknown): string | undefined {
  const { data } = z.safeParse(reply, content);
  if (data?.status !== "ok") {
    return (data?.evalue ?? "the program failed").slice(0, 500);
  }
  const digits = /^'([0-9a-f]{2,8000})'$/.exec(String(data.user_expressions?.status?.data?.["text/plain"] ?? ""))?.[1];
  try {
    const said = z.parse(outcome, JSON.parse(Buffer.from(digits ?? "", "hex").toString("utf8")));
    return said.state === "refused" ? (said.reason ?? "").slice(0, 500) : undefined;
  } catch {
    return "the kernel gave an invalid reply";
  }
}
