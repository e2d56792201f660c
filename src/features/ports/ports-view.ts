import * as vscode from "vscode";
import type { Connections } from "../../tenants/connections.ts";
import type { StableRow } from "../../ui/tree/elements.ts";
import { StableRows } from "../../ui/tree/stable-rows.ts";
import { displayedRow } from "../../ui/tree/tree-items.ts";
import type { ForwardedPorts, PortRow } from "./forwarded-ports.ts";

/** Milliseconds in which several changes are drawn once. */
const redrawPauseMs = 100;

/** The Ports view, which is visible while a port is forwarded. */
export class PortsView implements vscode.TreeDataProvider<StableRow<PortRow>>, vscode.Disposable {
  readonly #ports: ForwardedPorts;
  readonly #connections: Pick<Connections, "nameOf">;
  readonly #changed = new vscode.EventEmitter<StableRow<PortRow>[] | undefined>();
  readonly #disposables: vscode.Disposable;
  readonly #rows = new StableRows(keyOf);
  #timer: NodeJS.Timeout | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(ports: ForwardedPorts, connections: Pick<Connections, "nameOf">) {
    this.#ports = ports;
    this.#connections = connections;
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      vscode.window.createTreeView("platformWorkbench.ports", { treeDataProvider: this }),
      ports.onDidChange(() => {
        this.#timer ??= setTimeout(() => this.#redraw(), redrawPauseMs);
      }),
    );
  }

  getChildren(element?: StableRow<PortRow>): StableRow<PortRow>[] {
    return element === undefined ? this.#rows.elements : [];
  }

  getTreeItem({ row }: StableRow<PortRow>): vscode.TreeItem {
    const { tenantId, workspaceId, port, name } = row;
    const workspace = this.#connections.nameOf(tenantId, workspaceId);
    const item = new vscode.TreeItem(name === "" ? String(port) : `${port} · ${name}`);
    item.id = keyOf(row);
    item.contextValue = row.type === "forwarded" ? "forwardedPort" : "listeningPort";
    if (row.type === "listening") {
      item.description = workspace;
      item.iconPath = new vscode.ThemeIcon("circle-outline");
      item.tooltip = vscode.l10n.t("A program in {0} listens on port {1}. It isn't forwarded.", workspace, port);
    } else {
      const address = `127.0.0.1:${row.localPort}`;
      item.description = row.problem ?? `${address} · ${workspace}`;
      item.iconPath =
        row.problem === undefined
          ? new vscode.ThemeIcon("plug", new vscode.ThemeColor("charts.green"))
          : new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
      const forwarded = vscode.l10n.t("Port {0} of {1} is forwarded to {2}.", port, workspace, address);
      item.tooltip = row.problem === undefined ? forwarded : `${forwarded}\n${row.problem}`;
      item.command = {
        command: "platformWorkbench.openForwardedPort",
        title: vscode.l10n.t("Open in Browser"),
        arguments: [row],
      };
    }
    item.accessibilityInformation = { label: item.tooltip };
    return displayedRow(item);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#disposables.dispose();
  }

  #redraw(): void {
    this.#timer = undefined;
    const { rows } = this.#ports;
    const changed = this.#rows.replace(rows);
    // Connections to a port begin and end all the time, without a change of the rows.
    if (changed?.length !== 0) {
      const isInUse = rows.some(({ type }) => type === "forwarded");
      void vscode.commands.executeCommand("setContext", "platformWorkbench.forwardsPorts", isInUse);
      this.#changed.fire(changed);
    }
  }
}

function keyOf({ tenantId, workspaceId, type, port }: PortRow): string {
  return `${tenantId}/${workspaceId}/${type}/${port}`;
}
