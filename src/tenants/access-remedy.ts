import type { AccessObstacle, AccessPlace } from "./access-obstacle.ts";

/** An action of the user that resolves an obstacle. Messages offer it as a button or a link. */
export type AccessRemedy =
  | { readonly type: "addTenant" }
  | { readonly type: "signIn"; readonly tenantId: string }
  | { readonly type: "enterToken"; readonly tenantId: string; readonly workspaceId: string }
  | { readonly type: "start"; readonly tenantId: string; readonly workspaceId: string }
  | { readonly type: "openProxySettings" }
  | {
      readonly type: "openInBrowser";
      readonly tenantId: string;
      /** The workspace that can be started once the page has been opened. */
      readonly workspaceId: string | undefined;
      readonly address: string;
    };

/** The remedy for an obstacle at this place; undefined if the user can't resolve it, or if the place is unknown. */
export function remedyOf(obstacle: AccessObstacle, { tenantId, workspaceId }: AccessPlace): AccessRemedy | undefined {
  switch (obstacle.type) {
    case "unknownTenant":
      return { type: "addTenant" };
    case "signedOut":
    case "credentialRefused":
      return tenantId === undefined ? undefined : { type: "signIn", tenantId };
    case "stopped":
      return tenantId === undefined || workspaceId === undefined ? undefined : { type: "start", tenantId, workspaceId };
    case "noToken":
    case "tokenRefused":
      return tenantId === undefined || workspaceId === undefined
        ? undefined
        : { type: "enterToken", tenantId, workspaceId };
    case "visitRequired":
      return tenantId === undefined
        ? undefined
        : { type: "openInBrowser", tenantId, workspaceId, address: obstacle.address };
    case "unreachable":
      return obstacle.isProxyProblem ? { type: "openProxySettings" } : undefined;
    case "noAddress":
      return undefined;
  }
}

/** A command of the editor and its arguments, as `executeCommand` takes them. */
export type RemedyCommand = readonly [id: string, ...parameters: unknown[]];

/** The command that a remedy runs. */
export function commandOf(remedy: Exclude<AccessRemedy, { readonly type: "openInBrowser" }>): RemedyCommand {
  switch (remedy.type) {
    case "addTenant":
      return ["platformWorkbench.addTenant"];
    case "signIn":
      return ["platformWorkbench.signIn", { tenantId: remedy.tenantId }];
    case "enterToken":
      return ["platformWorkbench.setNotebookToken", workspaceOf(remedy)];
    case "start":
      return ["platformWorkbench.startWorkspace", workspaceOf(remedy)];
    case "openProxySettings":
      return ["workbench.action.openSettings", "@id:http.proxy,http.proxyAuthorization"];
  }
}

function workspaceOf({ tenantId, workspaceId }: { readonly tenantId: string; readonly workspaceId: string }): unknown {
  return { tenantId, workspaceId };
}
