import * as vscode from "vscode";
import { displayedName } from "../../api/displayed-text.ts";
import { isMultiline, type Parameter } from "../../api/runs/parameters.ts";
import { literalType } from "../../api/runs/python-literal.ts";
import { enterText, pickRow } from "../../ui/quick-input/show-input.ts";

/** The values that differ from those of the notebook: Python literals by name. */
export type Values = Readonly<Record<string, string>>;

type Row = vscode.QuickPickItem & { readonly parameter: Parameter | undefined };

/**
 * Shows the parameters with their values until the user starts the run. Resolves with the changed ones. Throws a
 * CancellationError if canceled.
 */
export async function enterParameters(
  title: string,
  parameters: readonly Parameter[],
  initial: Values,
): Promise<Values> {
  let values = initial;
  for (;;) {
    const start: Row = {
      label: vscode.l10n.t("Start Run"),
      iconPath: new vscode.ThemeIcon("play"),
      alwaysShow: true,
      parameter: undefined,
    };
    const chosen: Row = await pickRow(
      [start, ...parameters.map((parameter) => rowOf(parameter, values[parameter.name]))],
      { title, placeHolder: vscode.l10n.t("Choose a parameter to change it") },
    );
    if (chosen.parameter === undefined) {
      return values;
    }
    values = await changed(title, chosen.parameter, values);
  }
}

function rowOf(parameter: Parameter, given: string | undefined): Row {
  const { name, value, type, description } = parameter;
  const shown = oneLine(given ?? value) ?? vscode.l10n.t("several lines");
  const details = [
    given === undefined ? undefined : vscode.l10n.t("changed, {0} in the notebook", oneLine(value) ?? "…"),
    type ?? vscode.l10n.t("expression"),
    description,
  ];
  return {
    label: displayedName(name),
    description: displayedName(`= ${shown}`),
    detail: details.filter((detail) => detail !== undefined).join(" · "),
    iconPath: new vscode.ThemeIcon(given === undefined ? "symbol-variable" : "edit"),
    parameter,
  };
}

/** Asks for the value of a parameter. If the user leaves the input, the value stays. */
async function changed(title: string, { name, value, type }: Parameter, values: Values): Promise<Values> {
  let entered: string;
  try {
    entered = await enterText({
      title,
      prompt: vscode.l10n.t("Python value of {0}", name),
      value: oneLine(values[name] ?? (type === undefined ? "" : value)) ?? "",
      placeHolder: oneLine(value) ?? "",
      validateInput: (text) =>
        literalType(text) === undefined
          ? vscode.l10n.t("Enter a Python value, such as 12, 'text', True, or [1, 2].")
          : undefined,
    });
  } catch (error) {
    if (error instanceof vscode.CancellationError) {
      return values;
    }
    throw error;
  }
  const { [name]: _, ...others } = values;
  return entered.trim() === value ? others : { ...others, [name]: entered.trim() };
}

/** A value in one line, as an input box shows it. Undefined if it can't be. */
function oneLine(value: string): string | undefined {
  if (!isMultiline(value)) {
    return value;
  }
  const joined = value
    .split("\n")
    .map((line) => line.trim())
    .join(" ");
  return literalType(joined) === literalType(value) ? joined : undefined;
}
