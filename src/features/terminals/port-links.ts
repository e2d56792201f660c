import * as vscode from "vscode";
import { localUrlsIn } from "../../api/ports/printed-addresses.ts";
import type { TerminalServices } from "./terminal-services.ts";
import type { WorkspaceTerminal } from "./workspace-terminal.ts";

/** A URL of the workspace itself that a terminal shows. */
export interface PortLink extends vscode.TerminalLink {
  readonly terminal: WorkspaceTerminal;
  readonly port: number;
  readonly url: URL;
}

/**
 * Makes URLs such as `http://localhost:8501` in a workspace's terminals links that forward the port first: on this
 * computer, localhost is something else.
 */
export class PortLinks implements vscode.TerminalLinkProvider<PortLink> {
  readonly #terminalOf: (terminal: vscode.Terminal) => WorkspaceTerminal | undefined;
  readonly #services: Pick<TerminalServices, "ports" | "showError">;

  constructor(
    terminalOf: (terminal: vscode.Terminal) => WorkspaceTerminal | undefined,
    services: Pick<TerminalServices, "ports" | "showError">,
  ) {
    this.#terminalOf = terminalOf;
    this.#services = services;
  }

  provideTerminalLinks({ line, terminal }: Pick<vscode.TerminalLinkContext, "line" | "terminal">): PortLink[] {
    const shown = this.#terminalOf(terminal);
    return shown === undefined
      ? []
      : localUrlsIn(line).map(({ start: startIndex, length, port, url }) => {
          const tooltip = vscode.l10n.t("Forward port {0} of the workspace, and open it", port);
          return { startIndex, length, tooltip, terminal: shown, port, url };
        });
  }

  async handleTerminalLink({ terminal, port, url }: PortLink): Promise<void> {
    const { tenantId, workspaceId } = terminal.address;
    try {
      await this.#services.ports.open({ tenantId, workspaceId }, port, url);
    } catch (error) {
      await this.#services.showError(error, { tenantId, workspaceId });
    }
  }
}
