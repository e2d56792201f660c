import type { ContentClient } from "../../api/client/client.ts";
import { causeOf } from "../../api/http/errors.ts";
import { AccessError } from "../../tenants/access-error.ts";
import type { Connections } from "../../tenants/connections.ts";

/** How the content server of one workspace is reached. */
export interface ContentAccess {
  /** A client; throws an AccessError when something is needed from the person first. */
  connect(): Promise<ContentClient>;
  /** Forgets the address and finds it anew. True when it differs from the one before. */
  relocate(): Promise<boolean>;
}

interface RequestHooks {
  /** Ends the saves that were interrupted earlier; undefined when there are none. */
  readonly endInterruptedSaves: (client: ContentClient) => Promise<void> | undefined;
  /** The server did what it was asked. */
  readonly onAnswered: () => void;
}

/** The requests to the content server of one workspace. */
export class ServerRequests {
  readonly #access: ContentAccess;
  readonly #hooks: RequestHooks;
  #ending = Promise.resolve();

  constructor(access: ContentAccess, hooks: RequestHooks) {
    this.#access = access;
    this.#hooks = hooks;
  }

  /**
   * Does the work with a client. When the server has moved to another address, the work is repeated there: none of it has
   * reached a content server then. Saves that were interrupted earlier are ended first, and all requests wait for that.
   */
  async request<T>(work: (client: ContentClient) => Promise<T>): Promise<T> {
    const client = await this.#access.connect();
    await this.#endInterruptedSaves(client);
    let result: T;
    try {
      result = await work(client);
    } catch (error) {
      if (!isAtWrongAddress(error) || !(await this.#access.relocate())) {
        throw error;
      }
      result = await work(await this.#access.connect());
    }
    this.#hooks.onAnswered();
    return result;
  }

  async #endInterruptedSaves(client: ContentClient): Promise<void> {
    const ending = this.#hooks.endInterruptedSaves(client);
    if (ending !== undefined) {
      this.#ending = ending;
      // A failure stops the requests that waited for it, and no later ones.
      ending.catch(() => {
        if (this.#ending === ending) {
          this.#ending = Promise.resolve();
        }
      });
    }
    await this.#ending;
  }
}

/** Answers that a workspace's own content server does not give; none of them comes after it did anything. */
function isAtWrongAddress(error: unknown): boolean {
  const cause = causeOf(error);
  return cause?.type === "workspaceNotRunning" || (cause?.type === "network" && !cause.reachedServer);
}

/** How long an AccessError answers everybody who asks, in milliseconds. */
const problemServesFor = 5_000;

/**
 * The access to a tenant's workspace. The editor looks for dozens of files at once, so one answer about a workspace that
 * cannot be reached serves all of them. `reset` forgets that answer: the person may have solved the problem.
 */
export function workspaceAccess(
  connections: Pick<Connections, "content" | "contentServer" | "forget">,
  tenantId: string,
  workspaceId: string,
  now: () => number = Date.now,
): ContentAccess & { reset(): void } {
  let problem: { readonly error: AccessError; readonly at: number } | undefined;
  return {
    connect: async () => {
      if (problem !== undefined && now() - problem.at < problemServesFor) {
        throw problem.error;
      }
      try {
        return await connections.content(tenantId, workspaceId);
      } catch (error) {
        if (error instanceof AccessError) {
          problem = { error, at: now() };
        }
        throw error;
      }
    },
    relocate: async () => {
      const before = await connections.contentServer(tenantId, workspaceId);
      await connections.forget(tenantId, workspaceId);
      const after = await connections.contentServer(tenantId, workspaceId);
      return before.href !== after.href;
    },
    reset: () => {
      problem = undefined;
    },
  };
}
