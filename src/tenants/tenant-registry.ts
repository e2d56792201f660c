import * as vscode from "vscode";
import { phrase, type Text } from "../api/phrase.ts";
import type { TenantSetting } from "./tenant.ts";
import { readTenant, type Tenant } from "./tenant.ts";
import { scheme, splitAuthority } from "./workspace-uri.ts";

const section = "platformWorkbench";
const setting = "tenants";
const currentKey = "currentTenant";

/** The user's tenants: those in the user settings, and those that are provided for the lifetime of the window. */
export class TenantRegistry implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #provided = new Map<string, Tenant>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listeners: readonly vscode.Disposable[];
  /** The tenant that the user chose in this window since it shows its folders. */
  #chosenHere: string | undefined;

  /** Fires when tenants were added, removed, or changed, or when the current tenant changed. */
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
    let current = this.current?.id;
    this.#listeners = [
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${section}.${setting}`)) {
          this.#changed.fire();
        }
      }),
      this.onDidChange(() => {
        current = this.current?.id;
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#chosenHere = undefined;
        if (this.current?.id !== current) {
          this.#changed.fire();
        }
      }),
    ];
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

  /**
   * The tenant for commands without a selection, which the status bar shows: the one that the user chose in this window,
   * the one whose workspace the window shows, the one that the user chose in another window, or the first one.
   */
  get current(): Tenant | undefined {
    const { all } = this;
    const ids = [this.#chosenHere, tenantOfWindow(), this.#state.get<string>(currentKey)];
    return ids.map((id) => all.find((tenant) => tenant.id === id)).find((tenant) => tenant !== undefined) ?? all[0];
  }

  async setCurrent(id: string): Promise<void> {
    this.#chosenHere = id;
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
    vscode.Disposable.from(...this.#listeners, this.#changed).dispose();
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

/** The id of the tenant whose workspace is a folder of this window. */
function tenantOfWindow(): string | undefined {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === scheme);
  return folder === undefined ? undefined : splitAuthority(folder.uri.authority)?.tenantId;
}

function idOf(entry: unknown): unknown {
  return typeof entry === "object" && entry !== null && "id" in entry ? entry.id : undefined;
}
