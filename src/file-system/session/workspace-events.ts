/** A change, reported after everything that is known of the path is up to date. */
export type FileChange = { readonly type: "created" | "changed" | "deleted"; readonly path: string };

/** What somebody who follows a workspace's files hears of. */
interface WorkspaceObserver {
  /** Files changed, whoever changed them; the editor hears of it. */
  changed?(changes: readonly FileChange[]): void;
  /** The server did what it was asked. */
  serverAnswered?(): void;
  /** What was known is no longer reliable: an explicit refresh, a start, a new token. */
  refreshed?(): void;
}

/** What happens in one workspace, for its observers in the order in which they came. */
export class WorkspaceEvents {
  readonly #observers: WorkspaceObserver[] = [];

  observe(observer: WorkspaceObserver): void {
    this.#observers.push(observer);
  }

  changed(...changes: readonly FileChange[]): void {
    for (const observer of this.#observers) {
      observer.changed?.(changes);
    }
  }

  serverAnswered(): void {
    for (const observer of this.#observers) {
      observer.serverAnswered?.();
    }
  }

  refreshed(): void {
    for (const observer of this.#observers) {
      observer.refreshed?.();
    }
  }
}
