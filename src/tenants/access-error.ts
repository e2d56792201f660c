import type { Text } from "../api/phrase.ts";
import { WordedError } from "../api/worded-error.ts";

/** Why a tenant or a workspace's content server cannot be asked at all, and what a person can do about it. */
export type AccessProblem =
  | { readonly type: "unknownTenant"; readonly tenantId: string }
  | { readonly type: "signedOut"; readonly tenantId: string }
  | { readonly type: "notRunning"; readonly tenantId: string; readonly workspaceId: string }
  | { readonly type: "noToken"; readonly tenantId: string; readonly workspaceId: string; readonly origin: string }
  | { readonly type: "noAddress"; readonly tenantId: string; readonly workspaceId: string };

/** Thrown before a request is made, because one more thing is needed from the person. */
export class AccessError extends WordedError {
  override readonly name = "AccessError";
  readonly problem: AccessProblem;

  constructor(problem: AccessProblem, text: Text) {
    super(text);
    this.problem = problem;
  }
}
