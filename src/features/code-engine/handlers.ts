import * as vscode from "vscode";
import * as z from "zod/mini";
import { runCodeEngineFunction } from "../../api/catalogue/operations/code-engine.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { orOnWebPage } from "../../ui/commands/web-page-offer.ts";
import { versionName } from "../../ui/format/labels.ts";
import type { ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import { askForValues, type TypedField, valueLines } from "../../ui/quick-input/typed-values.ts";
import type { TreesOf } from "../../ui/tree/lazy-trees.ts";
import { treeCommands } from "../../ui/tree/tree-commands.ts";
import { type ChosenFunction, chooseFunction, chooseVersion } from "./choice.ts";
import type { CodeEngineCommandId } from "./declarations.ts";
import { showResult } from "./results.ts";
import { openSource } from "./source.ts";

const ofFunction = z.looseObject({ functionName: z.string() });

type CodeEngineParts = ResourceChoiceParts & { readonly trees: TreesOf<"functions"> };

/** The commands of the Code Engine view. */
export function codeEngineCommands(parts: CodeEngineParts): CommandHandlers<CodeEngineCommandId> {
  return {
    ...treeCommands("Functions", parts.trees.functions),
    "platformWorkbench.runFunction": (run, argument) => runChosenFunction(parts, run, argument),
    "platformWorkbench.openFunctionSource": async (run, argument) => {
      const chosen = await chooseVersion(parts, run, argument, vscode.l10n.t("Open Code Engine Source"));
      await openSource(chosen, z.safeParse(ofFunction, argument).data?.functionName);
    },
  };
}

/** Asks for a function and its values, confirms with both, runs it, and shows its result. */
async function runChosenFunction(parts: ResourceChoiceParts, run: CommandRun, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Run Function");
  const chosen = await chooseFunction(parts, run, argument, title);
  const { client, tenantId, packageId, packageName, version, function: own } = chosen;
  const shown = `${versionName(packageName, version)} · ${own.name}`;
  const values = await askForValues(`${title} · ${shown}`, fieldsOf(chosen));
  await confirm({
    question: vscode.l10n.t("Run the function {0} of {1}?", own.name, versionName(packageName, version)),
    touched: valueLines(values),
    consequence: vscode.l10n.t("A function can change data and send messages. What it does can't be undone."),
    action: vscode.l10n.t("Run"),
  });
  const page = { type: "functionPackage", tenantId, id: packageId, name: packageName } as const;
  const ended = await orOnWebPage(parts.connections, client, page, {
    operations: [runCodeEngineFunction],
    work: () =>
      client.call(runCodeEngineFunction, {
        packageId,
        version,
        functionName: own.name,
        body: { inputVariables: { ...values }, settings: { getLogs: true } },
      }),
  });
  if (!ended.isOnWebPage) {
    await showResult(chosen, ended.value);
  }
}

/** The function's parameters; undefined if the platform doesn't return them. */
function fieldsOf({ function: { inputs } }: ChosenFunction): readonly TypedField[] | undefined {
  return inputs?.flatMap(({ name, displayName, type, isList, nullable }) =>
    name === null || name === undefined
      ? []
      : [
          {
            name,
            label: displayName ?? name,
            type: type ?? "text",
            isList: isList === true,
            isOptional: nullable === true,
          },
        ],
  );
}
