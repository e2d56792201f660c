import * as vscode from "vscode";
import * as z from "zod/mini";
import type { PlatformClient } from "../../api/client/client.ts";
import { allWorkspaces } from "../../api/families/workspaces.ts";
import { errorText } from "../../tenants/error-text.ts";
import { accountKeys } from "../../tenants/stored-account-state.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import {
  currentTenant,
  type ResourceChoiceParts,
  resourceItem,
  resourceSearch,
} from "../../ui/quick-input/choose-resource.ts";
import type { ValueItem } from "../../ui/quick-input/replaced-items.ts";
import { pickWhileSearching, type SearchItem } from "../../ui/quick-input/search-pick.ts";
import { type PlatformResource, resource, resourceKey } from "../../ui/resources/resource.ts";
import { workspaceName } from "../../ui/resources/workspace-rows.ts";
import type { Trees } from "../../ui/tree/lazy-trees.ts";
import type { NavigationCommandId } from "./declarations.ts";

export interface AnythingChoiceParts extends ResourceChoiceParts {
  readonly recent: RecentResources;
}

interface GoToAnythingParts extends AnythingChoiceParts {
  readonly trees: Trees;
}

type Item = ValueItem<PlatformResource>;
type Found = readonly SearchItem<PlatformResource>[];

/** A section of the list: the results of one type, or the error of its search. */
type Section =
  | { readonly type: "searching"; readonly items: Found }
  | { readonly type: "found"; readonly items: Found }
  | { readonly type: "failed"; readonly reason: string };

const shownOfEach = 20;

const groups = ["workspace", "design", "page", "repository", "workflow"] as const;
type Group = (typeof groups)[number];

/**
 * `Go to Anything on the Platform…`: one list of all named resources, with recent ones first. The platform searches it.
 */
export function goToAnythingCommands(parts: GoToAnythingParts) {
  return {
    "platformWorkbench.goToAnything": async (run) => {
      const chosen = await chooseAnything(parts, run, (tenant) => vscode.l10n.t("Go to Anything on {0}", tenant));
      await goTo(chosen, parts.trees);
    },
  } satisfies Partial<CommandHandlers<NavigationCommandId>>;
}

/** Asks for a resource of the current tenant, and adds it to the recent ones. Canceling throws a CancellationError. */
export async function chooseAnything(
  { registry, connections, recent }: AnythingChoiceParts,
  run: CommandRun,
  titleFor: (tenant: string) => string,
): Promise<PlatformResource> {
  const tenant = currentTenant(registry);
  run.setErrorContext({ tenantId: tenant.id });
  const client = await connections.platform(tenant.id);
  const chosen = await pick(client, tenant.id, titleFor(tenant.label), recent.of(tenant.id));
  await recent.add(chosen);
  return chosen;
}

/**
 * Opens a resource: a workspace as a folder, anything else as its details. Selects its row if it is shown in a tree.
 */
export async function goTo(chosen: PlatformResource, trees: Pick<Trees, "loaded">): Promise<void> {
  if (chosen.type === "workspace") {
    const reference = { tenantId: chosen.tenantId, workspaceId: chosen.id };
    await vscode.commands.executeCommand("platformWorkbench.openWorkspace", reference);
    return;
  }
  await vscode.commands.executeCommand("platformWorkbench.showDetails", chosen);
  for (const tree of trees.loaded) {
    const row = tree
      .rows(chosen.tenantId)
      .find((one) => one.resource && resourceKey(one.resource) === resourceKey(chosen));
    if (row !== undefined) {
      await tree.reveal(row.tenantId, row.key);
    }
  }
}

function pick(
  client: PlatformClient,
  tenantId: string,
  title: string,
  recent: readonly PlatformResource[],
): Promise<PlatformResource> {
  const placeholder = vscode.l10n.t("Search workspaces, app designs, pages, repositories, and workflows by name");
  // The last results stay visible during a search. The editor filters them, so that rows don't move under the pointer.
  const last = new Map<Group, Found>();
  return pickWhileSearching<PlatformResource>(
    { title, placeholder },
    async (text, signal, { show, setBusy }) => {
      const sections = new Map<Group, Section>(
        groups.map((group) => [group, { type: "searching", items: last.get(group) ?? [] }]),
      );
      const draw = (): void => {
        if (!signal.aborted) {
          show(itemsOf(text, recent, sections));
          setBusy([...sections.values()].some(({ type }) => type === "searching"));
        }
      };
      draw();
      await Promise.all(
        groups.map(async (group) => {
          const section = await firstFound(group, client, tenantId, text, signal);
          sections.set(group, section);
          if (section.type !== "failed" && !signal.aborted) {
            last.set(group, section.items);
          }
          draw();
        }),
      );
    },
    () => true,
  );
}

/** The first page of matching resources. An error of one type does not affect the other types. */
async function firstFound(
  group: Group,
  client: PlatformClient,
  tenantId: string,
  text: string,
  signal: AbortSignal,
): Promise<Section> {
  try {
    const pages =
      group === "workspace"
        ? workspaces(client, tenantId, text, signal)
        : resourceSearch[group](client, tenantId, text, signal);
    const { value } = await pages.next();
    return { type: "found", items: value ?? [] };
  } catch (error) {
    return { type: "failed", reason: errorText(error) };
  }
}

async function* workspaces(
  client: PlatformClient,
  tenantId: string,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Found> {
  for await (const page of allWorkspaces(client, name, { signal })) {
    yield page.map((workspace) =>
      resourceItem({ type: "workspace", tenantId, id: workspace.id, name: workspaceName(workspace, vscode.l10n.t) }),
    );
  }
}

function itemsOf(
  text: string,
  recent: readonly PlatformResource[],
  sections: ReadonlyMap<Group, Section>,
): readonly Item[] {
  const lately = text === "" ? recent.map((one) => withType(resourceItem(one))) : [];
  const known = new Set(lately.map(({ value }) => resourceKey(value)));
  const found = groups.flatMap((group): Item[] => {
    const section = sections.get(group);
    if (section?.type === "failed") {
      return [
        separator(groupWord(group)),
        { label: section.reason, iconPath: new vscode.ThemeIcon("error"), alwaysShow: true },
      ];
    }
    const items = (section?.items ?? [])
      .filter(({ value }) => !known.has(resourceKey(value)))
      .slice(0, shownOfEach)
      .map(withType);
    return items.length === 0 ? [] : [separator(groupWord(group)), ...items];
  });
  const isDone = [...sections.values()].every(({ type }) => type !== "searching");
  const items = [...(lately.length === 0 ? [] : [separator(vscode.l10n.t("recent")), ...lately]), ...found];
  return isDone && items.length === 0 ? [{ label: vscode.l10n.t("No results"), alwaysShow: true }] : items;
}

/** Adds the type to an item, because the editor does not show separators while the user types. */
function withType(item: SearchItem<PlatformResource>): SearchItem<PlatformResource> {
  const { type } = item.value;
  const word = isGroup(type) ? typeWord(type) : "";
  return { ...item, description: [word, item.description ?? ""].filter((part) => part !== "").join(" · ") };
}

function isGroup(type: string): type is Group {
  return groups.some((group) => group === type);
}

function typeWord(group: Group): string {
  switch (group) {
    case "workspace":
      return vscode.l10n.t("workspace");
    case "design":
      return vscode.l10n.t("app design");
    case "page":
      return vscode.l10n.t("page");
    case "repository":
      return vscode.l10n.t("repository");
    case "workflow":
      return vscode.l10n.t("workflow");
  }
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function groupWord(group: Group): string {
  switch (group) {
    case "workspace":
      return vscode.l10n.t("workspaces");
    case "design":
      return vscode.l10n.t("app designs");
    case "page":
      return vscode.l10n.t("pages");
    case "repository":
      return vscode.l10n.t("repositories");
    case "workflow":
      return vscode.l10n.t("workflows");
  }
}

const maxRecent = 20;

/** The user's most recent resources in all windows, newest first. */
export class RecentResources {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  of(tenantId: string): readonly PlatformResource[] {
    return this.#all().filter((one) => one.tenantId === tenantId);
  }

  async add(newest: PlatformResource): Promise<void> {
    const others = this.#all().filter((one) => resourceKey(one) !== resourceKey(newest));
    await this.#state.update(accountKeys.recentResources, [newest, ...others].slice(0, maxRecent));
  }

  #all(): readonly PlatformResource[] {
    const kept = z.safeParse(z.array(resource), this.#state.get<unknown>(accountKeys.recentResources, []));
    return kept.success ? kept.data : [];
  }
}
