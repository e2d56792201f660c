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
    this.#notify((observer) => observer.changed?.(changes));
  }

  serverAnswered(): void {
    this.#notify((observer) => observer.serverAnswered?.());
  }

  refreshed(): void {
    this.#notify((observer) => observer.refreshed?.());
  }

  #notify(tell: (observer: WorkspaceObserver) => void): void {
    this.#observers.forEach(tell);
  }
}
