import { causeOf } from "../api/http/errors.ts";
import type { Text } from "../api/phrase.ts";
import { WordedError } from "../api/worded-error.ts";

/** What keeps a user from a tenant, or from the files of a workspace. */
export type AccessObstacle =
  /** The tenant isn't in the settings. */
  | { readonly type: "unknownTenant" }
  /** There is no credential for the tenant. */
  | { readonly type: "signedOut" }
  /** The platform rejected the credential. */
  | { readonly type: "credentialRefused" }
  /** The workspace isn't running. */
  | { readonly type: "stopped" }
  /** There is no notebook token for the workspace. */
  | { readonly type: "noToken" }
  /** The content server rejected the notebook token. */
  | { readonly type: "tokenRefused" }
  /** The platform first requires a visit of this web page. */
  | { readonly type: "visitRequired"; readonly address: string }
  /** The address of the workspace's content server is unknown. */
  | { readonly type: "noAddress" }
  /** There was no response from the server itself. */
  | { readonly type: "unreachable"; readonly isProxyProblem: boolean };

/** The tenant and workspace that an obstacle affects, as far as known. */
export interface AccessPlace {
  readonly tenantId?: string;
  readonly workspaceId?: string;
}

/** Thrown before a request is sent, because the user must take action first. */
export class AccessError extends WordedError {
  override readonly name = "AccessError";
  readonly obstacle: AccessObstacle;
  readonly place: AccessPlace;

  constructor(
    type: "unknownTenant" | "signedOut" | "stopped" | "noToken" | "noAddress",
    place: AccessPlace,
    text: Text,
  ) {
    super(text);
    this.obstacle = { type };
    this.place = place;
  }
}

/** The obstacle that an error reports; undefined for all other failures. */
export function accessObstacle(error: unknown): AccessObstacle | undefined {
  if (error instanceof AccessError) {
    return error.obstacle;
  }
  const cause = causeOf(error);
  switch (cause?.type) {
    case "tokenRefused":
      return { type: "tokenRefused" };
    case "workspaceNotRunning":
      return { type: "stopped" };
    case "handshake":
      return { type: "visitRequired", address: cause.address };
    case "network":
      return { type: "unreachable", isProxyProblem: cause.proxy !== undefined };
    case "timeLimit":
      return { type: "unreachable", isProxyProblem: false };
    case "status":
      return cause.status === 401
        ? { type: "credentialRefused" }
        : gatewayStatuses.includes(cause.status)
          ? { type: "unreachable", isProxyProblem: false }
          : undefined;
    default:
      return undefined;
  }
}

/** What a proxy or a gateway responds if the server behind it doesn't. */
const gatewayStatuses: readonly number[] = [502, 503, 504];

/**
 * The obstacle that an error reports, if retrying doesn't help until the user takes action or somebody changes the
 * settings. Undefined for all other failures, also for an outage.
 */
export function lastingObstacle(error: unknown): Exclude<AccessObstacle, { readonly type: "unreachable" }> | undefined {
  const obstacle = accessObstacle(error);
  return obstacle?.type === "unreachable" ? undefined : obstacle;
}

/** True if the user signed out of the tenant or removed it. Its content is no longer shown. */
export function isSignedOut(error: unknown): boolean {
  return (
    error instanceof AccessError && (error.obstacle.type === "signedOut" || error.obstacle.type === "unknownTenant")
  );
}
