import * as vscode from "vscode";
import { getDesign } from "../../api/catalogue/operations/designs.ts";
import { transferDesign } from "../../api/catalogue/operations/ownership.ts";
import { addDesignAdmins, ownerIdOf } from "../../api/families/designs.ts";
import { allUsers } from "../../api/families/people.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { changeOwner } from "../../ui/commands/owner-change.ts";
import { withProgressIn } from "../../ui/commands/progress.ts";
import { versionName } from "../../ui/format/labels.ts";
import { sizeText } from "../../ui/format/quantities.ts";
import { namedResource, type ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import { namesOf, type PrincipalWithAccess, pickPeople } from "../../ui/quick-input/people-picker.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import type { TreesOf } from "../../ui/tree/lazy-trees.ts";
import { treeCommands } from "../../ui/tree/tree-commands.ts";
import { type ChosenVersion, chooseDesign, chooseVersion } from "./choice.ts";
import { compareVersions, compareWithFolder } from "./comparison.ts";
import type { DesignsCommandId } from "./declarations.ts";
import { downloadSource } from "./download.ts";
import { designFileUri } from "./files.ts";
import { designRow } from "./rows/design.ts";
import { sourceFiles } from "./sources.ts";

interface DesignCommandParts extends ResourceChoiceParts {
  readonly trees: TreesOf<"designs">;
}

/** The app design commands of rows and the palette. */
export function designCommands(services: DesignCommandParts): CommandHandlers<DesignsCommandId> {
  const { designs } = services.trees;
  const parts = { ...services, connections: withProgressIn(designs, services.connections) };
  return {
    ...treeCommands("Designs", designs),
    "platformWorkbench.browseDesignFiles": async (run, argument) =>
      openFile(await chooseVersion(parts, run, argument, vscode.l10n.t("Browse App Design Files"))),
    "platformWorkbench.downloadDesignSource": async (run, argument) =>
      downloadSource(await chooseVersion(parts, run, argument, vscode.l10n.t("Download App Design Source"))),
    "platformWorkbench.compareDesignVersions": async (run, argument) => {
      const design = await chooseDesign(parts, run, argument, vscode.l10n.t("Compare App Design Versions"));
      const named = namedResource(argument);
      await compareVersions(design, named?.type === "designVersion" ? named.id : undefined);
    },
    "platformWorkbench.compareDesignWithFolder": async (run, argument) =>
      compareWithFolder(await chooseVersion(parts, run, argument, vscode.l10n.t("Compare App Design with a Folder"))),
    "platformWorkbench.addDesignAdmins": (run, argument) => addAdmins(parts, run, argument),
    "platformWorkbench.changeDesignOwner": async (run, argument) => {
      const title = vscode.l10n.t("Change App Design Owner");
      const { client, tenantId, designId, name } = await chooseDesign(parts, run, argument, title);
      const { owner } = await client.call(getDesign, { designId });
      const changed = await changeOwner(parts.connections, {
        client,
        resource: { type: "design", tenantId, id: designId, name },
        title,
        owner: ownerIdOf(owner),
        consequence: vscode.l10n.t("The current owner can lose access to it."),
        operation: transferDesign,
        transfer: (userId) => client.call(transferDesign, { designId, body: { newOwner: userId } }),
      });
      if (changed) {
        await parts.trees.designs.refreshLists(tenantId, "designs");
      }
    },
  };
}

/** Opens one of a version's files, chosen by path, in a read-only editor. */
async function openFile({ client, tenantId, designId, version, name }: ChosenVersion): Promise<void> {
  const items = sourceFiles(client, { designId, version }).then((files) =>
    [...files].map(([path, { byteLength }]) => ({
      label: path,
      description: sizeText(byteLength, vscode.env.language),
      iconPath: vscode.ThemeIcon.File,
      resourceUri: designFileUri({ tenantId, designId, designName: name, version, path }),
    })),
  );
  const title = vscode.l10n.t("Files of {0}", versionName(name, version));
  const chosen = await pickItem(items, { title, placeHolder: vscode.l10n.t("File path") });
  await vscode.commands.executeCommand("vscode.open", chosen.resourceUri);
}

async function addAdmins(parts: DesignCommandParts, run: CommandRun, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Add App Design Admins");
  const { client, designId, tenantId, name } = await chooseDesign(parts, run, argument, title);
  const { owners } = await client.call(getDesign, { designId, parts: "owners" });
  const withAccess = (owners ?? []).map(({ id, displayName, detail }): PrincipalWithAccess => {
    const email = detail?.email ?? undefined;
    return {
      type: "USER",
      id: String(id),
      name: displayName ?? String(id),
      access: vscode.l10n.t("admin"),
      ...(email === undefined ? {} : { email }),
    };
  });
  const people = await pickPeople({
    title: `${title} · ${name}`,
    placeholder: vscode.l10n.t("Search people by name or email"),
    withAccess,
    list: (signal) => allUsers(client, { signal }),
  });
  await addDesignAdmins(
    client,
    designId,
    people.map(({ id }) => id),
  );
  const { designs } = parts.trees;
  await designs.refreshLists(tenantId, `design/${designId}/owners`);
  if (designs.row(tenantId, `design/${designId}`) !== undefined) {
    const parts = "owners,creator,thumbnail,versions,cards";
    designs.replace(designRow(tenantId, await client.call(getDesign, { designId, parts })));
  }
  void showInformation(
    people.length === 1
      ? vscode.l10n.t("{0} is now an admin of {1}.", namesOf(people), name)
      : vscode.l10n.t("{0} are now admins of {1}.", namesOf(people), name),
  );
}
