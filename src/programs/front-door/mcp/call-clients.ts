import type { ContentClient } from "../../../api/client/client.ts";
import { Client, type PlatformClient } from "../../../api/client/client.ts";
import { readContentServer } from "../../../api/families/content-server-location.ts";
import { shortIdOf } from "../../../api/families/workspaces.ts";
import type { AnswerLimits } from "../../../api/http/answer-limits.ts";
import { isConfidential, NotebookToken } from "../../../api/http/credentials.ts";
import { causeOf } from "../../../api/http/errors.ts";
import { silentLog } from "../../../api/http/log.ts";
import type { Transport } from "../../../api/http/transport.ts";
import type { Configuration } from "../config/configuration.ts";
import { type ToolClients, ToolError } from "./tool.ts";
import type { Caller } from "./tool-handler.ts";

const megabyte = 1024 * 1024;

/**
 * What is read of an answer: as values JSON takes many times its length, and much more than this, a few times at once,
 * would end the process for everybody. More values than these block the event loop for longer than 100 ms. An archive
 * stays as it came.
 */
export const answerLimits: AnswerLimits = {
  jsonBytes: 8 * megabyte,
  bytes: 32 * megabyte,
  values: 50_000,
  depth: 100,
};

/** The clients of one call, and the secrets that no answer of it may have in it. */
export interface CallClients extends ToolClients {
  readonly secrets: readonly string[];
  /** Forgets a credential that was refused: the next call has it fetched afresh. */
  forgetRefused(error: unknown): void;
}

/** Clients that act as the caller, each with a credential for one origin alone. */
export function createCallClients(
  configuration: Configuration,
  transport: Transport,
  caller: Caller,
  signal: AbortSignal,
): CallClients {
  const { dialect, contentServer } = configuration.platform;
  const { slug, notebookSlug } = configuration.credentials;
  const secrets = [caller.platformCredential.reveal()];
  let usedNotebookSlug: string | undefined;
  const platformClient: PlatformClient = new Client(
    {
      kind: "platform",
      base: caller.platformUrl,
      dialect,
      credential: caller.platformCredential,
      limits: answerLimits,
    },
    transport,
    silentLog,
  );

  async function content(workspaceId: string): Promise<ContentClient> {
    const { workspace, location } = await readContentServer(platformClient, workspaceId, contentServer, { signal });
    const name = workspace.name ?? workspaceId;
    if (location.type === "notRunning") {
      throw new ToolError(
        "workspace",
        `The workspace ${name} is not running. Start it with workspaces_instances_start.`,
      );
    }
    if (location.type === "unknown" || !mayReach(location.base, caller.platformUrl)) {
      const reason = location.type === "unknown" ? location.reason : `${location.base.origin} is not allowed`;
      throw new ToolError("workspace", `The content server of ${name} cannot be found: ${reason}.`);
    }
    const wantedSlug = notebookSlug.replaceAll("{workspace_short_id}", shortIdOf(workspace.id).toLowerCase());
    const stored = await caller.credential(wantedSlug);
    if (stored.outcome !== "found") {
      throw notebookTokenError(stored.outcome, name, wantedSlug);
    }
    usedNotebookSlug = wantedSlug;
    secrets.push(stored.secret);
    const credential = new NotebookToken(location.base.origin, stored.secret);
    return new Client(
      { kind: "notebook", base: location.base, dialect, credential, limits: answerLimits },
      transport,
      silentLog,
    );
  }

  return {
    signal,
    secrets,
    platform: async () => platformClient,
    content,
    forgetRefused(error) {
      const cause = causeOf(error);
      if (cause?.type === "status" && cause.status === 401) {
        caller.forget(slug);
      }
      if (cause?.type === "tokenRefused" && usedNotebookSlug !== undefined) {
        caller.forget(usedNotebookSlug);
      }
    },
  };
}

/** A platform that is elsewhere does not send this server to itself. */
function mayReach(base: URL, platform: URL): boolean {
  return isConfidential(base) && (base.protocol === "https:" || platform.protocol === "http:");
}

function notebookTokenError(outcome: "missing" | "unreadable" | "unavailable", name: string, slug: string): ToolError {
  switch (outcome) {
    case "missing":
      return new ToolError(
        "credential",
        `No notebook token is stored for the workspace ${name}. Have one stored as ${slug}, then try again.`,
      );
    case "unreadable":
      return new ToolError("credential", `The stored notebook token ${slug} cannot be read. Have it stored again.`);
    case "unavailable":
      return new ToolError("dependency", `The stored notebook token ${slug} cannot be fetched now. Try again later.`);
  }
}
