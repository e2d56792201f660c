import type { ContentClient } from "../../api/client/client.ts";
import { causeOf } from "../../api/http/errors.ts";
import { AccessError, accessObstacle } from "../../tenants/access-obstacle.ts";
import type { Connections } from "../../tenants/connections.ts";

/** The access to the content server of one workspace. */
export interface ContentAccess {
  /** A client. Throws an AccessError if the user must provide something first. */
  connect(): Promise<ContentClient>;
  /** Finds the address again. Resolves with true if it has changed. */
  relocate(): Promise<boolean>;
}

interface RequestHooks {
  /** Finishes saves that were interrupted earlier; undefined if there are none. */
  readonly endInterruptedSaves: (client: ContentClient) => Promise<void> | undefined;
  /** Called when the server has responded to a request. */
  readonly onResponse: () => void;
}

/** Sends requests to the content server of one workspace. */
export class ServerRequests {
  readonly #access: ContentAccess;
  readonly #hooks: RequestHooks;
  #ending = Promise.resolve();

  constructor(access: ContentAccess, hooks: RequestHooks) {
    this.#access = access;
    this.#hooks = hooks;
  }

  /**
   * Runs the work with a client. If the server has moved to another address, repeats the work there, because no part of
   * it has reached a content server. Finishes interrupted saves first; all requests wait for that.
   */
  async request<T>(work: (client: ContentClient) => Promise<T>): Promise<T> {
    const client = await this.#access.connect();
    await this.#endInterruptedSaves(client);
    let result: T;
    try {
      result = await work(client);
    } catch (error) {
      if (!isAtWrongAddress(error) || !(await this.#hasMoved())) {
        throw error;
      }
      result = await work(await this.#access.connect());
    }
    this.#hooks.onResponse();
    return result;
  }

  /** False if the platform, which knows the address, can't be reached either: the first error is about the operation. */
  async #hasMoved(): Promise<boolean> {
    try {
      return await this.#access.relocate();
    } catch (error) {
      if (accessObstacle(error)?.type === "unreachable") {
        return false;
      }
      throw error;
    }
  }

  async #endInterruptedSaves(client: ContentClient): Promise<void> {
    const ending = this.#hooks.endInterruptedSaves(client);
    if (ending !== undefined) {
      this.#ending = ending;
      // A failure affects the requests that waited for it, but not later ones.
      ending.catch(() => {
        if (this.#ending === ending) {
          this.#ending = Promise.resolve();
        }
      });
    }
    await this.#ending;
  }
}

/** True for responses that are not from the workspace's own server, which means that nothing was done. */
function isAtWrongAddress(error: unknown): boolean {
  const cause = causeOf(error);
  return cause?.type === "workspaceNotRunning" || (cause?.type === "network" && !cause.reachedServer);
}

/** Milliseconds for which an AccessError is reused. */
const problemFreshMs = 5_000;

/**
 * The access to a tenant's workspace. The editor probes dozens of files at once, so the error of an unreachable
 * workspace is reused for a while. `reset` clears it, because the user may have resolved the problem.
 */
export function workspaceAccess(
  connections: Pick<Connections, "content" | "relocateContentServer">,
  tenantId: string,
  workspaceId: string,
  now: () => number = () => performance.now(),
): ContentAccess & { reset(): void } {
  let problem: { readonly error: AccessError; readonly at: number } | undefined;
  let resets = 0;
  return {
    connect: async () => {
      if (problem !== undefined && now() - problem.at < problemFreshMs) {
        throw problem.error;
      }
      const before = resets;
      try {
        return await connections.content(tenantId, workspaceId);
      } catch (error) {
        if (error instanceof AccessError && before === resets) {
          problem = { error, at: now() };
        }
        throw error;
      }
    },
    relocate: () => connections.relocateContentServer(tenantId, workspaceId),
    reset: () => {
      resets += 1;
      problem = undefined;
    },
  };
}
