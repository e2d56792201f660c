import { type FidelitySection, statement } from "./statement.ts";

const family = (name: string) => `src/api/catalogue/operations/${name}.ts`;

/** What the service does. */
export const section1: FidelitySection = {
  number: "1",
  title: "What the service does",
  statements: [
    statement("Paths are relative to the base address of the tenant, one per tenant", {
      code: ["src/api/client/request.ts#addressOf"],
      reach: ["setting:tenants", "command:addTenant"],
      served: ["src/programs/sample-tenant/platform-requests.ts#PlatformRequests"],
    }),
    statement("Bodies are JSON, and a call succeeds with a status from 200 to 299", {
      code: ["src/api/client/client.ts#Client"],
      reach: ["command:runOperation"],
      served: ["src/programs/sample-tenant/platform-requests.ts#PlatformRequests"],
    }),
    statement("Notebook workspaces: settings, namespace, start, configuration, and a content server for each", {
      code: [`${family("workspaces")}#startInstance`, `${family("content-reading")}#getContent`],
      reach: ["view:workspaces", "command:openWorkspace"],
      served: ["operation:workspaces.get", "operation:contents.get"],
    }),
    statement("App designs: list, read, versions, source archive, access", {
      code: [`${family("designs")}#listDesigns`],
      reach: ["view:designs", "command:downloadDesignSource", "command:addDesignAdmins"],
      served: ["operation:designs.list"],
    }),
    statement("Pages: move, owners, order, duplicate, sharing, hierarchy, filter views, collections, cards, summary", {
      code: [`${family("pages")}#movePages`, `${family("filter-views")}#listFilterViews`],
      reach: ["view:pages", "command:movePages"],
      served: ["operation:pages.navigation.get"],
    }),
    statement("Sandbox: repositories, commits, commit requests, promotions, access, permissions, aliases", {
      code: [`${family("sandbox")}#getRepository`],
      reach: ["view:sandbox", "command:createCommit"],
      served: ["operation:sandbox.repositories.get"],
    }),
    statement("Workflows: models, versions, executions, triggers, locks, permissions, usage", {
      code: [`${family("workflows")}#getWorkflow`, `${family("executions")}#listExecutions`],
      reach: ["view:workflows", "command:createTrigger"],
      served: ["operation:workflows.get"],
    }),
    statement("A front door verifies tokens, checks entitlements, and fetches and validates stored credentials", {
      code: ["src/programs/front-door/gate.ts#Gate"],
      reach: ["program:front-door", "command:setFrontDoorToken"],
      served: ["src/programs/front-door/server.ts#startFrontDoor"],
    }),
  ],
};
