import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { commandOf, type RemedyCommand } from "../../tenants/access-remedy.ts";
import type { Connections } from "../../tenants/connections.ts";
import { localizedText } from "../../tenants/error-text.ts";
import { withoutLinks } from "../../tenants/messages.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import type { ConflictError } from "../errors.ts";
import type { BlockedSave } from "./failed-operation.ts";

/**
 * The error of a save that conflicts with the server's version, with links to resolve it. The editor closes the message
 * when the file is saved or reverted.
 */
export function conflictingSaveError(uri: vscode.Uri, { server }: ConflictError): vscode.FileSystemError {
  const link = (id: string): string => commandLink([id, { file: uri.toString() }]);
  const overwrite = link("platformWorkbench.overwriteServerVersion");
  if (server === undefined) {
    return vscode.FileSystemError.Unavailable(
      vscode.l10n.t(
        "Can't save {0}: it was renamed or deleted on the server since you opened it. Your changes are kept here. [Create It Again]({1}), or save it under another name.",
        withoutLinks(nameOf(addressOf(uri).path)),
        overwrite,
      ),
    );
  }
  return vscode.FileSystemError.Unavailable(
    vscode.l10n.t(
      "Can't save {0}: it was changed on the server since you opened it. [Merge]({1}), [Compare]({2}), or [Overwrite]({3}).",
      withoutLinks(nameOf(addressOf(uri).path)),
      link("platformWorkbench.mergeWithServer"),
      link("platformWorkbench.compareWithServer"),
      overwrite,
    ),
  );
}

/**
 * The error of a save that is repeated. If that needs a running workspace, a token, or a sign-in, it contains a link,
 * because the editor shows it in its own message and a second message would be redundant.
 */
export function blockedSaveError(
  blocked: BlockedSave,
  connections: Pick<Connections, "nameOf" | "tenant">,
): vscode.FileSystemError {
  const { tenantId, workspaceId, path } = addressOf(blocked.uri);
  const file = withoutLinks(nameOf(path));
  const workspace = withoutLinks(connections.nameOf(tenantId, workspaceId));
  if (blocked.remedy === "none") {
    return vscode.FileSystemError.Unavailable(
      vscode.l10n.t(
        "Can't save {0}: {1}. The file is saved automatically when {2} responds again.",
        file,
        localizedText(blocked.reason),
        workspace,
      ),
    );
  }
  const { obstacle, remedy } = blocked;
  const link = commandLink(commandOf(remedy));
  switch (remedy.type) {
    case "start":
      return vscode.FileSystemError.Unavailable(
        vscode.l10n.t(
          "Can't save {0}: {1} is stopped. [Start it]({2}), and the file is saved automatically.",
          file,
          workspace,
          link,
        ),
      );
    case "enterToken":
      return vscode.FileSystemError.NoPermissions(
        obstacle.type === "noToken"
          ? vscode.l10n.t(
              "Can't save {0}: there is no notebook token for {1}. [Enter it]({2}), and the file is saved automatically.",
              file,
              workspace,
              link,
            )
          : vscode.l10n.t(
              "Can't save {0}: the notebook token for {1} is no longer valid. [Enter a new one]({2}), and the file is saved automatically.",
              file,
              workspace,
              link,
            ),
      );
    case "signIn": {
      const tenant = connections.tenant(tenantId).label;
      return vscode.FileSystemError.NoPermissions(
        obstacle.type === "signedOut"
          ? vscode.l10n.t(
              "Can't save {0}: you aren't signed in to {1}. [Sign in]({2}), and the file is saved automatically.",
              file,
              tenant,
              link,
            )
          : vscode.l10n.t(
              "Can't save {0}: {1} no longer accepts your credential. [Sign in again]({2}), and the file is saved automatically.",
              file,
              tenant,
              link,
            ),
      );
    }
  }
}

function commandLink([id, ...parameters]: RemedyCommand): string {
  return `command:${id}?${encodeURIComponent(JSON.stringify(parameters)).replace(/[()]/g, percentEncoded)}`;
}

/** Encodes a character that would end a link in a message. */
function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
