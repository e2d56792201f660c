import * as vscode from "vscode";
import type { ResponseOf } from "../../api/catalogue/operation.ts";
import type { listUsers } from "../../api/catalogue/operations/users.ts";
import { principalOf, userEntries } from "../../api/families/people.ts";
import type { DetailLine, DetailsReader } from "../../ui/details/details.ts";
import { codeOf, dateOf, personOf } from "../../ui/details/values.ts";
import { userNames } from "../../ui/resources/user-names.ts";

type User = ResponseOf<typeof listUsers>[number];

/** Reads users for their documents. The platform returns users only in a list. */
export const userReaders = {
  user: async ({ client, resource }) => {
    for await (const page of userEntries(client)) {
      const user = page.find(({ id }) => String(id) === resource.id);
      if (user !== undefined) {
        const names = await userNames(client, [user.invitorUserId]);
        const invitedBy = personOf(user.invitorUserId, names);
        return {
          kind: vscode.l10n.t("User"),
          lines: [...userLines(user), [vscode.l10n.t("Invited by"), invitedBy]],
          sections: [],
          raw: user,
        };
      }
    }
    throw new Error(vscode.l10n.t("{0} isn't in the tenant's user list.", resource.name));
  },
} satisfies Record<string, DetailsReader>;

function stateOf({ pending, active }: User): string | undefined {
  if (pending === true) {
    return vscode.l10n.t("invited");
  }
  if (active === null || active === undefined) {
    return undefined;
  }
  return active ? vscode.l10n.t("active") : vscode.l10n.t("inactive");
}

function userLines(user: User): readonly DetailLine[] {
  const { id, userName, role, timeZone, created, modified } = user;
  return [
    [vscode.l10n.t("ID"), codeOf(String(id))],
    [vscode.l10n.t("Email"), principalOf(user).email],
    [vscode.l10n.t("User name"), userName ?? undefined],
    [vscode.l10n.t("Role"), role ?? undefined],
    [vscode.l10n.t("State"), stateOf(user)],
    [vscode.l10n.t("Time zone"), timeZone ?? undefined],
    [vscode.l10n.t("Created"), dateOf(created)],
    [vscode.l10n.t("Updated"), dateOf(modified)],
  ];
}
