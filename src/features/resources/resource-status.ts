import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { Workspace } from "../../api/catalogue/models/workspaces.ts";
import { displayedName } from "../../api/displayed-text.ts";
import { errorMessage } from "../../api/error-message.ts";
import { isCompanion, KernelServer } from "../../api/kernels/kernel-server.ts";
import { type MemoryLevel, nextMemoryLevel } from "../../api/resources/memory-level.ts";
import type { ResourceUsage } from "../../api/resources/resource-usage.ts";
import type { CompanionPlace } from "../../tenants/companions.ts";
import { showWarning } from "../../tenants/messages.ts";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import type { ResourceUsages } from "../../tenants/workspaces/resource-usages.ts";
import { activeUris } from "../../ui/commands/active-uris.ts";
import { memoryText, shareText } from "../../ui/format/quantities.ts";
import { card } from "../../ui/tree/presentation.ts";
import type { ResourceServices } from "./resource-services.ts";
import { memoryOf, resourceText } from "./resource-text.ts";

/** High contrast themes have no such background, so that the icon has to say it, too. */
const appearances: Readonly<Record<MemoryLevel, { readonly icon: string; readonly color: string | undefined }>> = {
  normal: { icon: "dashboard", color: undefined },
  warning: { icon: "warning", color: "statusBarItem.warningBackground" },
  critical: { icon: "error", color: "statusBarItem.errorBackground" },
};
/** Milliseconds between two looks at which notebooks use the kernels. */
const namesIntervalMs = 30_000;

/** What is known about a workspace, until its user signs out. */
interface KnownWorkspace {
  level: MemoryLevel;
  /** As the platform reports it: its size and its time limit. */
  workspace: Workspace | undefined;
  isReading: boolean;
  /** The notebooks of kernels, by the kernels' ids. */
  names: ReadonlyMap<string, string>;
  namesRead: number;
}

/** The status bar item with the resources of the active editor's workspace, and the warning before memory is full. */
export class ResourceStatus implements vscode.Disposable {
  readonly #services: Pick<ResourceServices, "connections" | "log">;
  readonly #usages: ResourceUsages;
  readonly #item = vscode.window.createStatusBarItem(
    "platformWorkbench.resources",
    vscode.StatusBarAlignment.Right,
    99,
  );
  readonly #known = new Map<string, KnownWorkspace>();
  readonly #listeners: vscode.Disposable;
  #place: CompanionPlace | undefined;
  #watch: vscode.Disposable | undefined;

  constructor(services: Pick<ResourceServices, "connections" | "log" | "secrets">, usages: ResourceUsages) {
    this.#services = services;
    this.#usages = usages;
    this.#item.name = vscode.l10n.t("Workspace Resources");
    this.#listeners = vscode.Disposable.from(
      usages.onDidChange((place) => (isSame(place, this.#place) ? this.#show(place) : undefined)),
      services.secrets.onDidSignOut((tenantId) => {
        for (const key of [...this.#known.keys()].filter((one) => one.startsWith(`${tenantId}/`))) {
          this.#known.delete(key);
        }
      }),
    );
  }

  /** Shows the workspace of the active editor. Call it whenever another tab may be active. */
  update(): void {
    const place = activePlace();
    if (isSame(place, this.#place)) {
      return;
    }
    this.#watch?.dispose();
    this.#place = place;
    this.#watch = undefined;
    this.#item.hide();
    if (place !== undefined) {
      this.#watch = this.#usages.watch(place, { asksServer: false });
      this.#show(place);
    }
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#watch?.dispose();
    this.#item.dispose();
  }

  #show(place: CompanionPlace): void {
    const usage = this.#usages.latest(place);
    const known = this.#of(place);
    const name = this.#services.connections.nameOf(place.tenantId, place.workspaceId);
    const shown = usage && resourceText(usage, name, known.workspace, (id) => known.names.get(id), Date.now());
    if (usage === undefined || shown === undefined) {
      this.#item.hide();
      return;
    }
    this.#readFacts(place, known, usage);
    const memory = memoryOf(usage, known.workspace);
    const before = known.level;
    if (memory?.limit !== undefined && memory.limit > 0) {
      const share = memory.used / memory.limit;
      known.level = nextMemoryLevel(before, share);
      if (known.level === "critical" && before !== "critical") {
        void this.#warn(place, known, usage, share);
      }
    }
    const { icon, color } = appearances[known.level];
    this.#item.text = `$(${icon}) ${shown.text}`;
    this.#item.tooltip = card(shown.card);
    this.#item.accessibilityInformation = { label: shown.label };
    this.#item.backgroundColor = color === undefined ? undefined : new vscode.ThemeColor(color);
    this.#item.command = {
      command: "platformWorkbench.showKernelMemory",
      title: vscode.l10n.t("Show Kernels"),
      arguments: [place],
    };
    this.#item.show();
  }

  /** Names the kernel that uses most, before the system ends one. */
  async #warn(place: CompanionPlace, known: KnownWorkspace, usage: ResourceUsage, share: number): Promise<void> {
    const { language } = vscode.env;
    await this.#readNames(place, known);
    const [top] = usage.kernels;
    const workspace = this.#services.connections.nameOf(place.tenantId, place.workspaceId);
    const full = shareText(share, language);
    const text =
      top === undefined
        ? vscode.l10n.t("The memory of {0} is {1} full. When it is full, kernels end.", workspace, full)
        : vscode.l10n.t(
            "The memory of {0} is {1} full. When it is full, kernels end. The kernel of {2} uses the most: {3}.",
            workspace,
            full,
            displayedName(known.names.get(top.id) ?? top.id),
            memoryText(top.memory, language),
          );
    const show = vscode.l10n.t("Show Kernels");
    if ((await showWarning(text, show)) === show) {
      await vscode.commands.executeCommand("platformWorkbench.showKernelMemory", place);
    }
  }

  /** Reads once what the platform says about the workspace, and which notebooks use kernels that have no name yet. */
  #readFacts(place: CompanionPlace, known: KnownWorkspace, { kernels }: ResourceUsage): void {
    const isNew = kernels.some(({ id }) => !known.names.has(id));
    const isDue = performance.now() - known.namesRead >= namesIntervalMs;
    if (isNew && isDue) {
      void this.#readNames(place, known).then(() => this.#showAgain(place));
    }
    if (!known.isReading) {
      known.isReading = true;
      this.#services.connections.workspace(place.tenantId, place.workspaceId).then(
        (workspace) => {
          known.workspace = workspace;
          this.#showAgain(place);
        },
        (error: unknown) => this.#services.log.debug(`resources: ${errorMessage(error)}`),
      );
    }
  }

  async #readNames(place: CompanionPlace, known: KnownWorkspace): Promise<void> {
    known.namesRead = performance.now();
    try {
      const { connections } = this.#services;
      const server = new KernelServer(() => connections.content(place.tenantId, place.workspaceId));
      const sessions = await server.sessionsIfAny();
      known.names = new Map(
        sessions.flatMap((session) =>
          session.kernel === undefined
            ? []
            : [[session.kernel.id, isCompanion(session) ? vscode.l10n.t("Companion") : nameOf(session.path)] as const],
        ),
      );
    } catch (error) {
      this.#services.log.debug(`resources: ${errorMessage(error)}`);
    }
  }

  #showAgain(place: CompanionPlace): void {
    if (isSame(place, this.#place)) {
      this.#show(place);
    }
  }

  #of({ tenantId, workspaceId }: CompanionPlace): KnownWorkspace {
    const key = `${tenantId}/${workspaceId}`;
    const known = this.#known.get(key) ?? {
      level: "normal",
      workspace: undefined,
      isReading: false,
      names: new Map(),
      namesRead: Number.NEGATIVE_INFINITY,
    };
    this.#known.set(key, known);
    return known;
  }
}

/** The workspace whose file is in the active editor. */
function activePlace(): CompanionPlace | undefined {
  const uri = activeUris().find((one) => one.scheme === scheme);
  if (uri === undefined) {
    return undefined;
  }
  try {
    const { tenantId, workspaceId } = addressOf(uri);
    return { tenantId, workspaceId };
  } catch {
    // It names no workspace.
    return undefined;
  }
}

function isSame(one: CompanionPlace | undefined, other: CompanionPlace | undefined): boolean {
  return one?.tenantId === other?.tenantId && one?.workspaceId === other?.workspaceId;
}
