import { type FidelitySection, operation, rule, statement } from "./statement.ts";

/** Notebook workspaces. */
export const section41: FidelitySection = {
  number: "4.1",
  title: "Notebook workspaces",
  statements: [
    statement("Path parameters are strings, each a single segment", {
      code: ["src/api/catalogue/content-path.ts#encodeSegment"],
      reach: ["command:runOperation"],
      served: ["src/programs/sample-tenant/router.ts#Router"],
    }),
    statement("The standard authentication applies everywhere except the content server and the front door", {
      code: ["src/api/client/request.ts#prepareRequest"],
      reach: ["command:signIn"],
      served: ["src/programs/sample-tenant/platform-requests.ts#PlatformRequests"],
    }),
    operation("workspaces.settings.get", "GET settings returns the instance settings"),
    operation("workspaces.namespace.get", "GET workspaces/user returns the namespace"),
    operation("workspaces.get", "GET a workspace returns it", { reach: ["view:workspaces"] }),
    operation("workspaces.instances.start", "POST instances starts a workspace, without a body", {
      reach: ["command:startWorkspace"],
    }),
    rule("workspaces.instances.start", "A start reports the text `workspace started`", {
      code: [
        "src/api/families/operation-outcome.ts#runOperation",
        "src/tenants/workspaces/workspace-lifecycle.ts#startAndWait",
      ],
      reach: ["command:startWorkspace", "program:command-line"],
    }),
    rule("workspaces.update", "PUT a workspace takes a configuration object and returns the updated one", {
      reach: ["command:editConfiguration"],
    }),
    operation("workspaces.search", "Workspaces are listed, by a path that the description does not show", {
      reach: ["view:workspaces"],
    }),
    statement("The notebook token is found by a helper that the description does not show", {
      code: ["src/features/workspaces/notebook-token-prompt.ts#askForNotebookToken"],
      reach: ["command:setNotebookToken"],
      served: ["src/programs/sample-tenant/tokens.ts#Tokens"],
      open: { code: "No source has an API for the token: the user enters it." },
    }),
  ],
};
