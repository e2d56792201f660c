import * as vscode from "vscode";
import { uriOf } from "../../tenants/workspace-uri.ts";
import { candidatesOf, type FileName, fileNamesIn, rootOf } from "./file-names.ts";
import type { TerminalServices } from "./terminal-services.ts";
import type { WorkspaceTerminal } from "./workspace-terminal.ts";

/** A file of a workspace that a terminal names. */
export interface FileLink extends vscode.TerminalLink {
  readonly uri: vscode.Uri;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** Makes the names of existing files in a workspace's terminals links, which open them in the editor. */
export class FileLinks implements vscode.TerminalLinkProvider<FileLink> {
  readonly #terminalOf: (terminal: vscode.Terminal) => WorkspaceTerminal | undefined;
  readonly #files: TerminalServices["files"];
  /** The absolute path of each workspace's root, when a name has shown it. */
  readonly #roots = new Map<string, string>();

  constructor(
    terminalOf: (terminal: vscode.Terminal) => WorkspaceTerminal | undefined,
    { files }: Pick<TerminalServices, "files">,
  ) {
    this.#terminalOf = terminalOf;
    this.#files = files;
  }

  async provideTerminalLinks(
    { line, terminal }: vscode.TerminalLinkContext,
    token: vscode.CancellationToken,
  ): Promise<FileLink[]> {
    const shown = this.#terminalOf(terminal);
    if (shown === undefined) {
      return [];
    }
    const links: FileLink[] = [];
    for (const name of fileNamesIn(line)) {
      const uri = token.isCancellationRequested ? undefined : await this.#fileOf(name, shown);
      if (uri !== undefined) {
        const { start: startIndex, length } = name;
        const tooltip = vscode.l10n.t("Open {0}", uri.path.slice(1));
        links.push({ startIndex, length, tooltip, uri, line: name.line, column: name.column });
      }
    }
    return links;
  }

  async handleTerminalLink({ uri, line, column }: FileLink): Promise<void> {
    const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), Math.max(0, (column ?? 1) - 1));
    const options = line === undefined ? {} : { selection: new vscode.Range(position, position) };
    await vscode.commands.executeCommand("vscode.open", uri, options);
  }

  async #fileOf({ path }: FileName, { address, folder }: WorkspaceTerminal): Promise<vscode.Uri | undefined> {
    const { tenantId, workspaceId } = address;
    const key = `${tenantId}/${workspaceId}`;
    for (const candidate of candidatesOf(path, folder, this.#roots.get(key))) {
      const uri = uriOf(tenantId, workspaceId, candidate);
      if (await this.#isFile(uri)) {
        const root = rootOf(path, candidate);
        if (root !== undefined && candidate.includes("/")) {
          this.#roots.set(key, root);
        }
        return uri;
      }
    }
    return undefined;
  }

  /** Mostly without a request, because the file system knows the folders that the window shows. */
  async #isFile(uri: vscode.Uri): Promise<boolean> {
    try {
      return ((await this.#files.stat(uri)).type & vscode.FileType.File) !== 0;
    } catch {
      return false;
    }
  }
}
