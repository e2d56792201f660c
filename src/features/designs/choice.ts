import * as vscode from "vscode";
import * as z from "zod/mini";
import type { DesignVersion } from "../../api/catalogue/models/designs.ts";
import { listDesignVersions } from "../../api/catalogue/operations/designs.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { createdOf, versionsOf } from "../../api/families/designs.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { absoluteDate, isoDate } from "../../ui/format/dates.ts";
import { withoutVersion } from "../../ui/format/labels.ts";
import { chooseResource, namedResource, type ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import { versionLook } from "./rows/version.ts";
import { newestFirst } from "./versions.ts";

/** The design that a command applies to. */
export interface ChosenDesign {
  readonly tenantId: string;
  readonly designId: string;
  readonly name: string;
  readonly client: PlatformClient;
}

export interface ChosenVersion extends ChosenDesign {
  readonly version: string;
}

const ofDesign = z.looseObject({ tenantId: z.string(), designId: z.string() });
const ofVersion = z.looseObject({ designName: z.string() });
const ofList = z.looseObject({ of: z.looseObject({ resource: z.looseObject({ name: z.string() }) }) });

/**
 * The design of a row (a design, a list below it, a version), or the one that the user picks. Throws a
 * CancellationError if canceled.
 */
export async function chooseDesign(
  parts: ResourceChoiceParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<ChosenDesign> {
  const named = z.safeParse(ofDesign, argument);
  if (named.success) {
    const { tenantId, designId } = named.data;
    const name = nameWithin(argument) ?? designId;
    run.setErrorContext({ tenantId, entities: [{ id: designId, name }] });
    return { tenantId, designId, name, client: await parts.connections.platform(tenantId) };
  }
  const version = namedResource(argument);
  if (version?.type === "designVersion" && version.parentId !== undefined) {
    const { tenantId, parentId: designId } = version;
    const name = withoutVersion(version.name, version.id) ?? version.name;
    run.setErrorContext({ tenantId, entities: [{ id: designId, name }] });
    return { tenantId, designId, name, client: await parts.connections.platform(tenantId) };
  }
  const { tenantId, id, name } = await chooseResource(parts, run, argument, { type: "design", title });
  return { tenantId, designId: id, name, client: await parts.connections.platform(tenantId) };
}

function nameWithin(argument: unknown): string | undefined {
  const version = z.safeParse(ofVersion, argument);
  const list = z.safeParse(ofList, argument);
  return version.success ? version.data.designName : list.data?.of.resource.name;
}

/** The version of a row, or the one that the user picks from the design's versions. */
export async function chooseVersion(
  parts: ResourceChoiceParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<ChosenVersion> {
  const design = await chooseDesign(parts, run, argument, title);
  const named = namedResource(argument);
  if (named?.type === "designVersion") {
    return { ...design, version: named.id };
  }
  const version = await pickVersion(design, `${title} · ${design.name}`, vscode.l10n.t("Version"), []);
  return { ...design, version };
}

/** Asks for one of a design's versions, newest first, without the excluded ones. */
export async function pickVersion(
  { client, designId, name }: ChosenDesign,
  title: string,
  placeHolder: string,
  without: readonly string[],
): Promise<string> {
  const items = client.call(listDesignVersions, { designId }).then((response) => {
    const versions = newestFirst(versionsOf(response)).filter(({ version }) => !without.includes(version));
    if (versions.length === 0) {
      throw new Error(
        without.length === 0
          ? vscode.l10n.t("{0} has no versions yet.", name)
          : vscode.l10n.t("{0} has no other version to compare with.", name),
      );
    }
    return versions.map(versionItem);
  });
  const chosen = await pickItem(items, { title, placeHolder });
  return chosen.version;
}

function versionItem(version: DesignVersion): vscode.QuickPickItem & { readonly version: string } {
  const { icon, ...look } = versionLook(version);
  return {
    ...look,
    version: version.version,
    detail: absoluteDate(isoDate(createdOf(version)), vscode.env.language) ?? "",
    iconPath: new vscode.ThemeIcon(icon),
  };
}
