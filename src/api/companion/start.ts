import { getContent } from "../catalogue/operations/contents.ts";
import type { ContentClient } from "../client/client.ts";
import { hasStatus } from "../http/errors.ts";
import type { Log } from "../http/log.ts";
import type { KernelConnection } from "../kernels/connection/connection.ts";
import { openKernelConnection } from "../kernels/connection/open-connection.ts";
import { noJournal } from "../kernels/executions/execution-journal.ts";
import { companionPathPrefix, KernelServer } from "../kernels/kernel-server.ts";
import type { KernelInformation, KernelSession } from "../kernels/models.ts";
import { isIPython } from "../kernels/protocol/kernel-features.ts";
import { endSessionAfterStart } from "../kernels/session-end.ts";
import { fieldsOf, stringField } from "../kernels/wire/message-codec.ts";
import { phrase } from "../phrase.ts";
import type { Presence } from "../presence.ts";
import { Companion } from "./companion.ts";
import { CompanionUnavailableError } from "./errors.ts";
import { compareWorkspace, maxComparedNames } from "./operations/workspace.ts";
import { installation, otherKernel, pythonOf, statusOf } from "./program.ts";

/** The name of the kernel where people see it, such as in JupyterLab's list. */
const companionName = "Platform Workbench companion";
/** Maximum size of a message from the companion, in bytes: it sends no larger ones. */
const maxMessageBytes = 32 * 1024 * 1024;

export interface CompanionStart {
  /** Returns the content server's client. Called for each request and for each attempt to connect. */
  readonly client: () => Promise<ContentClient>;
  /** Identifies the windows that share the companion: up to 32 letters and digits. */
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly presence?: Presence;
  /** Milliseconds between attempts to connect, for tests. */
  readonly times?: Parameters<typeof openKernelConnection>[0]["times"];
}

/** The companion with the session that owns its kernel. */
export interface StartedCompanion {
  readonly companion: Companion;
  readonly sessionId: string;
}

/**
 * Connects to the companion of a workspace, and starts it if it isn't running. The server has one for all windows with
 * the same `owner`. Rejects with a CompanionUnavailableError, with the signal's reason, or with a PlatformError if the
 * server can't be reached.
 */
export async function startCompanion(options: CompanionStart): Promise<StartedCompanion> {
  const { client, owner, signal, log, presence, times } = options;
  const server = new KernelServer(client);
  const content = await client();
  const session = await openSession(server, owner, signal);
  const kernelId = session.kernel?.id;
  if (kernelId === undefined) {
    throw new CompanionUnavailableError("refused", phrase`The server didn't start the companion.`);
  }
  // Possibly after signing out, so with the client from before.
  const end = (): Promise<void> =>
    endCompanion(async () => content, { sessionId: session.id, kernelId }, { isForced: false });
  if (signal.aborted) {
    await end();
    signal.throwIfAborted();
  }
  const connection = await openKernelConnection({
    client,
    kernelId,
    journal: noJournal,
    recorder: "off",
    messageBytes: maxMessageBytes,
    log,
    ...(presence === undefined ? {} : { presence }),
    ...(times === undefined ? {} : { times }),
  });
  const dispose = (): void => connection.dispose();
  signal.addEventListener("abort", dispose, { once: true });
  try {
    const companion = new Companion(connection, await install(connection));
    signal.throwIfAborted();
    await requireFiles(companion, content, signal);
    return { companion, sessionId: session.id };
  } catch (error) {
    connection.dispose();
    if (signal.aborted) {
      await connection.closed;
      await end();
      signal.throwIfAborted();
    }
    if (error instanceof CompanionUnavailableError) {
      // A kernel that can't be the companion is of no use to anybody.
      await server.endSession(session.id);
    }
    throw error;
  } finally {
    signal.removeEventListener("abort", dispose);
  }
}

/** Ends the companion, unless another window is connected to it. Call this after the own connection is closed. */
export async function endCompanion(
  client: () => Promise<ContentClient>,
  { sessionId, kernelId }: { readonly sessionId: string; readonly kernelId: string },
  options: { readonly isForced: boolean },
): Promise<void> {
  const server = new KernelServer(client);
  await endSessionAfterStart(server, sessionId, async () => {
    const kernel = options.isForced ? undefined : await server.kernel(kernelId);
    return kernel === undefined || kernel.connections === 0;
  });
}

/** The session of the companion, with a kernel that the server starts if it has none. */
async function openSession(server: KernelServer, owner: string, signal: AbortSignal): Promise<KernelSession> {
  const support = await server.support();
  if (support.type === "none") {
    throw new CompanionUnavailableError("noKernels", phrase`The content server has no kernels.`);
  }
  const isPython = ({ language }: { readonly language: string }): boolean => language.toLowerCase() === "python";
  const python = support.specs.filter(isPython);
  const spec = python.find(({ name }) => name === support.defaultName) ?? python[0];
  if (spec === undefined) {
    throw new CompanionUnavailableError("noPython", phrase`The content server has no Python kernel.`);
  }
  const path = `${companionPathPrefix}${owner}`;
  signal.throwIfAborted();
  try {
    // It isn't canceled: the server would start the kernel, and nobody would end it.
    return await server.openConsole(path, companionName, spec.name);
  } catch (error) {
    if (hasStatus(error, 403) || hasStatus(error, 500)) {
      throw new CompanionUnavailableError("refused", phrase`The server refused to start the companion.`);
    }
    throw error;
  }
}

/** Throws unless the companion sees the files of the content server, which may have them elsewhere. */
async function requireFiles(companion: Companion, client: ContentClient, signal: AbortSignal): Promise<void> {
  const { content } = await client.call(getContent, { path: "", content: 1 }, { signal });
  const children = (Array.isArray(content) ? content : []).slice(0, maxComparedNames);
  const names = children.flatMap((child) => (typeof child?.name === "string" ? [child.name] : []));
  const { present } = await companion.request(compareWorkspace, { names }, { signal });
  // Some may have been deleted meanwhile.
  if (present * 2 < names.length) {
    throw new CompanionUnavailableError("otherFiles", phrase`The companion sees other files than the content server.`);
  }
}

/** Installs the program. Returns the version of Python. */
async function install(connection: KernelConnection): Promise<string> {
  if (!isIPython(await ready(connection))) {
    throw otherKernel();
  }
  const { code, expression } = installation();
  const { content } = await connection.request("shell", "execute_request", {
    code,
    silent: true,
    store_history: false,
    allow_stdin: false,
    stop_on_error: false,
    user_expressions: { status: expression },
  });
  if (content.status !== "ok") {
    const reason = stringField(content.evalue).slice(0, 500);
    throw new CompanionUnavailableError("refused", phrase`The companion's program failed: ${reason}.`);
  }
  const value = fieldsOf(fieldsOf(content.user_expressions).status);
  const status = statusOf(stringField(fieldsOf(value.data)["text/plain"]));
  return pythonOf(status);
}

/** Resolves when the kernel has replied. Rejects if it ends before. */
async function ready(connection: KernelConnection): Promise<KernelInformation> {
  const ended = Promise.withResolvers<never>();
  const refuse = (): void =>
    ended.reject(new CompanionUnavailableError("refused", phrase`The companion's kernel ended while it started.`));
  const subscriptions = [
    connection.onState((state) => {
      if (state.type === "kernelDead") {
        refuse();
      } else if (state.type === "credentialRejected") {
        ended.reject(new CompanionUnavailableError("refused", state.reason));
      }
    }),
    connection.onKernel(({ type }) => (type === "activity" ? undefined : refuse())),
  ];
  try {
    return await Promise.race([connection.ready(), ended.promise]);
  } finally {
    for (const subscription of subscriptions) {
      subscription.dispose();
    }
  }
}
