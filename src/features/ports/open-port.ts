import * as vscode from "vscode";
import { showInformation } from "../../tenants/messages.ts";
import type { ForwardedPorts, PortAddress } from "./forwarded-ports.ts";

/** The command of the editor's simple browser, and the extension that has it, which some editors don't have. */
const simpleBrowser = { command: "simpleBrowser.show", extension: "vscode.simple-browser" };

/** The address of a forwarded port (`ForwardedPorts.addressOf`). Throws if the port isn't forwarded anymore. */
export async function forwardedAddress(ports: ForwardedPorts, address: PortAddress, url?: URL): Promise<vscode.Uri> {
  const { tenantId, workspaceId, port } = address;
  const uri = await ports.addressOf({ tenantId, workspaceId, port }, url);
  if (uri === undefined) {
    throw new Error(vscode.l10n.t("Port {0} isn't forwarded anymore.", port));
  }
  return uri;
}

/** Opens a forwarded port in the browser. */
export async function openPort(ports: ForwardedPorts, address: PortAddress, url?: URL): Promise<void> {
  await vscode.env.openExternal(await forwardedAddress(ports, address, url));
}

/** Opens a forwarded port in the editor's simple browser. Editors without one open the external browser, and say so. */
export async function previewPort(ports: ForwardedPorts, address: PortAddress): Promise<void> {
  const uri = await forwardedAddress(ports, address);
  // Until its extension has started, the editor doesn't list its command.
  const hasBrowser =
    vscode.extensions.getExtension(simpleBrowser.extension) !== undefined ||
    (await vscode.commands.getCommands(true)).includes(simpleBrowser.command);
  if (hasBrowser) {
    await vscode.commands.executeCommand(simpleBrowser.command, uri.toString(true));
    return;
  }
  await vscode.env.openExternal(uri);
  void showInformation(vscode.l10n.t("This editor has no browser of its own. The port was opened in your browser."));
}
