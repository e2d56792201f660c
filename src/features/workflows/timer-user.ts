import * as vscode from "vscode";
import { getSignedInUser } from "../../api/catalogue/operations/users.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { isMissingOperation } from "../../api/client/missing-operation.ts";
import { allUsers } from "../../api/families/people.ts";
import { pickBySearch } from "../../ui/quick-input/search-pick.ts";

/**
 * The id of the user who creates a timer (API description, 2.8): the signed-in user. If the platform doesn't return
 * that user, the one that the person picks from the users. Throws if the signed-in user can't be read.
 */
export async function timerUser(client: PlatformClient, workflow: string): Promise<string> {
  try {
    return await client.signedInUserId(getSignedInUser);
  } catch (error) {
    if (!isMissingOperation(getSignedInUser, error)) {
      throw error;
    }
  }
  return pickBySearch<string>({
    title: vscode.l10n.t("Create Trigger for {0}", workflow),
    placeholder: vscode.l10n.t(
      "Select yourself. This platform doesn't return who is signed in, and a timer names its creator.",
    ),
    nothingFits: vscode.l10n.t("No matching users"),
    async *search(text, signal) {
      const wanted = text.toLocaleLowerCase();
      for await (const page of allUsers(client, { signal })) {
        yield page
          .map(({ id, name, email = "" }) => ({
            label: name,
            description: email,
            iconPath: new vscode.ThemeIcon("person"),
            value: id,
          }))
          .filter(({ label, description }) => `${label} ${description}`.toLocaleLowerCase().includes(wanted));
      }
    },
  });
}
