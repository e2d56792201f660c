import * as vscode from "vscode";
import { systemClock } from "../../api/clock.ts";
import { displayedName } from "../../api/displayed-text.ts";
import { errorMessage } from "../../api/error-message.ts";
import { AddressScanner } from "../../api/ports/printed-addresses.ts";
import { TerminalConnection, type TerminalListener } from "../../api/terminals/terminal-connection.ts";
import type { TerminalState } from "../../api/terminals/terminal-interface.ts";
import { DisplayFlow } from "./display-flow.ts";
import type { TerminalAddress, TerminalServices } from "./terminal-services.ts";

export interface WorkspaceTerminalOptions {
  readonly address: TerminalAddress;
  /** The folder in which it was started, as a path in the workspace; empty for its root. */
  readonly folder: string;
  /** True if it was just started. */
  readonly isNew: boolean;
  readonly wasFullScreen: boolean;
  /** What is typed, followed by Enter, when the shell has begun. Default: nothing. */
  readonly firstLine?: string;
}

/** A terminal of a workspace as a terminal of the editor. Closing it only disconnects. */
export class WorkspaceTerminal implements vscode.Pseudoterminal, TerminalListener {
  readonly address: TerminalAddress;
  readonly folder: string;
  readonly #services: Pick<TerminalServices, "connections" | "log" | "ports">;
  readonly #options: WorkspaceTerminalOptions;
  readonly #written = new vscode.EventEmitter<string>();
  readonly #closed = new vscode.EventEmitter<void>();
  readonly #renamed = new vscode.EventEmitter<string>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #flow: DisplayFlow;
  readonly #scanner = new AddressScanner();
  #connection: TerminalConnection | undefined;
  #isFullScreen: boolean;
  #firstLine: string | undefined;

  readonly onDidWrite = this.#written.event;
  readonly onDidClose = this.#closed.event;
  readonly onDidChangeName = this.#renamed.event;
  /** Fires when its state has changed, or whether it shows a full-screen program. */
  readonly onDidChange = this.#changed.event;

  constructor(options: WorkspaceTerminalOptions, services: Pick<TerminalServices, "connections" | "log" | "ports">) {
    this.address = options.address;
    this.#firstLine = options.firstLine;
    this.folder = options.folder;
    this.#options = options;
    this.#services = services;
    this.#isFullScreen = options.wasFullScreen;
    this.#flow = new DisplayFlow(
      (text) => this.#written.fire(text),
      () => this.onOutput(),
      systemClock,
    );
  }

  get isFullScreen(): boolean {
    return this.#isFullScreen;
  }

  /** Undefined until the editor shows it. */
  get state(): TerminalState | undefined {
    return this.#connection?.state;
  }

  /** The title of its tab. */
  get title(): string {
    const { tenantId, workspaceId, name } = this.address;
    const title = `${this.#services.connections.nameOf(tenantId, workspaceId)} · ${name}`;
    switch (this.state?.type) {
      case "waiting":
      case "credentialRejected":
        return vscode.l10n.t("{0} (disconnected)", title);
      case "serverStopped":
        return vscode.l10n.t("{0} (workspace not running)", title);
      case "ended":
        return vscode.l10n.t("{0} (ended)", title);
      default:
        return title;
    }
  }

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    const { tenantId, workspaceId, name } = this.address;
    const { isNew, wasFullScreen } = this.#options;
    const connection = new TerminalConnection(
      {
        client: () => this.#services.connections.content(tenantId, workspaceId),
        name,
        isNew,
        wasFullScreen,
        size: dimensions,
        gapNotice: () => this.#notice(vscode.l10n.t("Output is missing here.")),
        log: this.#services.log,
      },
      this,
    );
    this.#connection = connection;
    connection.retry();
  }

  /** The editor has closed the terminal. */
  close(): void {
    this.#flow.dispose();
    this.#connection?.dispose();
  }

  handleInput(data: string): void {
    const typed = this.#flow.typedIn(data);
    if (this.state?.type === "ended") {
      this.#closed.fire();
    } else if (typed !== "") {
      this.#connection?.type(typed);
    }
  }

  setDimensions({ rows, columns }: vscode.TerminalDimensions): void {
    this.#connection?.resize({ rows, columns });
  }

  /** Connects now, because what prevented it may be over. */
  retry(): void {
    this.#connection?.retry();
  }

  /** Closes the terminal in this window, because its content must no longer be shown. */
  leave(): void {
    this.close();
    this.#closed.fire();
  }

  onOutput(): void {
    while (this.#flow.hasRoom) {
      const text = this.#connection?.takeOutput();
      if (text === undefined) {
        return;
      }
      this.#flow.write(text);
      this.#suggestPorts(text);
      const line = this.#firstLine;
      this.#firstLine = undefined;
      if (line !== undefined) {
        this.#connection?.type(`${line}\r`);
      }
    }
  }

  onState(state: TerminalState): void {
    if (state.type === "ended" && state.end === "exited") {
      this.#closed.fire();
    } else if (state.type === "ended") {
      this.#connection?.show(
        this.#notice(vscode.l10n.t("The terminal has ended on the server. Press any key to close it.")),
      );
    }
    this.#renamed.fire(this.title);
    this.#changed.fire();
  }

  onFullScreen(isFullScreen: boolean): void {
    this.#isFullScreen = isFullScreen;
    this.#changed.fire();
  }

  /** A line for the user. Before it, ends what a program may have left: its screen, its colors, and its modes. */
  #notice(text: string): string {
    // Without such a screen, leaving it would move the cursor to the top, so that the line covered others.
    const left = this.#isFullScreen ? "\u001b[?1049l" : "";
    return `${left}\u001b[!p\r\n\u001b[2m${text}\u001b[22m\r\n`;
  }

  /** Offers to forward the ports whose addresses the terminal shows. */
  #suggestPorts(text: string): void {
    const found = this.#scanner.take(text);
    if (found.length > 0) {
      const { tenantId, workspaceId, name } = this.address;
      const { log, ports } = this.#services;
      const by = { place: { tenantId, workspaceId }, name: vscode.l10n.t("Terminal {0}", displayedName(name)) };
      ports.suggest(found, by).catch((error: unknown) => log.error(`ports: ${errorMessage(error)}`));
    }
  }
}
