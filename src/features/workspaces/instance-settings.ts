import * as vscode from "vscode";
import { getSettings } from "../../api/catalogue/operations/workspaces.ts";
import { type InstanceSettings, instanceSizes, kernelsOf, wordsOf } from "../../api/families/instance-settings.ts";
import type { DetailSection, Details, DetailsReader } from "../../ui/details/details.ts";
import { codeOf } from "../../ui/details/values.ts";
import { constantWords } from "../../ui/format/labels.ts";

/** Reads the settings that a tenant has for all its notebook workspaces. */
export const notebookSettingsReader: DetailsReader = async ({ client }) =>
  settingsDetails(await client.call(getSettings, {}));

function settingsDetails(settings: InstanceSettings): Details {
  const { isEnabled, userAccess, featureFlags, limits, locale, timeZone, maintenance } = settings;
  const access = wordsOf(userAccess);
  return {
    kind: vscode.l10n.t("Settings for all notebook workspaces"),
    lines: [
      [vscode.l10n.t("Notebooks"), truthText(isEnabled, vscode.l10n.t("enabled"), vscode.l10n.t("disabled"))],
      [vscode.l10n.t("Access"), access === undefined ? undefined : constantWords(access, vscode.l10n.t)],
      [vscode.l10n.t("Features"), wordsOf(featureFlags)],
      [vscode.l10n.t("Locale"), locale ?? undefined],
      [vscode.l10n.t("Time zone"), timeZone ?? undefined],
    ],
    sections: [
      {
        type: "table",
        title: vscode.l10n.t("Sizes"),
        columns: [vscode.l10n.t("CPU"), vscode.l10n.t("Memory"), vscode.l10n.t("Available to you")],
        rows: instanceSizes(settings).map(({ cpu, memory, isOffered }) => [
          String(cpu),
          vscode.l10n.t("{0} GB", memory),
          truthText(isOffered, vscode.l10n.t("yes"), vscode.l10n.t("no")) ?? "",
        ]),
        empty: vscode.l10n.t("The platform doesn't list sizes."),
      },
      {
        type: "table",
        title: vscode.l10n.t("Kernels"),
        columns: [vscode.l10n.t("Kernel"), vscode.l10n.t("Code")],
        rows: kernelsOf(settings).map(({ code, name }) => [name, codeOf(code)]),
        empty: vscode.l10n.t("The platform doesn't list kernels."),
      },
      ...jsonSections([
        [vscode.l10n.t("Limits"), limits],
        [vscode.l10n.t("Access"), access === undefined ? userAccess : undefined],
        [vscode.l10n.t("Features"), wordsOf(featureFlags) === undefined ? featureFlags : undefined],
        [vscode.l10n.t("Maintenance"), maintenance],
      ]),
    ],
    raw: settings,
  };
}

function truthText(value: boolean | null | undefined, yes: string, no: string): string | undefined {
  return value === null || value === undefined ? undefined : value ? yes : no;
}

/** Members whose format the API description doesn't specify, unchanged from the platform. */
function jsonSections(members: readonly (readonly [title: string, value: unknown])[]): readonly DetailSection[] {
  return members.flatMap(([title, value]) =>
    value === null || value === undefined
      ? []
      : [{ type: "code", title, language: "json", text: JSON.stringify(value, undefined, 2) } as const],
  );
}
