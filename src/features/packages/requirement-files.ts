import * as vscode from "vscode";
import { isContentPath, joinPath, nameOf, normalizeContentPath, parentOf } from "../../api/catalogue/content-path.ts";
import { CompanionOperationError } from "../../api/companion/errors.ts";
import {
  type ComparedRequirement,
  compareRequirements,
  maxRequirementsLength,
} from "../../api/companion/operations/packages.ts";
import { errorText } from "../../tenants/error-text.ts";
import { showInformation } from "../../tenants/messages.ts";
import { uriOf } from "../../tenants/workspace-uri.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { unlessMissing } from "../../ui/documents/unless-missing.ts";
import { enterText, pickItem } from "../../ui/quick-input/show-input.ts";
import { changePackages, withoutTool } from "./package-changes.ts";
import { installFileWords, installWords, toolFor } from "./package-commands.ts";
import type { PackageServices } from "./package-services.ts";
import type { PackageSession } from "./package-session.ts";
import { isRequirement } from "./requirements.ts";

/** Files that are offered. Any other one can be entered. */
const fileForm = /^(?:requirements[\w.-]{0,100}\.(?:txt|in)|pyproject\.toml)$/;
/** pip installs these with the environment, so that a file with them would also pin the tools. */
const notFrozen: ReadonlySet<string> = new Set(["pip", "setuptools", "wheel"]);

/** Compares a file with the environment, shows what differs, and installs that. */
export async function installFromFile(services: PackageServices, session: PackageSession): Promise<void> {
  const { environment, program, target } = session;
  const { tenantId, workspaceId } = target.place;
  const path = await chooseFile(session);
  const name = nameOf(path);
  const isProject = name.endsWith(".toml");
  // pip reads requirements, which can name further files. With conda's own tool, it couldn't.
  const tool = toolFor({ ...environment, conda: null });
  if (tool === undefined || tool === "conda") {
    throw withoutTool(environment);
  }
  const document = await vscode.workspace.openTextDocument(uriOf(tenantId, workspaceId, path));
  if (document.isDirty) {
    throw new Error(vscode.l10n.t("Save {0} first: what is installed is the saved file.", name));
  }
  const text = document.getText();
  if (text.length > maxRequirementsLength) {
    throw new Error(vscode.l10n.t("{0} is too long to be compared.", name));
  }
  const kind = isProject ? "pyproject" : "requirements";
  const { requirements, skipped } = await program
    .request(compareRequirements, { text, kind })
    .catch((error: unknown) => {
      throw error instanceof CompanionOperationError
        ? new Error(vscode.l10n.t("Can't compare {0} with the packages: {1}", name, errorText(error)))
        : error;
    });
  const differing = requirements.filter(({ state }) => state !== "installed");
  const isComplete = skipped.length === 0 || isProject;
  if (differing.length === 0 && isComplete) {
    void showInformation(vscode.l10n.t("The environment has everything that {0} asks for.", name));
    return;
  }
  await confirm({
    question: vscode.l10n.t("Install what {0} asks for?", name),
    touched: differing.map(difference),
    consequence: [
      ...(differing.length === 0 ? [vscode.l10n.t("The packages that could be compared are installed.")] : []),
      ...(skipped.length === 0 ? [] : [notCompared(skipped)]),
      vscode.l10n.t("The environment is {0}.", environment.prefix),
    ].join("\n"),
    action: vscode.l10n.t("Install"),
  });
  const listed = differing.map(({ text: requirement }) => requirement).filter(isRequirement);
  await changePackages(services, {
    place: target.place,
    environment,
    words: isProject ? installWords(environment, tool, listed) : installFileWords(environment, tool, name),
    folder: parentOf(path),
  });
}

function difference({ text, installed }: ComparedRequirement): string {
  return installed === null
    ? vscode.l10n.t("{0} (not installed)", text)
    : vscode.l10n.t("{0} ({1} is installed)", text, installed);
}

function notCompared(skipped: readonly string[]): string {
  const [first = ""] = skipped;
  return skipped.length === 1
    ? vscode.l10n.t("1 line couldn't be compared: {0}", first)
    : vscode.l10n.t("{0} lines couldn't be compared, such as: {1}", skipped.length, first);
}

/** Asks for a file in the folder of the notebook or in the root of the workspace. */
async function chooseFile({ target: { kernel, place } }: PackageSession): Promise<string> {
  const folders = [...new Set([kernel === undefined ? "" : parentOf(kernel.path), ""])];
  const found = folders.map(async (folder) => {
    const entries = await vscode.workspace.fs.readDirectory(uriOf(place.tenantId, place.workspaceId, folder));
    return entries
      .filter(([name, type]) => type === vscode.FileType.File && fileForm.test(name))
      .map(([name]) => joinPath(folder, name));
  });
  const other = { label: vscode.l10n.t("Enter Another Path…"), path: undefined };
  const files = Promise.all(found).then((lists) => [...lists.flat().map((path) => ({ label: path, path })), other]);
  const title = vscode.l10n.t("Install from Requirements");
  const { path } = await pickItem(files, { title, placeHolder: vscode.l10n.t("Choose a file to compare") });
  return path ?? enterPath(title, "requirements.txt");
}

/** Asks for the path of a file in the workspace. */
async function enterPath(title: string, value: string): Promise<string> {
  const typed = await enterText({
    title,
    prompt: vscode.l10n.t("The path of a file in the workspace"),
    value,
    validateInput: (text) =>
      text !== "" && isContentPath(text) ? undefined : vscode.l10n.t("Enter a path below the workspace's root."),
  });
  return normalizeContentPath(typed);
}

/** Writes the installed packages with their versions to a file, and opens it. */
export async function freezePackages(session: PackageSession): Promise<void> {
  const { kernel, place } = session.target;
  const suggested = joinPath(kernel === undefined ? "" : parentOf(kernel.path), "requirements.txt");
  const path = await enterPath(vscode.l10n.t("Freeze Packages to File"), suggested);
  const uri = uriOf(place.tenantId, place.workspaceId, path);
  if ((await unlessMissing(vscode.workspace.fs.stat(uri))) !== undefined) {
    await confirm({
      question: vscode.l10n.t("Replace {0}?", path),
      consequence: vscode.l10n.t("It gets the versions of all installed packages instead of its content."),
      action: vscode.l10n.t("Replace"),
    });
  }
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(frozen(session)));
  await vscode.window.showTextDocument(uri);
}

/** The lines of a requirements.txt. What no index may have is a comment. */
export function frozen({ packages }: Pick<PackageSession, "packages">): string {
  const lines = packages
    .filter(({ name }) => !notFrozen.has(name.toLowerCase()))
    .map(({ name, version, isDirect }) => ({ line: `${name}==${version}`, isDirect }))
    .filter(({ line }) => isRequirement(line))
    .map(({ line, isDirect }) => (isDirect ? `# ${line} is not from an index` : line));
  return lines.map((line) => `${line}\n`).join("");
}
