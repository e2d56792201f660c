import * as vscode from "vscode";
import type { TenantSetting } from "./tenant.ts";
import { readTenant, type Tenant } from "./tenant.ts";

const section = "platformWorkbench";
const setting = "tenants";
const currentKey = "currentTenant";

/** The tenants that the person has: those of the user settings and those that something provides while it runs. */
export class TenantRegistry implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #provided = new Map<string, Tenant>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listener: vscode.Disposable;

  /** Tenants came, went or changed, or another one became the current. */
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
    this.#listener = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${section}.${setting}`)) {
        this.#changed.fire();
      }
    });
  }

  /** Every usable tenant, and what is wrong with the entries that are not. */
  read(): { readonly tenants: readonly Tenant[]; readonly problems: readonly string[] } {
    const tenants = new Map(this.#provided);
    const problems: string[] = [];
    for (const entry of this.#entries()) {
      const result = readTenant(entry);
      if ("problem" in result) {
        problems.push(result.problem);
      } else if (tenants.has(result.tenant.id)) {
        problems.push(`Two tenants have the id "${result.tenant.id}"; the first one counts.`);
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

  /** The tenant that commands without a selection mean: the chosen one, else the first. */
  get current(): Tenant | undefined {
    const chosen = this.#state.get<string>(currentKey);
    return (chosen === undefined ? undefined : this.get(chosen)) ?? this.all[0];
  }

  async setCurrent(id: string): Promise<void> {
    await this.#state.update(currentKey, id);
    this.#changed.fire();
  }

  /** Adds a tenant to the user settings, or replaces the one of that id. */
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

  /** The entry of the settings as it stands there, for editing. */
  entry(id: string): unknown {
    return this.#entries().find((other) => idOf(other) === id);
  }

  /** Puts a tenant in the list without writing it anywhere. */
  provide(tenant: Tenant): void {
    this.#provided.set(tenant.id, tenant);
    this.#changed.fire();
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }

  #entries(): readonly unknown[] {
    const value = vscode.workspace.getConfiguration(section).get<unknown>(setting);
    return Array.isArray(value) ? value : [];
  }

  async #write(entries: readonly unknown[]): Promise<void> {
    await vscode.workspace.getConfiguration(section).update(setting, entries, vscode.ConfigurationTarget.Global);
  }
}

function idOf(entry: unknown): unknown {
  return typeof entry === "object" && entry !== null && "id" in entry ? entry.id : undefined;
}
