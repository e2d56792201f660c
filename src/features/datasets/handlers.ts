import * as vscode from "vscode";
import { getWorkspace } from "../../api/catalogue/operations/workspaces.ts";
import { previewQuery } from "../../api/families/dataset-rows.ts";
import { workspaceDatasets } from "../../api/families/workspace-data.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { currentTenant, namedResource, type ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import { enterId } from "../../ui/quick-input/entered-id.ts";
import { type ParsedText, text } from "../../ui/quick-input/questions.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import { Steps } from "../../ui/quick-input/wizard.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import type { DatasetsCommandId } from "./declarations.ts";

/** Longest query, in characters, because the address of the preview contains it. */
const maxQueryLength = 2000;

/** The commands for datasets. */
export function datasetCommands(parts: ResourceChoiceParts): CommandHandlers<DatasetsCommandId> {
  return {
    "platformWorkbench.previewDataset": async (run, argument) => {
      const dataset = await chooseDataset(parts, run, argument, vscode.l10n.t("Preview Dataset"));
      const sql = await askForQuery(dataset);
      const shown: PlatformResource =
        sql === previewQuery
          ? dataset
          : {
              type: "datasetQuery",
              tenantId: dataset.tenantId,
              id: sql,
              parentId: dataset.id,
              name: vscode.l10n.t("Query of {0}", dataset.name),
            };
      await vscode.commands.executeCommand("platformWorkbench.showDetails", shown);
    },
  };
}

/** The dataset of a caller, one of those that the row's workspace uses, or the one whose id the user enters. */
async function chooseDataset(
  { registry, connections }: ResourceChoiceParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<PlatformResource> {
  const named = namedResource(argument);
  if (named?.type === "dataset") {
    run.setErrorContext({ tenantId: named.tenantId, entities: [named] });
    return named;
  }
  if (named?.type !== "workspace") {
    const tenantId = currentTenant(registry).id;
    run.setErrorContext({ tenantId });
    const id = await enterId(title, vscode.l10n.t("ID of the dataset, or its address in the browser"));
    return { type: "dataset", tenantId, id, name: id };
  }
  const { tenantId, id: workspaceId, name } = named;
  run.setErrorContext({ tenantId, entities: [named] });
  const client = await connections.platform(tenantId);
  const { inputConfiguration, outputConfiguration } = await client.call(getWorkspace, { workspaceId });
  const used = [
    ...workspaceDatasets(inputConfiguration).map((one) => ({ ...one, use: vscode.l10n.t("input") })),
    ...workspaceDatasets(outputConfiguration).map((one) => ({ ...one, use: vscode.l10n.t("output") })),
  ];
  const items = used.flatMap(({ alias, datasetId, use }) =>
    datasetId === undefined
      ? []
      : [
          {
            label: alias === "" ? datasetId : alias,
            description: use,
            iconPath: new vscode.ThemeIcon("table"),
            dataset: { type: "dataset", tenantId, id: datasetId, name: alias === "" ? datasetId : alias } as const,
          },
        ],
  );
  if (items.length === 0) {
    throw new Error(
      vscode.l10n.t("{0} has no datasets. Bind one in its configuration, or run the command in the palette.", name),
    );
  }
  const placeHolder = vscode.l10n.t("Dataset of {0}", name);
  return (await pickItem(items, { title, placeHolder, matchOnDescription: true })).dataset;
}

async function askForQuery({ name }: PlatformResource): Promise<string> {
  const { sql } = await Steps.from({})
    .step(
      text(() => ({
        prompt: vscode.l10n.t("SQL query, in which the dataset is called table"),
        placeholder: previewQuery,
        initial: previewQuery,
        read: readQuery,
      })),
      (typed) => ({ sql: typed }),
    )
    .ask(vscode.l10n.t("Preview {0}", name));
  return sql;
}

function readQuery(typed: string): ParsedText<string> {
  if (typed === "") {
    return { valid: false, reason: vscode.l10n.t("Enter a query.") };
  }
  return typed.length > maxQueryLength
    ? { valid: false, reason: vscode.l10n.t("Enter at most {0} characters.", maxQueryLength) }
    : { valid: true, value: typed };
}
