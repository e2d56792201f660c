import * as vscode from "vscode";
import type { Companion } from "../api/companion/companion.ts";
import { CompanionUnavailableError } from "../api/companion/errors.ts";
import { lazy } from "../api/lazy.ts";
import { phrase } from "../api/phrase.ts";

/** A workspace of a tenant. */
export interface CompanionPlace {
  readonly tenantId: string;
  readonly workspaceId: string;
}

/** The companions of workspaces: a hidden Python kernel that serves what the contents API can't. */
export interface Companions {
  /**
   * The companion of a workspace, which is started if it isn't running. Rejects with a CompanionUnavailableError, an
   * AccessError, a PlatformError, or the signal's reason. Callers then do without it.
   */
  get(place: CompanionPlace, signal?: AbortSignal): Promise<Companion>;
  /** The companion, if it is running and this window is connected to it. Starts nothing. */
  running(place: CompanionPlace): Companion | undefined;
  /** Fires when this window has connected to a companion, and when it can't be used anymore. */
  readonly onDidChange: vscode.Event<CompanionPlace>;
}

/** What owns the companions of this window. */
export interface CompanionOwner extends Pick<Companions, "get" | "running"> {
  /** Ends all companions that no other window uses, because this window closes. */
  close(): Promise<void>;
}

/** The companions that features share. What owns them loads on first use. */
export class SharedCompanions implements Companions, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<CompanionPlace>();
  #load: (() => Promise<CompanionOwner>) | undefined;
  #owner: CompanionOwner | undefined;

  readonly onDidChange = this.#changed.event;

  /** Sets what loads the owner. */
  provide(load: () => Promise<CompanionOwner>): void {
    this.#load = lazy(async () => {
      this.#owner = await load();
      return this.#owner;
    });
  }

  /** Reports a change. Called by the owner. */
  notify(place: CompanionPlace): void {
    this.#changed.fire(place);
  }

  async get(place: CompanionPlace, signal?: AbortSignal): Promise<Companion> {
    if (this.#load === undefined) {
      throw new CompanionUnavailableError("off", phrase`Companions aren't available here.`);
    }
    return (await this.#load()).get(place, signal);
  }

  running(place: CompanionPlace): Companion | undefined {
    return this.#owner?.running(place);
  }

  /** Ends the companions that no other window uses. Never rejects. */
  async close(): Promise<void> {
    // The window closes, and its log with it.
    await this.#owner?.close().catch(() => {});
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
