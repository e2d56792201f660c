import * as vscode from "vscode";
import * as z from "zod/mini";
import { listCodeEnginePackages } from "../../api/catalogue/operations/instance.ts";
import { getWorkflowUsage } from "../../api/catalogue/operations/workflows.ts";
import { readUsingWorkflows, type UsingWorkflow, usageQuery } from "../../api/families/workflow-facts.ts";
import { causeOf } from "../../api/http/errors.ts";
import { errorText } from "../../tenants/error-text.ts";
import { showError } from "../../tenants/messages.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { versionLabel } from "../../ui/format/labels.ts";
import { currentTenant, type ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import { pickBySearch } from "../../ui/quick-input/search-pick.ts";

const ofFunction = z.looseObject({ tenantId: z.string(), packageId: z.string(), packageName: z.string() });

/** Looks up which workflows call a function, and shows the one that the user chooses. */
export async function findUsing(parts: ResourceChoiceParts, run: CommandRun, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Find Workflows That Use a Function");
  const named = z.safeParse(ofFunction, argument);
  const tenantId = named.data?.tenantId ?? currentTenant(parts.registry).id;
  run.setErrorContext({ tenantId });
  const client = await parts.connections.platform(tenantId);
  const chosen = named.success
    ? { id: named.data.packageId, name: named.data.packageName }
    : await pickBySearch({
        title,
        placeholder: vscode.l10n.t("Search function packages by name"),
        nothingFits: vscode.l10n.t("No matching packages"),
        async *search(text, signal) {
          const packages = await client.call(listCodeEnginePackages, {}, { signal });
          yield packages
            .filter(({ id }) => id !== null && id !== undefined)
            .map(({ id, name, description }) => ({
              label: name ?? String(id),
              description: description ?? "",
              iconPath: new vscode.ThemeIcon("symbol-function"),
              value: { id: String(id), name: name ?? String(id) },
            }))
            .filter(({ label }) => label.toLocaleLowerCase().includes(text.toLocaleLowerCase()));
        },
      });
  const using = await pickBySearch<UsingWorkflow>({
    title: vscode.l10n.t("Workflows That Use {0}", chosen.name),
    placeholder: vscode.l10n.t("Select a workflow to see its details"),
    nothingFits: vscode.l10n.t("No workflows use {0}", chosen.name),
    async *search(text, signal) {
      const found = await readUsingWorkflows(client, chosen.id, { signal });
      yield found
        .filter(({ name }) => name.toLocaleLowerCase().includes(text.toLocaleLowerCase()))
        .map((one) => ({
          label: one.name,
          description: one.version === undefined ? "" : versionLabel(one.version),
          iconPath: new vscode.ThemeIcon("type-hierarchy"),
          value: one,
        }));
    },
  }).catch((error: unknown) => offerResponse(error, tenantId, chosen.id));
  if (using.modelId === undefined) {
    return await showResponseOf(tenantId, chosen.id);
  }
  const resource = { type: "workflow", tenantId, id: using.modelId, name: using.name } as const;
  await vscode.commands.executeCommand("platformWorkbench.showDetails", resource);
}

/** The response's format isn't described, so offer to show a response that can't be parsed. */
async function offerResponse(error: unknown, tenantId: string, packageId: string): Promise<never> {
  if (causeOf(error)?.type !== "unexpectedResponse") {
    throw error;
  }
  const showResponse = vscode.l10n.t("Show Response");
  if ((await showError(errorText(error), showResponse)) === showResponse) {
    await showResponseOf(tenantId, packageId);
  }
  throw new vscode.CancellationError();
}

/** Shows the complete response, for an entry or a response of an unknown format. */
async function showResponseOf(tenantId: string, packageId: string): Promise<void> {
  const operation = { operationId: getWorkflowUsage.id, parameters: usageQuery(packageId), isRaw: true };
  await vscode.commands.executeCommand("platformWorkbench.runOperation", { tenantId, ...operation });
}
