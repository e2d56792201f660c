import { type FidelitySection, rule, statement } from "./statement.ts";

/** Errors. */
export const section7: FidelitySection = {
  number: "7",
  title: "Errors",
  statements: [
    statement("Every error has a message, an entity identifier, and the response", {
      code: ["src/api/http/errors.ts#PlatformError"],
      reach: ["command:showLog", "program:command-line"],
      served: ["src/programs/sample-tenant/fault-injection.ts#Faults"],
    }),
    rule("contents.get", "GET content, 403: retrieval error that asks the user to check the notebook token"),
    rule("contents.get", "GET content, 404: not-found error that names the path, whatever the content type", {
      code: ["src/api/client/exchange-errors.ts#responseError"],
      reach: ["scheme:platform-contents"],
    }),
    rule("contents.get", "GET content, other statuses: retrieval error"),
    rule("contents.create", "Create, 403: CRUD error that asks the user to check the token"),
    rule("contents.create", "Create, other statuses of either step: CRUD error, create or create_folder", {
      code: ["src/api/content-server/contents.ts#createItem"],
    }),
    rule("contents.update", "Update, 403: CRUD error that asks the user to check the token"),
    rule("contents.update", "Update, 404: not-found error that names the path, whatever the content type"),
    rule("contents.delete", "Delete, 404: not-found error that names the path, whatever the content type"),
    rule("workspaces.update", "Configuration, 404: not-found error that names the workspace"),
    rule("contents.dataflow.update", "Dataflow, 404: not-found error that names workspace and notebook"),
    rule("contents.delete", "Delete, 403: CRUD error that asks the user to check the token"),
    rule("contents.update", "Update, delete, dataflow, configuration, other statuses: CRUD error with its operation"),
    rule("contents.checkpoints.create", "Create a checkpoint: CRUD error"),
    rule("contents.checkpoints.list", "List checkpoints: retrieval error"),
    rule("workspaces.settings.get", "Settings: retrieval error"),
    rule("workspaces.namespace.get", "Namespace: retrieval error"),
    rule(
      "workspaces.instances.start",
      "Start, 500 or 403: workspace error: no access, not shared, or already started",
      { reach: ["command:startWorkspace"] },
    ),
    rule("workspaces.instances.start", "Start, 403 that requires a browser first: the same error, with both remedies", {
      code: ["src/api/client/exchange-errors.ts#responseError"],
      reach: ["command:startWorkspace"],
    }),
    rule("workspaces.instances.start", "Start, other statuses: workspace error, operation start"),
    rule(
      "workspaces.instances.start",
      "Start, failure during the start: unsuccessful result with status 500, and the text that the workspace is starting",
      {
        code: [
          "src/api/families/workspace-start.ts#startOutcomeOf",
          "src/api/families/operation-outcome.ts#runOperation",
        ],
        reach: ["command:startWorkspace", "program:command-line"],
      },
    ),
    rule("designs.get", "App design reads: app GET error"),
    rule("designs.versions.assets", "Design assets: asset error"),
    rule("designs.versions.assets", "Design assets with the text Not Found: a separate message"),
    rule("designs.admins.add", "Grant design access: app CRUD error"),
    rule("pages.bulk.move", "Any page endpoint: route error that names method and path"),
    rule("sandbox.authorizations.list", "Get instances: sandbox GET error"),
    rule("sandbox.repositories.get", "Get repository: sandbox GET error"),
    rule("sandbox.settings.update", "Toggle same-instance promotion: sandbox CRUD error"),
    rule("sandbox.aliases.update", "Alias update: sandbox CRUD error"),
    rule("workflows.get", "Workflow reads: workflow GET error"),
    ...(
      [
        ["workflows.create", "create"],
        ["workflows.versions.create", "create_version"],
        ["workflows.delete", "delete"],
        ["workflows.triggers.create", "create_trigger"],
        ["workflows.triggers.delete", "delete_trigger"],
      ] as const
    ).map(([id, word]) => rule(id, `Workflow CRUD error with operation ${word}`)),
    statement("A caller can get the response without these checks", {
      code: ["src/api/client/client.ts#raw"],
      reach: ["command:runOperation", "program:command-line"],
      served: ["operation:contents.get"],
    }),
  ],
};
