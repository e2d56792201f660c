import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { AccessError } from "../../tenants/access-error.ts";
import type { Connections } from "../../tenants/connections.ts";
import { withoutLinks } from "../../tenants/messages.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import type { ConflictError } from "../errors.ts";
import type { BlockedSave } from "./failed-operation.ts";

/** Commands that unblock saves. */
export interface SaveRemedies {
  readonly start: string;
  readonly enterToken: string;
  readonly signIn: string;
  /** `{file}` is the file's URI in the arguments of the following commands. */
  readonly merge: string;
  readonly compare: string;
  readonly overwrite: string;
}

/**
 * The error of a save that conflicts with the server's version, with links to resolve it. The editor closes the message
 * when the file is saved or reverted.
 */
export function conflictingSaveError(
  uri: vscode.Uri,
  { server }: ConflictError,
  remedies: SaveRemedies,
): vscode.FileSystemError {
  const argument = { file: uri.toString() };
  if (server === undefined) {
    return vscode.FileSystemError.Unavailable(
      vscode.l10n.t(
        "Can't save {0}: it was renamed or deleted on the server since you opened it. Your changes are kept here. [Create It Again]({1}), or save it under another name.",
        withoutLinks(nameOf(addressOf(uri).path)),
        commandLink(remedies.overwrite, argument),
      ),
    );
  }
  return vscode.FileSystemError.Unavailable(
    vscode.l10n.t(
      "Can't save {0}: it was changed on the server since you opened it. [Merge]({1}), [Compare]({2}), or [Overwrite]({3}).",
      withoutLinks(nameOf(addressOf(uri).path)),
      commandLink(remedies.merge, argument),
      commandLink(remedies.compare, argument),
      commandLink(remedies.overwrite, argument),
    ),
  );
}

/**
 * The error of a save that needs a running workspace, a token, or a sign-in. It contains a link, because the editor
 * shows it in its own message and a second message would be redundant.
 */
export function blockedSaveError(
  { uri, problem, error }: BlockedSave,
  connections: Pick<Connections, "nameOf" | "tenant">,
  remedies: SaveRemedies,
): vscode.FileSystemError {
  const { tenantId, workspaceId, path } = addressOf(uri);
  const file = withoutLinks(nameOf(path));
  const workspace = withoutLinks(connections.nameOf(tenantId, workspaceId));
  switch (problem) {
    case "start":
      return vscode.FileSystemError.Unavailable(
        vscode.l10n.t(
          "Can't save {0}: {1} is stopped. [Start it]({2}), and the file is saved automatically.",
          file,
          workspace,
          commandLink(remedies.start, { tenantId, workspaceId }),
        ),
      );
    case "token": {
      const link = commandLink(remedies.enterToken, { tenantId, workspaceId });
      return vscode.FileSystemError.NoPermissions(
        error instanceof AccessError
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
    }
    case "signedOut": {
      const tenant = connections.tenant(tenantId).label;
      const link = commandLink(remedies.signIn, { tenantId });
      return vscode.FileSystemError.NoPermissions(
        error instanceof AccessError
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

function commandLink(command: string, argument: Readonly<Record<string, string>>): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify([argument])).replace(/[()]/g, percentEncoded)}`;
}

/** Encodes a character that would end a link in a message. */
function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
