import * as vscode from "vscode";
import { phrase, type Text } from "../api/phrase.ts";
import type { TenantSetting } from "./tenant.ts";
import { readTenant, type Tenant } from "./tenant.ts";

const section = "platformWorkbench";
const setting = "tenants";
const currentKey = "currentTenant";

/** The user's tenants: those in the user settings, and those that are provided for the lifetime of the window. */
export class TenantRegistry implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #provided = new Map<string, Tenant>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listener: vscode.Disposable;

  /** Fires when tenants were added, removed, or changed, or when the current tenant changed. */
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
    this.#listener = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${section}.${setting}`)) {
        this.#changed.fire();
      }
    });
  }

  /** All valid tenants, and the problems of invalid settings entries. */
  read(): { readonly tenants: readonly Tenant[]; readonly problems: readonly Text[] } {
    const tenants = new Map(this.#provided);
    const value = this.#value();
    const problems: Text[] =
      value === undefined || Array.isArray(value)
        ? []
        : [phrase`The setting platformWorkbench.tenants isn't an array.`];
    for (const entry of this.#entries()) {
      const result = readTenant(entry);
      if ("problem" in result) {
        problems.push(result.problem);
      } else if (tenants.has(result.tenant.id)) {
        problems.push(phrase`Two tenants have the ID "${result.tenant.id}". The first one is used.`);
      } else {
        tenants.set(result.tenant.id, result.tenant);
      }
    }
    return { tenants: [...tenants.values()], problems };
  }

  get all(): readonly Tenant[] {
    return this.read().tenants;
  }

  get(id: string): Tenant | undefined {
    return this.all.find((tenant) => tenant.id === id);
  }

  /** The tenant for commands without a selection: the one that the user chose, or the first one. */
  get current(): Tenant | undefined {
    const chosen = this.#state.get<string>(currentKey);
    return (chosen === undefined ? undefined : this.get(chosen)) ?? this.all[0];
  }

  async setCurrent(id: string): Promise<void> {
    await this.#state.update(currentKey, id);
    this.#changed.fire();
  }

  /** Adds a tenant to the user settings. Replaces an entry with the same id. */
  async save(entry: TenantSetting): Promise<void> {
    const others = this.#entries().filter((other) => idOf(other) !== entry.id);
    await this.#write([...others, entry]);
  }

  async remove(id: string): Promise<void> {
    if (this.#provided.delete(id)) {
      this.#changed.fire();
      return;
    }
    await this.#write(this.#entries().filter((other) => idOf(other) !== id));
  }

  /** The unchanged settings entry, for editing. */
  entry(id: string): unknown {
    return this.#entries().find((other) => idOf(other) === id);
  }

  /** Adds a tenant to the list without storing it. */
  provide(tenant: Tenant): void {
    this.#provided.set(tenant.id, tenant);
    this.#changed.fire();
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }

  #entries(): readonly unknown[] {
    const value = this.#value();
    return Array.isArray(value) ? value : [];
  }

  #value(): unknown {
    return vscode.workspace.getConfiguration(section).get<unknown>(setting);
  }

  async #write(entries: readonly unknown[]): Promise<void> {
    await vscode.workspace.getConfiguration(section).update(setting, entries, vscode.ConfigurationTarget.Global);
  }
}

function idOf(entry: unknown): unknown {
  return typeof entry === "object" && entry !== null && "id" in entry ? entry.id : undefined;
}
