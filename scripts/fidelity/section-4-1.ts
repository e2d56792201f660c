import { type FidelitySection, operation, statement } from "./statement.ts";

/** Notebook workspaces. */
export const section41: FidelitySection = {
  number: "4.1",
  title: "Notebook workspaces",
  statements: [
    statement("Path parameters are strings, each a single segment", {
      code: ["src/api/catalogue/content-path.ts#encodeSegment"],
      reach: ["command:runOperation"],
      served: ["src/programs/sample-tenant/router.ts#Router"],
      proof: [
        "test/unit/api/catalogue/content-path.test.ts > keeps a segment a single segment",
        "test/contract/bad-input.test.ts > rejects an invalid parameter by name",
      ],
    }),
    statement("The standard authentication applies everywhere except the content server and the front door", {
      code: ["src/api/client/request.ts#prepareRequest"],
      reach: ["command:signIn"],
      served: ["src/programs/sample-tenant/platform-requests.ts#PlatformRequests"],
      proof: [
        "test/contract/coverage.test.ts > uses the notebook token for content servers, the internal secret for the front door, and the platform's credential for all others",
      ],
    }),
    operation("workspaces.settings.get", "GET settings returns the instance settings"),
    operation("workspaces.namespace.get", "GET workspaces/user returns the namespace"),
    operation("workspaces.get", "GET a workspace returns it", { reach: ["view:workspaces"] }),
    operation("workspaces.instances.start", "POST instances starts a workspace, without a body", {
      reach: ["command:startWorkspace"],
    }),
    operation("workspaces.instances.start", "A start reports the text `workspace started`", {
      code: ["src/api/families/operation-outcome.ts#runOperation", "src/tenants/workspace-lifecycle.ts#startAndWait"],
      reach: ["command:startWorkspace", "program:command-line"],
      proof: [
        "test/unit/api/families/operation-outcome.test.ts > starts a workspace with the description's text",
        "test/contract/command-line.test.ts > reports the three outcomes of a start",
        "test/front-door/tools.test.ts > reports the three outcomes of a start",
      ],
    }),
    operation("workspaces.update", "PUT a workspace takes a configuration object and returns the updated one", {
      reach: ["command:editConfiguration"],
      proof: [
        "test/ui/shared-window/configuration.test.ts > sends the complete configuration after Send, and changes nothing else on the platform",
      ],
    }),
    operation("workspaces.search", "Workspaces are listed, by a path that the description does not show", {
      reach: ["view:workspaces"],
    }),
    statement("The notebook token is found by a helper that the description does not show", {
      code: ["src/features/workspaces/notebook-token-prompt.ts#askForNotebookToken"],
      reach: ["command:setNotebookToken"],
      served: ["src/programs/sample-tenant/tokens.ts#Tokens"],
      proof: [
        "test/ui/tokens.test.ts > is requested when the workspace is opened, with instructions on where to find it and which server receives it",
      ],
      open: { code: "No source has an API for the token: the user enters it." },
    }),
  ],
};
