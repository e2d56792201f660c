import * as vscode from "vscode";
import * as z from "zod/mini";
import { errorMessage } from "../../api/error-message.ts";
import { type RunningTerminal, TerminalServer } from "../../api/terminals/terminal-server.ts";
import { commandOf } from "../../tenants/access-remedy.ts";
import { showInformation, showWarning } from "../../tenants/messages.ts";
import { FileLinks } from "./file-links.ts";
import { PortLinks } from "./port-links.ts";
import { TerminalAccess } from "./terminal-access.ts";
import type { TerminalAddress, TerminalServices } from "./terminal-services.ts";
import { WorkspaceTerminal, type WorkspaceTerminalOptions } from "./workspace-terminal.ts";

const stored = z.array(
  z.object({
    tenantId: z.string(),
    workspaceId: z.string(),
    name: z.string(),
    folder: z.string(),
    isFullScreen: z.boolean(),
  }),
);

const storedKey = "terminals";
/** Maximum number of terminals that are restored. */
const maxRestored = 50;

/** The terminals of workspaces in this window, which are stored so that they can be restored after a reload. */
export class WorkspaceTerminals implements vscode.Disposable {
  readonly #services: TerminalServices;
  readonly #shown = new Map<vscode.Terminal, WorkspaceTerminal>();
  readonly #disposables: vscode.Disposable;
  /** Workspaces for which the user is being asked for a new token. */
  readonly #asking = new Set<string>();
  #isDisposed = false;

  constructor(services: TerminalServices) {
    this.#services = services;
    this.#disposables = vscode.Disposable.from(
      vscode.window.onDidOpenTerminal((terminal) => this.#opened(terminal)),
      vscode.window.onDidCloseTerminal((terminal) => this.#closed(terminal)),
      vscode.window.registerTerminalLinkProvider(new PortLinks((terminal) => this.#shown.get(terminal), services)),
      vscode.window.registerTerminalLinkProvider(new FileLinks((terminal) => this.#shown.get(terminal), services)),
      new TerminalAccess(() => this.all, services),
    );
  }

  get all(): readonly WorkspaceTerminal[] {
    return [...this.#shown.values()];
  }

  serverOf(tenantId: string, workspaceId: string): TerminalServer {
    return new TerminalServer(() => this.#services.connections.content(tenantId, workspaceId));
  }

  /** The options of a terminal that shows the server's terminal. Attached to this window when the editor opens it. */
  optionsFor(options: WorkspaceTerminalOptions): vscode.ExtensionTerminalOptions {
    const terminal = new WorkspaceTerminal(options, this.#services);
    return { name: terminal.title, pty: terminal, iconPath: new vscode.ThemeIcon("terminal"), isTransient: true };
  }

  /** Shows a terminal of a server: the one that this window already has, or a new one. */
  show(options: WorkspaceTerminalOptions): void {
    (this.#find(options.address) ?? this.#create(options)).show();
  }

  /** Connects to the terminals that the window had before it was reloaded, and that still run. */
  async restore(): Promise<void> {
    const parsed = z.safeParse(stored, this.#services.windowState.get(storedKey));
    const records = parsed.success ? parsed.data.slice(0, maxRestored) : [];
    const workspaces = new Map(
      records.map(({ tenantId, workspaceId }) => [`${tenantId}/${workspaceId}`, { tenantId, workspaceId }]),
    );
    const running = new Map<string, readonly RunningTerminal[] | undefined>();
    for (const [key, { tenantId, workspaceId }] of workspaces) {
      try {
        running.set(key, (await this.serverOf(tenantId, workspaceId).list()) ?? []);
      } catch (error) {
        // Unreachable for now. The terminal waits for it.
        this.#services.log.debug(`terminals: ${errorMessage(error)}`);
      }
    }
    for (const { tenantId, workspaceId, name, folder, isFullScreen } of records) {
      const address = { tenantId, workspaceId, name };
      const known = running.get(`${tenantId}/${workspaceId}`);
      const mayRun = known === undefined || known.some((terminal) => terminal.name === name);
      if (mayRun && this.#find(address) === undefined && !this.#isDisposed) {
        this.#create({ address, folder, isNew: false, wasFullScreen: isFullScreen });
      }
    }
    await this.#store();
  }

  /** Closes the terminals of this window that show the server's terminal, because it was ended. */
  closeEnded(address: TerminalAddress): void {
    for (const terminal of this.all) {
      if (isSame(terminal.address, address)) {
        terminal.leave();
      }
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#disposables.dispose();
    for (const terminal of this.#shown.values()) {
      terminal.close();
    }
  }

  #create(options: WorkspaceTerminalOptions): vscode.Terminal {
    const terminal = vscode.window.createTerminal(this.optionsFor(options));
    this.#opened(terminal);
    return terminal;
  }

  #find(address: TerminalAddress): vscode.Terminal | undefined {
    for (const [terminal, { address: shown, state }] of this.#shown) {
      if (isSame(shown, address) && state?.type !== "ended") {
        return terminal;
      }
    }
    return undefined;
  }

  #opened(terminal: vscode.Terminal): void {
    const { creationOptions } = terminal;
    const pty = "pty" in creationOptions ? creationOptions.pty : undefined;
    if (pty instanceof WorkspaceTerminal && !this.#shown.has(terminal)) {
      this.#shown.set(terminal, pty);
      pty.onDidChange(() => {
        void this.#store();
        if (pty.state?.type === "credentialRejected") {
          void this.#askForToken(pty.address);
        }
      });
      void this.#store();
    }
  }

  #closed(terminal: vscode.Terminal): void {
    const pty = this.#shown.get(terminal);
    const reason = terminal.exitStatus?.reason;
    // At the end of the window, the records stay.
    if (pty === undefined || this.#isDisposed || reason === vscode.TerminalExitReason.Shutdown) {
      return;
    }
    const isRunning = pty.state?.type !== "ended";
    this.#shown.delete(terminal);
    void this.#store();
    if (isRunning && reason === vscode.TerminalExitReason.User) {
      void this.#offerEnd(pty);
    }
  }

  /** A closed terminal runs on, like a kernel, so that no work is lost. */
  async #offerEnd({ address, folder, isFullScreen: wasFullScreen }: WorkspaceTerminal): Promise<void> {
    const { tenantId, workspaceId, name } = address;
    const end = vscode.l10n.t("End Terminal");
    const show = vscode.l10n.t("Show Again");
    try {
      const workspace = this.#services.connections.nameOf(tenantId, workspaceId);
      const chosen = await showInformation(
        vscode.l10n.t("Terminal {0} still runs in {1}, with its programs.", name, workspace),
        end,
        show,
      );
      if (chosen === end) {
        await this.serverOf(tenantId, workspaceId).end(name);
      } else if (chosen === show) {
        this.show({ address, folder, isNew: false, wasFullScreen });
      }
    } catch (error) {
      await this.#services.showError(error, { tenantId, workspaceId });
    }
  }

  /** Asks once for each workspace. With the new token, its terminals connect again. */
  async #askForToken({ tenantId, workspaceId }: TerminalAddress): Promise<void> {
    const key = `${tenantId}/${workspaceId}`;
    if (this.#asking.has(key)) {
      return;
    }
    this.#asking.add(key);
    const enter = vscode.l10n.t("Enter New Token");
    try {
      const name = this.#services.connections.nameOf(tenantId, workspaceId);
      const chosen = await showWarning(
        vscode.l10n.t("The notebook token for {0} is no longer valid. To use its terminals, enter a new one.", name),
        enter,
      );
      if (chosen === enter) {
        await vscode.commands.executeCommand(...commandOf({ type: "enterToken", tenantId, workspaceId }));
      }
    } catch (error) {
      await this.#services.showError(error, { tenantId, workspaceId });
    } finally {
      this.#asking.delete(key);
    }
  }

  async #store(): Promise<void> {
    const records = [...this.#shown.values()]
      .filter(({ state }) => state?.type !== "ended" && state?.type !== "disposed")
      .map(({ address, folder, isFullScreen }) => ({ ...address, folder, isFullScreen }));
    const before = JSON.stringify(this.#services.windowState.get(storedKey) ?? []);
    if (!this.#isDisposed && JSON.stringify(records) !== before) {
      await this.#services.windowState.update(storedKey, records.length === 0 ? undefined : records);
    }
  }
}

function isSame(one: TerminalAddress, other: TerminalAddress): boolean {
  return one.tenantId === other.tenantId && one.workspaceId === other.workspaceId && one.name === other.name;
}
