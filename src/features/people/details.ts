import * as vscode from "vscode";
import { userEntries } from "../../api/families/people.ts";
import type { DetailsReader } from "../../ui/details/details.ts";
import { plainDetails } from "../../ui/details/fields.ts";

/** Reads users for their documents. The platform returns them only in a list. */
export const userReaders = {
  user: async ({ client, resource }) => {
    for await (const page of userEntries(client)) {
      const user = page.find(({ id }) => String(id) === resource.id);
      if (user !== undefined) {
        return plainDetails(vscode.l10n.t("User"), user);
      }
    }
    throw new Error(vscode.l10n.t("{0} is not in the tenant's user list.", resource.name));
  },
} satisfies Record<string, DetailsReader>;
