import type { Text } from "../api/phrase.ts";
import { WordedError } from "../api/worded-error.ts";

/** Why a tenant or a workspace's content server can't be reached. The user can resolve each problem. */
export type AccessProblem =
  | { readonly type: "unknownTenant"; readonly tenantId: string }
  | { readonly type: "signedOut"; readonly tenantId: string }
  | { readonly type: "notRunning"; readonly tenantId: string; readonly workspaceId: string }
  | { readonly type: "noToken"; readonly tenantId: string; readonly workspaceId: string; readonly origin: string }
  | { readonly type: "noAddress"; readonly tenantId: string; readonly workspaceId: string };

/** Thrown before a request is sent, because the user must take action first. */
export class AccessError extends WordedError {
  override readonly name = "AccessError";
  readonly problem: AccessProblem;

  constructor(problem: AccessProblem, text: Text) {
    super(text);
    this.problem = problem;
  }
}
