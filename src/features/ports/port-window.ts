import * as vscode from "vscode";
import type { PrintedAddress } from "../../api/ports/printed-addresses.ts";
import type { CompanionPlace } from "../../tenants/companions.ts";
import { showInformation } from "../../tenants/messages.ts";
import { WindowActivity } from "../../tenants/window-activity.ts";
import type { PrintedBy, WorkspacePorts } from "../../tenants/workspaces/workspace-ports.ts";
import { ForwardedPorts } from "./forwarded-ports.ts";
import { ListeningPorts } from "./listening-ports.ts";
import { openPort } from "./open-port.ts";
import type { PortServices } from "./port-services.ts";
import { type PortSuggestion, PortSuggestions, type SuggestionMode } from "./port-suggestions.ts";
import { PortsView } from "./ports-view.ts";

const section = "platformWorkbench.ports";
const setting = "suggest";
/** Milliseconds without focus or input after which no ports are read. */
const absentAfterMs = 30_000;

/** The forwarded ports of a window, their view, and the ports that it suggests. */
export class PortWindow implements WorkspacePorts, vscode.Disposable {
  readonly forwarded: ForwardedPorts;
  readonly #services: PortServices;
  readonly #listening: ListeningPorts;
  readonly #suggestions: PortSuggestions;
  readonly #disposables: vscode.Disposable;

  constructor(services: PortServices) {
    const { companions, connections, log, secrets } = services;
    const presence = new WindowActivity(absentAfterMs);
    const listening = new ListeningPorts({ companions, log, presence, followsAll: () => suggestionMode() === "ask" });
    const forwarded = new ForwardedPorts({ companions, secrets, listening });
    this.#services = services;
    this.#listening = listening;
    this.forwarded = forwarded;
    this.#suggestions = new PortSuggestions({
      listening,
      isForwarded: (address) => forwarded.isForwarded(address),
      mode: suggestionMode,
      offer: (suggestion) => this.#offer(suggestion),
    });
    this.#disposables = vscode.Disposable.from(
      this.#suggestions,
      new PortsView(forwarded, connections),
      forwarded,
      listening,
      presence,
      vscode.workspace.onDidChangeConfiguration((event) =>
        event.affectsConfiguration(`${section}.${setting}`) ? listening.updateAll() : undefined,
      ),
      secrets.onDidSignOut((tenantId) => {
        listening.remove(tenantId);
        this.#suggestions.remove(tenantId);
      }),
    );
  }

  /** Follows the ports of a workspace whose companion may have changed. */
  update(place: CompanionPlace): void {
    this.#listening.update(place);
  }

  async suggest(addresses: readonly PrintedAddress[], by: PrintedBy): Promise<void> {
    this.#suggestions.printed(addresses, by);
  }

  async open({ tenantId, workspaceId }: CompanionPlace, port: number, url: URL): Promise<void> {
    await this.#forwardAndOpen({ tenantId, workspaceId, port, url });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Asks once. Never rejects. */
  async #offer(suggestion: PortSuggestion): Promise<void> {
    const { tenantId, workspaceId, port, name, type } = suggestion;
    const workspace = this.#services.connections.nameOf(tenantId, workspaceId);
    const open = vscode.l10n.t("Forward and Open");
    const forward = vscode.l10n.t("Forward Port");
    const never = vscode.l10n.t("Don't Show Again");
    try {
      const chosen =
        type === "printed"
          ? await showInformation(
              vscode.l10n.t("An app in {0} is available on port {1} ({2}).", workspace, port, name),
              open,
              never,
            )
          : await showInformation(
              vscode.l10n.t("A program in {0} listens on port {1} ({2}).", workspace, port, name),
              open,
              forward,
              never,
            );
      if (chosen === open) {
        await this.#forwardAndOpen(suggestion);
      } else if (chosen === forward) {
        await this.forwarded.forward({ tenantId, workspaceId, port });
      } else if (chosen === never) {
        const settings = vscode.workspace.getConfiguration(section);
        await settings.update(setting, "off", vscode.ConfigurationTarget.Global);
      }
    } catch (error) {
      await this.#services.showError(error, { tenantId, workspaceId });
    }
  }

  async #forwardAndOpen({ url, ...address }: Omit<PortSuggestion, "type" | "name">): Promise<void> {
    const { tenantId, workspaceId, port } = address;
    await this.forwarded.forward({ tenantId, workspaceId, port });
    await openPort(this.forwarded, address, url);
  }
}

function suggestionMode(): SuggestionMode {
  const mode = vscode.workspace.getConfiguration(section).get<string>(setting, "ask");
  return mode === "off" || mode === "output" ? mode : "ask";
}
