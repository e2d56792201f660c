import type { ContentClient } from "../../../api/client/client.ts";
import { Client, type PlatformClient } from "../../../api/client/client.ts";
import { onOneLine } from "../../../api/displayed-text.ts";
import { readContentServer } from "../../../api/families/content-server-location.ts";
import { shortIdOf } from "../../../api/families/workspaces.ts";
import { NotebookToken } from "../../../api/http/credentials.ts";
import { causeOf, hasStatus } from "../../../api/http/errors.ts";
import { silentLog } from "../../../api/http/log.ts";
import { createRedaction, longEnough } from "../../../api/http/redaction.ts";
import type { Transport } from "../../../api/http/transport.ts";
import { lazy } from "../../../api/lazy.ts";
import { shortened } from "../../../api/text.ts";
import { type Configuration, withTenant } from "../config/configuration.ts";
import { mayReach } from "../credential/content-server-address.ts";
import { checkId } from "./operation-call.ts";
import { contentLimits, platformLimits } from "./response-limits.ts";
import { type ToolClients, ToolError } from "./tool.ts";
import type { Caller, ToolRequest } from "./tool-handler.ts";

/** The clients of one call, and the secrets that must not appear in its result. */
export interface CallClients extends ToolClients {
  readonly secrets: readonly string[];
  /**
   * The error for the caller. For a rejected credential, it explains that the stored one was rejected. Discards a
   * notebook token that was rejected.
   */
  explainRefusal(error: unknown): unknown;
}

/** Maximum length of a workspace name in an error, in characters. */
const maxNameLength = 100;

/** Creates clients that act as the caller. Each credential is for one origin only. */
export function createCallClients(
  configuration: Configuration,
  whole: Transport,
  { caller, share, signal }: Pick<ToolRequest, "caller" | "share" | "signal">,
): CallClients {
  const transport = share.limited(whole);
  const { dialect, contentServer } = configuration.platform;
  const notebookSlug = withTenant(configuration.credentials.notebookSlug, caller.tenant);
  const secrets = [caller.platformCredential.reveal()];
  let usedNotebookSlug: string | undefined;
  const platformClient: PlatformClient = new Client(
    {
      kind: "platform",
      base: caller.platformUrl,
      dialect,
      credential: caller.platformCredential,
      limits: platformLimits,
    },
    renewing(transport, caller, secrets),
    silentLog,
  );

  async function content(workspaceId: string): Promise<ContentClient> {
    checkId("workspaceId", workspaceId);
    const { workspace, location } = await readContentServer(platformClient, workspaceId, contentServer, { signal });
    const name = shortened(onOneLine(workspace.name ?? workspaceId), maxNameLength);
    if (location.type === "notRunning") {
      throw new ToolError(
        "workspace",
        `The workspace ${name} is not running. Start it with workspaces_instances_start.`,
      );
    }
    if (location.type === "unknown" || !mayReach(location.base, caller.platformUrl, configuration.platform)) {
      const reason = location.type === "unknown" ? location.reason : `${location.base.origin} is not allowed`;
      throw new ToolError("workspace", `The content server of ${name} can't be found: ${reason}.`);
    }
    const shortId = shortIdOf(workspace.id).toLowerCase();
    // A tenant's platform controls the ids of its workspaces, and an id must not result in the slug of another tenant's
    // token.
    if (caller.tenant !== undefined && !/^[a-z0-9]+$/.test(shortId)) {
      throw new ToolError("workspace", `The workspace ${name} has an ID under which no notebook token can be stored.`);
    }
    const wantedSlug = notebookSlug.replaceAll("{workspace_short_id}", () => shortId);
    const stored = await caller.credential(wantedSlug);
    if (stored.outcome !== "found") {
      throw notebookTokenError(stored.outcome, name, wantedSlug);
    }
    usedNotebookSlug = wantedSlug;
    secrets.push(stored.secret);
    const credential = new NotebookToken(location.base.origin, stored.secret);
    return new Client(
      { kind: "notebook", base: location.base, dialect, credential, limits: contentLimits },
      transport,
      silentLog,
    );
  }

  return {
    person: JSON.stringify([caller.issuer, caller.subject]),
    redacted: (text) => createRedaction(longEnough(secrets), "given").text(text),
    signal,
    secrets,
    platform: async () => platformClient,
    content,
    explainRefusal(error) {
      if (share.refusal !== undefined) {
        return share.refusal;
      }
      if (hasStatus(error, 401)) {
        const reason = "the platform rejected the stored credential (401)";
        return error.with({ reason, remedy: "Store a new one, then try again." });
      }
      const cause = causeOf(error);
      if (cause?.type === "tokenRefused" && usedNotebookSlug !== undefined) {
        caller.deleteCredential(usedNotebookSlug);
      }
      return error;
    },
  };
}

/**
 * A transport that fetches a rejected platform credential again, once per call, and retries the request if it has
 * changed. This is safe for all requests, because a request with a 401 was not processed.
 */
function renewing(transport: Transport, caller: Caller, secrets: string[]): Transport {
  let current = caller.platformCredential;
  const renew = lazy(async () => {
    const renewed = await caller.renewPlatformCredential();
    if (renewed !== undefined) {
      secrets.push(renewed.reveal());
      current = renewed;
    }
  });
  return {
    async send(request) {
      const used = current;
      const response = await transport.send({ ...request, credential: used });
      if (response.status !== 401) {
        return response;
      }
      await renew();
      return current.reveal() === used.reveal() ? response : transport.send({ ...request, credential: current });
    },
    close: () => transport.close(),
  };
}

function notebookTokenError(outcome: "missing" | "unreadable" | "unavailable", name: string, slug: string): ToolError {
  switch (outcome) {
    case "missing":
      return new ToolError(
        "credential",
        `No notebook token is stored for the workspace ${name}. Store one as ${slug}, then try again.`,
      );
    case "unreadable":
      return new ToolError("credential", `The stored notebook token ${slug} can't be read. Store it again.`);
    case "unavailable":
      return new ToolError(
        "dependency",
        `The stored notebook token ${slug} can't be fetched right now. Try again later.`,
      );
  }
}
