import * as vscode from "vscode";
import * as z from "zod/mini";
import type { PackageFunction } from "../../api/catalogue/models/code-engine.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { publicFunctions, readPackage, readPackages, readVersion } from "../../api/families/code-engine.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { versionLabel, versionName } from "../../ui/format/labels.ts";
import { currentTenant, namedResource, type ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import { pickBySearch } from "../../ui/quick-input/search-pick.ts";

/** The version of a package that a command applies to. */
export interface ChosenVersion {
  readonly client: PlatformClient;
  readonly tenantId: string;
  readonly packageId: string;
  readonly packageName: string;
  readonly version: string;
}

/** A function with the version that it belongs to. */
export interface ChosenFunction extends ChosenVersion {
  readonly function: PackageFunction & { readonly name: string };
}

const ofVersion = z.looseObject({
  tenantId: z.string(),
  packageId: z.string(),
  packageName: z.string(),
  version: z.union([z.string(), z.looseObject({ version: z.string() })]),
});
const ofFunction = z.looseObject({ functionName: z.string() });

/** The version of a row (a version or a function), or the one that the user picks. Throws a CancellationError if canceled. */
export async function chooseVersion(
  { registry, connections }: ResourceChoiceParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<ChosenVersion> {
  const below = z.safeParse(ofVersion, argument);
  if (below.success) {
    const { tenantId, packageId, packageName, version } = below.data;
    run.setErrorContext({ tenantId, entities: [{ id: packageId, name: packageName }] });
    const client = await connections.platform(tenantId);
    return {
      client,
      tenantId,
      packageId,
      packageName,
      version: typeof version === "string" ? version : version.version,
    };
  }
  const named = namedResource(argument);
  const tenantId = named?.tenantId ?? currentTenant(registry).id;
  run.setErrorContext({ tenantId });
  const client = await connections.platform(tenantId);
  const { id: packageId, name: packageName } =
    named?.type === "functionPackage" ? named : await pickPackage(client, title);
  return {
    client,
    tenantId,
    packageId,
    packageName,
    version: await pickVersion(client, packageId, packageName, title),
  };
}

/** The function of a row, or the one that the user picks. Throws a CancellationError if canceled. */
export async function chooseFunction(
  parts: ResourceChoiceParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<ChosenFunction> {
  const chosen = await chooseVersion(parts, run, argument, title);
  const { client, packageId, packageName, version } = chosen;
  const functions = publicFunctions(await readVersion(client, packageId, version));
  const wanted = z.safeParse(ofFunction, argument).data?.functionName;
  const found = functions.find(({ name }) => name === wanted);
  if (found !== undefined) {
    return { ...chosen, function: found };
  }
  if (wanted !== undefined) {
    throw new Error(vscode.l10n.t("{0} no longer has a function {1}.", versionName(packageName, version), wanted));
  }
  const picked = await pickBySearch({
    title: `${title} · ${versionName(packageName, version)}`,
    placeholder: vscode.l10n.t("Search functions by name"),
    nothingFits: vscode.l10n.t("No matching functions"),
    async *search(text) {
      yield functions
        .filter(({ name }) => contains(name, text))
        .map((value) => ({
          label: value.name,
          description: value.description ?? "",
          iconPath: new vscode.ThemeIcon("symbol-function"),
          value,
        }));
    },
  });
  return { ...chosen, function: picked };
}

function pickPackage(client: PlatformClient, title: string): Promise<{ readonly id: string; readonly name: string }> {
  return pickBySearch({
    title,
    placeholder: vscode.l10n.t("Search code engine packages by name"),
    nothingFits: vscode.l10n.t("No matching code engine packages"),
    async *search(text, signal) {
      const packages = await readPackages(client, { signal });
      yield packages.flatMap(({ id, name = id, description }) =>
        id === undefined || name === undefined || !contains(name, text)
          ? []
          : [{ label: name, description, iconPath: new vscode.ThemeIcon("package"), value: { id, name } }],
      );
    },
  });
}

/** The only version, or the one that the user picks. Throws if there is none. */
async function pickVersion(client: PlatformClient, packageId: string, name: string, title: string): Promise<string> {
  const { versions } = await readPackage(client, packageId);
  const [only, ...others] = versions;
  if (only === undefined) {
    throw new Error(vscode.l10n.t("{0} has no versions yet.", name));
  }
  if (others.length === 0) {
    return only.version;
  }
  return pickBySearch({
    title: `${title} · ${name}`,
    placeholder: vscode.l10n.t("Version of {0}", name),
    nothingFits: vscode.l10n.t("No matching versions"),
    async *search(text) {
      yield versions
        .filter(({ version }) => version.includes(text))
        .map(({ version, isReleased }) => ({
          label: versionLabel(version),
          description: isReleased ? vscode.l10n.t("released") : vscode.l10n.t("draft"),
          iconPath: new vscode.ThemeIcon("tag"),
          value: version,
        }));
    },
  });
}

function contains(name: string, text: string): boolean {
  return name.toLocaleLowerCase().includes(text.toLocaleLowerCase());
}
