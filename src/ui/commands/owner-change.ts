import * as vscode from "vscode";
import type { AnyOperation } from "../../api/catalogue/operation.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { allUsers, type Principal } from "../../api/families/people.ts";
import { pickItem } from "../quick-input/show-input.ts";
import type { PlatformResource } from "../resources/resource.ts";
import { userNames } from "../resources/user-names.ts";
import { confirm } from "./confirmation.ts";
import type { PlatformConnections } from "./progress.ts";
import { orOnWebPage } from "./web-page-offer.ts";

interface OwnerChange {
  readonly client: PlatformClient;
  readonly resource: PlatformResource;
  /** The title of the command. */
  readonly title: string;
  /** The id of the current owner. */
  readonly owner: string | number | null | undefined;
  /** What becomes of the current owner, as a sentence. */
  readonly consequence: string;
  readonly operation: AnyOperation;
  /** Makes the user with this id the owner. */
  readonly transfer: (userId: string) => Promise<unknown>;
}

/**
 * Asks for the new owner of a resource, confirms with both names, and changes it. Resolves with false if the platform
 * can't. Throws a CancellationError if canceled.
 */
export async function changeOwner(
  connections: Pick<PlatformConnections, "tenant">,
  { client, resource, title, owner, consequence, operation, transfer }: OwnerChange,
): Promise<boolean> {
  const { name } = resource;
  const before = String(owner ?? "");
  const items = readUsers(client).then((users) =>
    users
      .filter(({ id }) => id !== before)
      .map((principal) => ({
        label: principal.name,
        description: principal.email ?? "",
        iconPath: new vscode.ThemeIcon("person"),
        principal,
      })),
  );
  const placeHolder = vscode.l10n.t("Choose the new owner");
  const { principal } = await pickItem(items, { title: `${title} · ${name}`, placeHolder, matchOnDescription: true });
  const known = (await userNames(client, [owner])).get(before);
  await confirm({
    question: vscode.l10n.t("Make {0} the owner of {1}?", principal.name, name),
    touched: known === undefined ? [] : [vscode.l10n.t("Owner now: {0}", known)],
    consequence,
    action: vscode.l10n.t("Change Owner"),
  });
  const work = (): Promise<unknown> => transfer(principal.id);
  return !(await orOnWebPage(connections, client, resource, { operations: [operation], work })).isOnWebPage;
}

async function readUsers(client: PlatformClient): Promise<readonly Principal[]> {
  const users: Principal[] = [];
  for await (const page of allUsers(client)) {
    users.push(...page);
  }
  return users;
}
