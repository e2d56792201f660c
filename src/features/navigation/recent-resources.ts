import type * as vscode from "vscode";
import * as z from "zod/mini";
import { type PlatformResource, resource, resourceKey } from "../../ui/resources/resource.ts";

const recentKey = "recentResources";
const mostRecent = 20;

/** What the person went to last, the newest first, over all windows. */
export class RecentResources {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  of(tenantId: string): readonly PlatformResource[] {
    return this.#all().filter((one) => one.tenantId === tenantId);
  }

  async add(newest: PlatformResource): Promise<void> {
    const others = this.#all().filter((one) => resourceKey(one) !== resourceKey(newest));
    await this.#state.update(recentKey, [newest, ...others].slice(0, mostRecent));
  }

  #all(): readonly PlatformResource[] {
    const kept = z.safeParse(z.array(resource), this.#state.get<unknown>(recentKey, []));
    return kept.success ? kept.data : [];
  }
}
