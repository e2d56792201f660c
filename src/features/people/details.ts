import * as vscode from "vscode";
import type { AnswerOf } from "../../api/catalogue/operation.ts";
import { listUsers } from "../../api/catalogue/operations/users.ts";
import { everyPage } from "../../api/catalogue/paging.ts";
import type { DetailsReader } from "../../ui/details/details.ts";
import { plainDetails } from "../../ui/details/fields.ts";

const pageSize = 200;

/** Reads people for their documents: the platform has them in a list alone. */
export const userReaders = {
  user: async ({ client, resource }) => {
    const pages = everyPage<AnswerOf<typeof listUsers>[number]>({
      pageSize,
      keyOf: ({ id }) => id,
      fetch: async (offset) => ({ items: await client.call(listUsers, { limit: pageSize, offset }) }),
    });
    for await (const page of pages) {
      const user = page.find(({ id }) => String(id) === resource.id);
      if (user !== undefined) {
        return plainDetails(vscode.l10n.t("User"), user);
      }
    }
    throw new Error(vscode.l10n.t("The tenant's user list does not have {0}.", resource.name));
  },
} satisfies Record<string, DetailsReader>;
