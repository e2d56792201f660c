import { type FidelitySection, operation, statement } from "./statement.ts";

const table = "test/contract/error-table.test.ts";
const cases = "test/contract/error-cases.ts";
const errors = "test/unit/api/http/errors.test.ts";
const families = "test/contract/family-errors.test.ts";
const designs = "test/contract/design-errors.test.ts";

/** Errors. */
export const section7: FidelitySection = {
  number: "7",
  title: "Errors",
  statements: [
    statement("Every error has a message, an entity identifier, and the response", {
      code: ["src/api/http/errors.ts#PlatformError"],
      reach: ["command:showLog", "program:command-line"],
      served: ["src/programs/sample-tenant/fault-injection.ts#Faults"],
      proof: [`${cases} > GET content: 404`],
    }),
    operation("contents.get", "GET content, 403: retrieval error that asks the user to check the notebook token", {
      proof: [
        `${cases} > GET content: 403`,
        `${errors} > keep the token hint if a hub returns 403 for a workspace that it reports as stopped`,
      ],
    }),
    operation("contents.get", "GET content, 404: not-found error that names the path, whatever the content type", {
      code: ["src/api/client/exchange-errors.ts#responseError"],
      reach: ["scheme:platform-contents"],
      proof: [
        `${cases} > GET content: 404`,
        `${errors} > are the row's not-found error for a 404 with a web page, which doesn't prove that a file is missing`,
      ],
    }),
    operation("contents.get", "GET content, other statuses: retrieval error", {
      proof: [`${cases} > GET content: other non-2xx`],
    }),
    operation("contents.create", "Create, 403: CRUD error that asks the user to check the token", {
      proof: [`${cases} > create content or folder: 403`],
    }),
    operation("contents.create", "Create, other statuses of either step: CRUD error, create or create_folder", {
      code: ["src/api/content-server/contents.ts#createItem"],
      proof: [`${cases} > create content or folder: other non-2xx (POST step or rename step)`],
    }),
    operation("contents.update", "Update, 403: CRUD error that asks the user to check the token", {
      proof: [`${cases} > update file: 403`],
    }),
    operation("contents.update", "Update, 404: not-found error that names the path, whatever the content type", {
      proof: [`${errors} > an update`],
    }),
    operation("contents.delete", "Delete, 404: not-found error that names the path, whatever the content type", {
      proof: [`${cases} > deleting a missing item`, `${errors} > a deletion`],
    }),
    operation("workspaces.update", "Configuration, 404: not-found error that names the workspace", {
      proof: [`${cases} > the configuration of an unknown workspace`],
    }),
    operation("contents.dataflow.update", "Dataflow, 404: not-found error that names workspace and notebook", {
      proof: [`${cases} > the dataflow of an unknown notebook`, `${errors} > a dataflow`],
    }),
    operation("contents.delete", "Delete, 403: CRUD error that asks the user to check the token", {
      proof: [`${cases} > delete content: 403`],
    }),
    operation(
      "contents.update",
      "Update, delete, dataflow, configuration, other statuses: CRUD error with its operation",
      {
        proof: [`${cases} > update, delete, dataflow, workspace config: other non-2xx`],
      },
    ),
    operation("contents.checkpoints.create", "Create a checkpoint: CRUD error", {
      proof: [`${cases} > create checkpoint: non-2xx`],
    }),
    operation("contents.checkpoints.list", "List checkpoints: retrieval error", {
      proof: [`${cases} > checkpoints with a wrong token`],
    }),
    operation("workspaces.settings.get", "Settings: retrieval error", {
      proof: [`${cases} > settings with a wrong credential`],
    }),
    operation("workspaces.namespace.get", "Namespace: retrieval error", {
      proof: [`${cases} > namespace with a wrong credential`],
    }),
    operation(
      "workspaces.instances.start",
      "Start, 500 or 403: workspace error: no access, not shared, or already started",
      {
        reach: ["command:startWorkspace"],
        proof: [`${cases} > start workspace: 500 or 403`],
      },
    ),
    operation(
      "workspaces.instances.start",
      "Start, 403 that requires a browser first: the same error, with both remedies",
      {
        code: ["src/api/client/exchange-errors.ts#responseError"],
        reach: ["command:startWorkspace"],
        proof: [`${cases} > one that requires the browser first`],
      },
    ),
    operation("workspaces.instances.start", "Start, other statuses: workspace error, operation start", {
      proof: [`${cases} > start workspace: other non-2xx`],
    }),
    operation(
      "workspaces.instances.start",
      "Start, failure during the start: unsuccessful result with status 500, and the text that the workspace is starting",
      {
        code: [
          "src/api/families/workspace-start.ts#startOutcomeOf",
          "src/api/families/operation-outcome.ts#runOperation",
        ],
        reach: ["command:startWorkspace", "program:command-line"],
        proof: [
          `${table} > start workspace: runtime failure while starting`,
          "test/unit/api/families/operation-outcome.test.ts > has the unsuccessful result if the start is interrupted",
          "test/contract/command-line.test.ts > reports the three outcomes of a start",
          "test/front-door/tools.test.ts > reports the three outcomes of a start",
        ],
      },
    ),
    operation("designs.get", "App design reads: app GET error", { proof: [`${designs} > app design reads`] }),
    operation("designs.versions.assets", "Design assets: asset error", { proof: [`${designs} > design assets`] }),
    operation("designs.versions.assets", "Design assets with the text Not Found: a separate message", {
      proof: [`${designs} > design assets: the text Not Found has its own message`],
    }),
    operation("designs.admins.add", "Grant design access: app CRUD error", {
      proof: [`${designs} > grant design access`],
    }),
    operation("pages.bulk.move", "Any page endpoint: route error that names method and path", {
      proof: [
        `${families} > any page endpoint`,
        "test/unit/api/families/pages.test.ts > name the method and path of the request in the dialect, and a missing parameter",
      ],
    }),
    operation("sandbox.authorizations.list", "Get instances: sandbox GET error", {
      proof: [`${designs} > get instances, get repository`],
    }),
    operation("sandbox.repositories.get", "Get repository: sandbox GET error", {
      proof: [`${designs} > get instances, get repository`],
    }),
    operation("sandbox.settings.update", "Toggle same-instance promotion: sandbox CRUD error", {
      proof: [`${designs} > toggle same-instance promotion, alias update`],
    }),
    operation("sandbox.aliases.update", "Alias update: sandbox CRUD error", {
      proof: [`${designs} > toggle same-instance promotion, alias update`],
    }),
    operation("workflows.get", "Workflow reads: workflow GET error", { proof: [`${families} > workflow reads`] }),
    ...(
      [
        ["workflows.create", "create"],
        ["workflows.versions.create", "create_version"],
        ["workflows.delete", "delete"],
        ["workflows.triggers.create", "create_trigger"],
        ["workflows.triggers.delete", "delete_trigger"],
      ] as const
    ).map(([id, word]) =>
      operation(id, `Workflow CRUD error with operation ${word}`, {
        proof: [`${families} > workflow create, create version, delete, create trigger, delete trigger`],
      }),
    ),
    statement("A caller can get the response without these checks", {
      code: ["src/api/client/client.ts#raw"],
      reach: ["command:runOperation", "program:command-line"],
      served: ["operation:contents.get"],
      proof: [
        "test/contract/raw.test.ts > returns the tenant's own errors",
        "test/ui/shared-window/run-operation.test.ts > shows an error response unchanged if the switch is on",
        "test/contract/command-line.test.ts > prints an error response unchanged with --raw, and its status to standard error",
      ],
    }),
  ],
};
