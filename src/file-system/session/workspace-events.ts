/** A change, reported after the cache was updated. */
export type FileChange = { readonly type: "created" | "changed" | "deleted"; readonly path: string };

/** An observer of a workspace's files. */
interface WorkspaceObserver {
  /** Files were changed, by this window or another client. The editor is also notified. */
  changed?(changes: readonly FileChange[]): void;
  /** A cell has ended, which may have written files on the server. */
  cellEnded?(): void;
  /** The server has responded to a request. */
  serverResponded?(): void;
  /** The cache was cleared: after an explicit refresh, a start, or a new token. */
  refreshed?(): void;
}

/** The events of one workspace. Observers are called in the order in which they were added. */
export class WorkspaceEvents {
  readonly #observers: WorkspaceObserver[] = [];

  observe(observer: WorkspaceObserver): void {
    this.#observers.push(observer);
  }

  changed(...changes: readonly FileChange[]): void {
    this.#notify((observer) => observer.changed?.(changes));
  }

  cellEnded(): void {
    this.#notify((observer) => observer.cellEnded?.());
  }

  serverResponded(): void {
    this.#notify((observer) => observer.serverResponded?.());
  }

  refreshed(): void {
    this.#notify((observer) => observer.refreshed?.());
  }

  #notify(notify: (observer: WorkspaceObserver) => void): void {
    this.#observers.forEach(notify);
  }
}
