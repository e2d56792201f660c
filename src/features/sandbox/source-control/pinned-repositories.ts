import * as vscode from "vscode";
import * as z from "zod/mini";
import { type PlatformResource, resource, resourceKey } from "../../../ui/resources/resource.ts";

/** The key of the pinned repositories in the global state. */
const pinnedKey = "pinnedRepositories";

/** The repositories with an entry in Source Control, in all windows. */
export class PinnedRepositories implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<PlatformResource>();

  /** Fires when a repository was pinned or unpinned. */
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get all(): readonly PlatformResource[] {
    const kept = z.safeParse(z.array(resource), this.#state.get<unknown>(pinnedKey, []));
    return (kept.data ?? []).filter(({ type }) => type === "repository");
  }

  has(repository: PlatformResource): boolean {
    return this.all.some((one) => resourceKey(one) === resourceKey(repository));
  }

  async pin(repository: PlatformResource): Promise<void> {
    await this.#write([...this.#without(repository), repository], repository);
  }

  async unpin(repository: PlatformResource): Promise<void> {
    await this.#write(this.#without(repository), repository);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #without(repository: PlatformResource): readonly PlatformResource[] {
    return this.all.filter((one) => resourceKey(one) !== resourceKey(repository));
  }

  async #write(repositories: readonly PlatformResource[], changed: PlatformResource): Promise<void> {
    await this.#state.update(pinnedKey, repositories);
    this.#changed.fire(changed);
  }
}
