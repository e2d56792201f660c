import * as vscode from "vscode";
import { CompanionOperationError } from "../../api/companion/errors.ts";
import type { ResultOf } from "../../api/companion/operation.ts";
import { describePackage, maxSearchLength, searchPackages } from "../../api/companion/operations/packages.ts";
import { displayedText } from "../../api/displayed-text.ts";
import { errorText } from "../../tenants/error-text.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { enterText, pickItem } from "../../ui/quick-input/show-input.ts";
import type { PackageTool } from "./package-commands.ts";
import type { PackageSession } from "./package-session.ts";
import { isRequirement, normalizedName } from "./requirements.ts";

/** Milliseconds. The server stops a little earlier. */
const timeoutMs = 130_000;
/** Shorter texts are in most names. */
const minSearchLength = 2;

/** What the user has chosen to install. */
export interface ChosenPackage {
  /** A name, or a name with a version. */
  readonly requirement: string;
  /** True for the newest version of a package of which another one is installed. */
  readonly upgrades: boolean;
}

/** Asks for what the names of packages are to contain. */
export async function enterSearch(tool: PackageTool): Promise<string> {
  if (tool === "conda") {
    throw new Error(
      vscode.l10n.t(
        "Channels of conda can't be searched here. Enter the name of the package in Install Package… instead.",
      ),
    );
  }
  const text = await enterText({
    title: vscode.l10n.t("Search Package Index"),
    prompt: vscode.l10n.t("The server reads the names of its package index. The first search can take some seconds."),
    placeHolder: vscode.l10n.t("Part of a name, such as learn"),
    validateInput: (typed) =>
      typed.trim().length >= minSearchLength && typed.length <= maxSearchLength
        ? undefined
        : vscode.l10n.t("Enter at least {0} characters.", minSearchLength),
  });
  return text.trim();
}

/** Shows the packages of the index whose names contain the text, and asks which of them and which version to install. */
export async function choosePackage(session: PackageSession, text: string): Promise<ChosenPackage> {
  const installed = new Map(session.packages.map(({ name, version }) => [normalizedName(name), version]));
  const found = await searched(session, text);
  const names = found.names.filter(isRequirement);
  if (names.length === 0) {
    throw new Error(vscode.l10n.t("No package in {0} has a name that contains {1}.", found.indexes.join(", "), text));
  }
  const { name } = await pickItem(
    names.map((one) => {
      const version = installed.get(one);
      return {
        label: one,
        name: one,
        iconPath: new vscode.ThemeIcon("package"),
        description: version === undefined ? "" : vscode.l10n.t("{0} is installed", version),
      };
    }),
    { title: vscode.l10n.t("Search Package Index"), placeHolder: counted(names.length, found.total) },
  );
  return chooseVersion(session, name, installed.get(name));
}

function counted(shown: number, total: number): string {
  if (total > shown) {
    return vscode.l10n.t("The best {0} of {1} packages", shown, total);
  }
  return total === 1 ? vscode.l10n.t("1 package") : vscode.l10n.t("{0} packages", total);
}

async function chooseVersion(
  session: PackageSession,
  name: string,
  installed: string | undefined,
): Promise<ChosenPackage> {
  const { environment, program } = session;
  const { newest, summary, versions } = await asked(vscode.l10n.t("Reading the versions of {0}", name), (signal) =>
    program.request(describePackage, { name }, { signal, timeoutMs }),
  );
  const offered = versions.filter((version) => isRequirement(`${name}==${version}`));
  if (newest === null || offered.length === 0) {
    throw new Error(vscode.l10n.t("The package index has no version of {0} for Python {1}.", name, environment.python));
  }
  const first = offered.filter((version) => version === newest);
  const { version } = await pickItem(
    [...first, ...offered.filter((one) => one !== newest)].map((one) => ({
      label: one,
      version: one,
      description: [
        ...(one === newest ? [vscode.l10n.t("newest version")] : []),
        ...(one === installed ? [vscode.l10n.t("installed")] : []),
      ].join(", "),
    })),
    {
      title: vscode.l10n.t("Install {0}", name),
      placeHolder: summary === "" ? vscode.l10n.t("Choose a version") : displayedText(summary),
    },
  );
  return version === newest
    ? { requirement: name, upgrades: installed !== undefined }
    : { requirement: `${name}==${version}`, upgrades: false };
}

function searched({ program }: PackageSession, text: string): Promise<ResultOf<typeof searchPackages>> {
  return asked(vscode.l10n.t("Searching the package index for {0}", text), (signal) =>
    program.request(searchPackages, { text }, { signal, timeoutMs }),
  );
}

async function asked<Result>(title: string, request: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  try {
    return await withCancellableProgress(title, request);
  } catch (error) {
    throw error instanceof CompanionOperationError
      ? new Error(vscode.l10n.t("Can't search the package index: {0}", errorText(error)))
      : error;
  }
}
