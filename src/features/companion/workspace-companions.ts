import { createHash } from "node:crypto";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Companion } from "../../api/companion/companion.ts";
import { CompanionUnavailableError } from "../../api/companion/errors.ts";
import { errorMessage } from "../../api/error-message.ts";
import { phrase, type Text } from "../../api/phrase.ts";
import type { CompanionOwner, CompanionPlace } from "../../tenants/companions.ts";
import { localizedText } from "../../tenants/error-text.ts";
import { leaseFilesIn } from "../../tenants/lease-files.ts";
import { showWarning } from "../../tenants/messages.ts";
import { WindowActivity } from "../../tenants/window-activity.ts";
import type { CompanionServices } from "./companion-services.ts";
import { WorkspaceCompanion } from "./workspace-companion.ts";

const section = "platformWorkbench.companion";
/** Milliseconds between two checks of whether a companion is still used. */
const idleCheckMs = 60_000;

/** The companions of this window, by workspace. They end with the last window, when they are idle, and at sign-out. */
export class WorkspaceCompanions implements CompanionOwner, vscode.Disposable {
  readonly #services: CompanionServices;
  readonly #onChange: (place: CompanionPlace) => void;
  readonly #companions = new Map<string, WorkspaceCompanion>();
  readonly #activity = new WindowActivity();
  readonly #owner: string;
  readonly #leases;
  readonly #disposables: vscode.Disposable;

  constructor(services: CompanionServices, onChange: (place: CompanionPlace) => void) {
    const { secrets, lifecycle, storage } = services;
    this.#services = services;
    this.#onChange = onChange;
    this.#leases = leaseFilesIn(join(storage.fsPath, "kernel-leases"));
    this.#owner = createHash("sha256").update(`${vscode.env.machineId}\n${storage.fsPath}`).digest("hex").slice(0, 16);
    const timer = setInterval(() => this.#leaveIdle(), idleCheckMs);
    timer.unref();
    this.#disposables = vscode.Disposable.from(
      this.#activity,
      { dispose: () => clearInterval(timer) },
      secrets.onDidSignOut((tenantId) => this.#leave((place) => place.startsWith(`${tenantId}/`))),
      secrets.onDidChange(({ tenantId, workspaceId }) => {
        if (workspaceId !== undefined) {
          this.#companions.get(`${tenantId}/${workspaceId}`)?.reset();
        }
      }),
      lifecycle.onDidChangeState(({ state, tenantId, workspaceId }) => {
        if (state === "started") {
          this.#companions.get(`${tenantId}/${workspaceId}`)?.reset();
        }
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(section) && !isEnabled()) {
          this.#leave(() => true);
        }
      }),
    );
  }

  async get(place: CompanionPlace, signal?: AbortSignal): Promise<Companion> {
    if (!isEnabled()) {
      throw disabled();
    }
    return this.#of(place).get(signal);
  }

  running(place: CompanionPlace): Companion | undefined {
    return this.#companions.get(keyOf(place))?.running;
  }

  /** Starts a companion with a new kernel, also if it stayed off. */
  async restart(place: CompanionPlace): Promise<void> {
    if (!isEnabled()) {
      throw disabled();
    }
    await this.#of(place).restart();
  }

  /** Ends a companion for all windows. It stays off in this one. */
  async end(place: CompanionPlace): Promise<void> {
    await this.#of(place).turnOff(phrase`The companion was ended.`);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#companions.values()].map((companion) => companion.leave()));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #of(place: CompanionPlace): WorkspaceCompanion {
    const key = keyOf(place);
    const known = this.#companions.get(key);
    if (known !== undefined) {
      return known;
    }
    const { connections, log } = this.#services;
    const { tenantId, workspaceId } = place;
    const companion = new WorkspaceCompanion({
      client: () => connections.content(tenantId, workspaceId),
      owner: this.#owner,
      leases: this.#leases,
      leaseKey: `companion/${key}`,
      presence: this.#activity,
      log,
      now: () => performance.now(),
      onChange: () => this.#onChange(place),
      onOff: (reason) => void this.#offerRestart(place, reason),
    });
    this.#companions.set(key, companion);
    return companion;
  }

  /** Reports why a companion stays off. */
  async #offerRestart(place: CompanionPlace, reason: Text): Promise<void> {
    const { connections, log, showError } = this.#services;
    const name = connections.nameOf(place.tenantId, place.workspaceId);
    const again = vscode.l10n.t("Start Again");
    const text = vscode.l10n.t("{0} has no companion: {1}", name, localizedText(reason));
    log.warn(text);
    if ((await showWarning(text, again)) === again) {
      await this.restart(place).catch((error: unknown) => showError(error, place));
    }
  }

  #leaveIdle(): void {
    const minutes = vscode.workspace.getConfiguration(section).get<number>("idleMinutes", 30);
    for (const companion of minutes > 0 ? this.#companions.values() : []) {
      this.#logged(companion.leaveIfIdle(minutes * 60_000));
    }
  }

  #leave(isLeft: (key: string) => boolean): void {
    for (const [key, companion] of this.#companions) {
      if (isLeft(key)) {
        this.#companions.delete(key);
        this.#logged(companion.leave());
      }
    }
  }

  #logged(work: Promise<void>): void {
    work.catch((error: unknown) => this.#services.log.warn(`companion: ${errorMessage(error)}`));
  }
}

function keyOf({ tenantId, workspaceId }: CompanionPlace): string {
  return `${tenantId}/${workspaceId}`;
}

function disabled(): CompanionUnavailableError {
  return new CompanionUnavailableError("disabled", phrase`The companion is turned off in the settings.`);
}

function isEnabled(): boolean {
  return vscode.workspace.getConfiguration(section).get<boolean>("enabled", true);
}
