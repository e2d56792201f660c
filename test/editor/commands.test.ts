import assert from "node:assert/strict";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { ask, outside, requestsOf, tenantNamed } from "./outside.ts";
import { until } from "./time.ts";

const manifestShape = z.looseObject({
  contributes: z.looseObject({
    commands: z.array(z.looseObject({ command: z.string() })),
    menus: z.record(
      z.string(),
      z.array(z.union([z.looseObject({ command: z.string() }), z.looseObject({ submenu: z.string() })])),
    ),
    views: z.record(z.string(), z.array(z.looseObject({ id: z.string() }))),
  }),
});

describe("the commands in the editor", () => {
  after(() => vscode.commands.executeCommand("workbench.view.explorer"));

  it("are exactly those of the manifest, each registered", async () => {
    const extension = vscode.extensions.all.find(({ id }) => id.endsWith(".platform-workbench"));
    assert.ok(extension !== undefined);
    await extension.activate();
    const { commands, menus, views } = z.parse(manifestShape, extension.packageJSON).contributes;
    const declared = commands.map(({ command }) => command);
    assert.equal(new Set(declared).size, declared.length);
    assert.ok(declared.length > 80, String(declared.length));
    // The editor creates its own commands for each view, for example to focus it.
    const ofViews = Object.values(views)
      .flat()
      .map(({ id }) => `${id}.`);
    const registered = (await vscode.commands.getCommands(true)).filter(
      (id) => id.startsWith("platformWorkbench.") && !ofViews.some((prefix) => id.startsWith(prefix)),
    );
    assert.deepEqual(registered.toSorted(), declared.toSorted());
    const inMenus = Object.values(menus).flatMap((items) =>
      items.flatMap((item) => ("command" in item ? [String(item.command)] : [])),
    );
    assert.deepEqual(
      inMenus.filter((id) => !declared.includes(id)),
      [],
    );
  });

  it("read the lists of the visible views again if the editor can't tell on which row Retry was clicked", async () => {
    const tenant = tenantNamed("embedded");
    const wasListed = async (): Promise<boolean> =>
      (await requestsOf(tenant)).some((line) => line.startsWith("POST /api/datascience/v1/search/workspaces"));
    await ask(tenant, { type: "reset" });
    await vscode.commands.executeCommand("platformWorkbench.workspaces.focus");
    await until("the list of workspaces", wasListed);
    await ask(tenant, { type: "quiet", milliseconds: 500 });
    await ask(tenant, { type: "reset" });
    // What the editor passes while the view is drawn again.
    await vscode.commands.executeCommand("platformWorkbench.retry", undefined);
    await until("the list to be read again", wasListed);
    await ask(tenant, { type: "quiet", milliseconds: 500 });
  });

  it("open the focused row with Enter while its view is drawn again", async () => {
    const [tenant] = outside.tenants;
    assert.ok(tenant !== undefined);
    const requested = (path: string) => async (): Promise<boolean> =>
      (await requestsOf(tenant)).some((line) => line.startsWith(`GET ${path}`));
    const inList = async (...actions: readonly string[]): Promise<void> => {
      for (const action of actions) await vscode.commands.executeCommand(`list.${action}`);
    };
    await ask(tenant, { type: "reset" });
    await vscode.commands.executeCommand("platformWorkbench.workflows.focus");
    await until("the list of workflows", requested("/api/workflow/v1/models"));
    await ask(tenant, { type: "quiet", milliseconds: 500 });
    // From the tenant to its first workflow, and past the workflow's versions to its executions.
    const opened = requested("/api/workflow/v1/models/");
    // On a busy machine, the rows are drawn long after the response.
    await until("a workflow", async () => {
      if (!(await opened())) await inList("focusFirst", "focusDown", "expand");
      return opened();
    });
    await ask(tenant, { type: "quiet", milliseconds: 500 });
    await inList("focusFirst", "focusDown", "focusDown", "focusDown");
    const match = { path: "/api/workflow/v1/models/" };
    await ask(tenant, { type: "fault", rule: { match, action: { kind: "latency", milliseconds: 200 } } });
    try {
      // The view is drawn again from the end of this command until the delayed response.
      await vscode.commands.executeCommand("platformWorkbench.refreshWorkflows");
      await vscode.commands.executeCommand("platformWorkbench.openSelectedRow", { view: "workflows" });
      await until("the executions", requested("/api/workflow/v2/executions"));
    } finally {
      await ask(tenant, { type: "clearFaults" });
    }
  });
});
