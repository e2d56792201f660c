import * as vscode from "vscode";
import * as z from "zod/mini";
import { CompanionOperationError } from "../../api/companion/errors.ts";
import { listPackageUpdates } from "../../api/companion/operations/packages.ts";
import { errorText } from "../../tenants/error-text.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { enterText } from "../../ui/quick-input/show-input.ts";
import { chooseWorkspace, workspaceInView } from "../../ui/quick-input/workspace-choice.ts";
import type { PackagesCommandId } from "./declarations.ts";
import { installMissingPackage } from "./missing-package.ts";
import { changePackages, withoutTool } from "./package-changes.ts";
import { installWords, toolFor, toolOf, uninstallWords } from "./package-commands.ts";
import { choosePackage, enterSearch } from "./package-index.ts";
import type { PackageServices } from "./package-services.ts";
import { kernelTarget, type PackageSession, type PackagesTarget } from "./package-session.ts";
import { PackagesView } from "./packages-view.ts";
import { freezePackages, installFromFile } from "./requirement-files.ts";
import { isRequirement, nameIn, normalizedName, typedRequirements } from "./requirements.ts";

const rowShape = z.looseObject({
  type: z.literal("package"),
  name: z.string(),
  version: z.string(),
  installer: z.string(),
});
/** Milliseconds. The server stops a little earlier. */
const updatesTimeoutMs = 310_000;

/** The commands of packages, and their view. */
export function packageCommands(services: PackageServices): CommandHandlers<PackagesCommandId> {
  const view = new PackagesView(services);
  services.subscriptions.push(view);
  return {
    "platformWorkbench.showPackages": async (run, argument) => view.show(await targetFor(services, run, argument)),
    "platformWorkbench.installPackage": async () => {
      const { session, tool } = await changeable(view);
      const typed = await enterText({
        title: vscode.l10n.t("Install Package"),
        prompt: vscode.l10n.t("Separate several packages with spaces"),
        placeHolder: vscode.l10n.t("A name, optionally with a version, such as pandas or pandas>=2"),
        validateInput: (text) =>
          text.trim() === "" || typedRequirements(text) !== undefined
            ? undefined
            : vscode.l10n.t("Enter names of packages, optionally with versions, such as pandas or pandas>=2."),
      });
      const requirements = typedRequirements(typed);
      if (requirements === undefined) {
        throw new vscode.CancellationError();
      }
      view.revealOnceInstalled(nameIn(requirements[0] ?? ""));
      await change(services, session, installWords(session.environment, tool, requirements));
    },
    "platformWorkbench.searchPackageIndex": async () => {
      const { session, tool } = await changeable(view);
      const { requirement, upgrades } = await choosePackage(session, await enterSearch(tool));
      view.revealOnceInstalled(nameIn(requirement));
      await change(services, session, installWords(session.environment, tool, [requirement], upgrades));
    },
    "platformWorkbench.checkForPackageUpdates": async () => checkForUpdates(view),
    "platformWorkbench.findPackage": async () => {
      await vscode.commands.executeCommand("platformWorkbench.packages.focus");
      await vscode.commands.executeCommand("list.find");
    },
    "platformWorkbench.refreshPackages": () => view.refresh(),
    "platformWorkbench.installRequirements": async () => installFromFile(services, await view.session()),
    "platformWorkbench.freezePackages": async () => freezePackages(await view.session()),
    "platformWorkbench.upgradePackage": async (_, argument) => {
      const { session, tool, name } = await changeable(view, argument);
      view.revealOnceInstalled(name);
      await change(services, session, installWords(session.environment, tool, [name], true));
    },
    "platformWorkbench.uninstallPackage": async (_, argument) => {
      const { session, tool, name } = await changeable(view, argument);
      await confirm({
        question: vscode.l10n.t("Uninstall {0}?", name),
        consequence: vscode.l10n.t(
          "It is removed from {0}, for everything that uses this environment. Packages that need it stay, and may fail.",
          session.environment.prefix,
        ),
        action: vscode.l10n.t("Uninstall"),
      });
      await change(services, session, uninstallWords(session.environment, tool, name));
    },
    "platformWorkbench.copyPackageName": (_, argument) =>
      vscode.env.clipboard.writeText(z.parse(rowShape, argument).name),
    "platformWorkbench.installMissingPackage": (_, argument) => installMissingPackage(services, argument),
  };
}

/** The environment of the active notebook's kernel if it runs in the workspace, or else that of its companion. */
async function targetFor(services: PackageServices, run: CommandRun, argument: unknown): Promise<PackagesTarget> {
  const title = vscode.l10n.t("Show Packages");
  const notebook = vscode.window.activeNotebookEditor?.notebook;
  const active = notebook && kernelTarget(services, notebook);
  if (argument === undefined) {
    return active ?? { place: await workspaceInView(services, run, argument, title), kernel: undefined };
  }
  const place = await chooseWorkspace(services, run, argument, { title });
  const isThere = active?.place.tenantId === place.tenantId && active.place.workspaceId === place.workspaceId;
  return isThere ? active : { place, kernel: undefined };
}

/** The environment that is shown, and the tool that installs into it or changes the package of a row. */
async function changeable(view: PackagesView, argument?: unknown) {
  const session = await view.session();
  const { environment } = session;
  const row = argument === undefined ? undefined : z.parse(rowShape, argument);
  const tool = row === undefined ? toolFor(environment) : toolOf(environment, row);
  if (tool === undefined) {
    throw withoutTool(environment);
  }
  const name = row?.name ?? "";
  if (row !== undefined && !isRequirement(name)) {
    throw new Error(vscode.l10n.t("{0} isn't a valid name of a package.", name));
  }
  return { session, tool, name };
}

function change(services: PackageServices, { environment, target }: PackageSession, words: readonly string[]) {
  return changePackages(services, { place: target.place, environment, words });
}

async function checkForUpdates(view: PackagesView): Promise<void> {
  const session = await view.session();
  const title = vscode.l10n.t("Asking the package index for newer versions");
  const { updates } = await withCancellableProgress(title, (signal) =>
    session.program.request(listPackageUpdates, {}, { signal, timeoutMs: updatesTimeoutMs }),
  ).catch((error: unknown) => {
    throw error instanceof CompanionOperationError
      ? new Error(vscode.l10n.t("Can't check for package updates: {0}", errorText(error)))
      : error;
  });
  view.setLatest(session.target, new Map(updates.map(({ name, latest }) => [normalizedName(name), latest])));
  if (updates.length === 0) {
    void showInformation(vscode.l10n.t("The package index has no newer versions of these packages."));
  }
}
