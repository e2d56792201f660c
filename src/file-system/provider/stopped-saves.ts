import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { Connections } from "../../tenants/connections.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";

/**
 * The error of a save in an editor whose workspace does not run. The editor shows it in a message of its own, so the way
 * out is a link in it: a second message would be about the same.
 */
export function stoppedSaveError(
  uri: vscode.Uri,
  connections: Pick<Connections, "nameOf">,
  startCommand: string,
): vscode.FileSystemError {
  const { tenantId, workspaceId, path } = addressOf(uri);
  const parameters = encodeURIComponent(JSON.stringify([{ tenantId, workspaceId }])).replace(/[()]/g, percentEncoded);
  return vscode.FileSystemError.Unavailable(
    vscode.l10n.t(
      "Can't save {0}: {1} is stopped. [Start it]({2}) and the file saves itself.",
      nameOf(path),
      connections.nameOf(tenantId, workspaceId),
      `command:${startCommand}?${parameters}`,
    ),
  );
}

/** What ends a link in a message. */
function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
