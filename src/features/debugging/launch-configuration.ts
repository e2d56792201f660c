import * as vscode from "vscode";
import * as z from "zod/mini";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import { debugType } from "./debugging-services.ts";

/** The part of a configuration, maybe from launch.json, that names a Python file. */
const program = z.object({
  program: z.string().check(z.maxLength(10_000)),
  args: z._default(z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(1000)), []),
});

/** Variables that people write in launch.json. The editor replaces them only afterward. */
const activeFileVariable = /^\$\{file\}$/;
const folderVariable = /^\$\{workspaceFolder\}/;

/** The file that a configuration runs, and `sys.argv` after it; undefined for a configuration of cells. Throws if it isn't valid. */
export function programOf(
  configuration: vscode.DebugConfiguration,
): { readonly uri: vscode.Uri; readonly parameters: readonly string[] } | undefined {
  if (configuration.program === undefined) {
    return undefined;
  }
  const parsed = z.safeParse(program, configuration);
  if (!parsed.success) {
    throw new Error(
      vscode.l10n.t("The program of a debug configuration must be a path, and its arguments a list of texts."),
    );
  }
  return { uri: vscode.Uri.parse(parsed.data.program), parameters: parsed.data.args };
}

/** The configuration for a file. `others`: what launch.json says. */
export function fileConfiguration(
  uri: vscode.Uri,
  others: Partial<vscode.DebugConfiguration> = {},
): vscode.DebugConfiguration {
  return {
    internalConsoleOptions: "openOnSessionStart",
    name: nameOf(uri.path),
    ...others,
    type: debugType,
    request: "launch",
    program: uri.toString(),
  };
}

/**
 * Completes a configuration. One from launch.json can name a file by its path in the folder; otherwise it means the file
 * in the active editor. Without one, as with F5, a command does what the active editor can. Undefined in that case.
 */
export function resolvedConfiguration(
  folder: vscode.WorkspaceFolder | undefined,
  configuration: vscode.DebugConfiguration,
): vscode.DebugConfiguration | undefined {
  const { program: named } = configuration;
  if (typeof named === "string" && !activeFileVariable.test(named)) {
    const path = named.replace(folderVariable, "");
    return folder === undefined || named.startsWith(`${scheme}:`)
      ? configuration
      : fileConfiguration(vscode.Uri.joinPath(folder.uri, path), configuration);
  }
  const active = vscode.window.activeNotebookEditor === undefined ? vscode.window.activeTextEditor : undefined;
  if (configuration.name !== undefined && active !== undefined) {
    return fileConfiguration(active.document.uri, configuration);
  }
  const command = active === undefined ? "platformWorkbench.debugCell" : "platformWorkbench.debugPythonFile";
  void vscode.commands.executeCommand(command);
  return undefined;
}
