import * as vscode from "vscode";
import * as z from "zod/mini";
import { repositoryPermissions } from "../../api/catalogue/models/known-values.ts";
import type { Repository } from "../../api/catalogue/models/sandbox.ts";
import { getRepository, getRepositoryPermissions } from "../../api/catalogue/operations/sandbox.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import type { Principal } from "../../api/families/people.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { sentenceWords } from "../../ui/format/labels.ts";
import { chooseResource, namedResource, type ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import { pickBySearch, type SearchItem } from "../../ui/quick-input/search-pick.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import { groupNames } from "../../ui/resources/group-names.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import type { TreesOf } from "../../ui/tree/lazy-trees.ts";

export interface SandboxCommandParts extends ResourceChoiceParts {
  readonly trees: TreesOf<"sandbox">;
}

/** The repository that a command applies to, in its current state. */
interface ChosenRepository {
  readonly client: PlatformClient;
  readonly tenantId: string;
  readonly repositoryId: string;
  readonly name: string;
  readonly repository: Repository;
}

interface RowOfRepository {
  readonly of: { readonly resource: unknown };
}

/** The repository of a row or of its parent, or the one that the user picks. Throws a CancellationError if canceled. */
export async function chooseRepository(
  parts: SandboxCommandParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<ChosenRepository> {
  const own = isBelowRepository(argument) ? argument.of : argument;
  const named = namedResource(own);
  const { tenantId, id, name } = await chooseResource(parts, run, named?.type === "repository" ? named : undefined, {
    type: "repository",
    title,
  });
  const client = await parts.connections.platform(tenantId);
  const repository = await client.call(getRepository, { repositoryId: id });
  return { client, tenantId, repositoryId: id, name: repository.name ?? name, repository };
}

function isBelowRepository(argument: unknown): argument is RowOfRepository {
  return typeof argument === "object" && argument !== null && "of" in argument;
}

const permissionRow = z.looseObject({ who: z.enum(["USER", "GROUP"]), id: z.string(), name: z.string() });

interface PermissionChoice {
  readonly client: PlatformClient;
  readonly tenantId: string;
  readonly repositoryId: string;
  readonly title: string;
}

type Who = Pick<Principal, "type" | "id" | "name">;

/** Asks for a user or group and the permission, starting with those of the row. Confirms the removal of an owner. */
export async function choosePermission(
  { client, repositoryId, title }: PermissionChoice,
  argument: unknown,
  list: (signal: AbortSignal) => AsyncIterable<readonly Principal[]>,
): Promise<{ readonly who: Who; readonly permission: string }> {
  const response = await client.call(getRepositoryPermissions, { repositoryId });
  const [users, groups] = await Promise.all([
    userNames(client, Object.keys(response.userPermissions ?? {})),
    groupNames(client),
  ]);
  const now = new Map<string, string>([
    ...entries("USER", response.userPermissions),
    ...entries("GROUP", response.groupPermissions),
  ]);
  const nameOf = (type: Who["type"], id: string): string =>
    type === "GROUP"
      ? (groups.get(id) ?? vscode.l10n.t("Group {0}", id))
      : (users.get(id) ?? vscode.l10n.t("User {0}", id));
  const present = [...now.keys()].map((key): Who => {
    const [type, id = ""] = key.split("/");
    const kind = type === "GROUP" ? "GROUP" : "USER";
    return { type: kind, id, name: nameOf(kind, id) };
  });
  const row = z.safeParse(permissionRow, argument);
  const who = row.success
    ? { type: row.data.who, id: row.data.id, name: row.data.name }
    : await pickWho(title, present, now, list);
  const before = now.get(`${who.type}/${who.id}`);
  const permission = await pickPermission(`${title} · ${who.name}`, before);
  if (before === "OWNER" && permission !== "OWNER") {
    await confirm({
      question: vscode.l10n.t("{0} will no longer own the repository. Change the permission?", who.name),
      touched: [`${who.name}: ${sentenceWords(before, vscode.l10n.t)} → ${sentenceWords(permission, vscode.l10n.t)}`],
      action: vscode.l10n.t("Change"),
    });
  }
  return { who, permission };
}

function pickWho(
  title: string,
  present: readonly Who[],
  now: ReadonlyMap<string, string>,
  list: (signal: AbortSignal) => AsyncIterable<readonly Principal[]>,
): Promise<Who> {
  const item = (who: Who): SearchItem<Who> => {
    const permission = now.get(`${who.type}/${who.id}`);
    return {
      label: who.name,
      description: permission === undefined ? "" : sentenceWords(permission, vscode.l10n.t),
      iconPath: new vscode.ThemeIcon(who.type === "GROUP" ? "organization" : "person"),
      value: who,
    };
  };
  const fits = (text: string) => (who: Who) => who.name.toLocaleLowerCase().includes(text.toLocaleLowerCase());
  return pickBySearch<Who>({
    title,
    placeholder: vscode.l10n.t("Search people and groups by name"),
    nothingFits: vscode.l10n.t("No results"),
    async *search(text, signal) {
      yield present.filter(fits(text)).map(item);
      for await (const page of list(signal)) {
        yield page.filter((who) => !now.has(`${who.type}/${who.id}`) && fits(text)(who)).map(item);
      }
    },
  });
}

async function pickPermission(title: string, before: string | undefined): Promise<string> {
  const known: readonly string[] = repositoryPermissions;
  const all = before === undefined || known.includes(before) ? known : [before, ...known];
  const chosen = await pickItem(
    all.map((permission) => ({
      label: sentenceWords(permission, vscode.l10n.t),
      description: permission === before ? vscode.l10n.t("current") : "",
      permission,
    })),
    { title, placeHolder: vscode.l10n.t("Permission") },
  );
  if (chosen.permission === before) {
    throw new vscode.CancellationError();
  }
  return chosen.permission;
}

function entries(
  type: Who["type"],
  permissions: Readonly<Record<string, unknown>> | null | undefined,
): readonly (readonly [string, string])[] {
  return Object.entries(permissions ?? {}).map(([id, permission]) => [`${type}/${id}`, String(permission)]);
}
