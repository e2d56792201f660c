/** Which subshells are no longer needed, and which requests each of them has not handled yet. */
export class SubshellRequests {
  /** Ids of subshells that are no longer needed, and whose deletion the kernel has not confirmed. */
  readonly #ended = new Set<string>();
  /** Id of the subshell of each request that was not handled, by message id. */
  readonly #requests = new Map<string, string>();

  /** Number of requests that were not handled. */
  get size(): number {
    return this.#requests.size;
  }

  get ended(): ReadonlySet<string> {
    return this.#ended;
  }

  /** Records a request that was sent to a subshell. */
  add(messageId: string, subshell: string): void {
    this.#requests.set(messageId, subshell);
  }

  /** Records that a subshell is no longer needed. Returns true if it can be deleted, because it has handled its requests. */
  end(subshell: string): boolean {
    this.#ended.add(subshell);
    return ![...this.#requests.values()].includes(subshell);
  }

  /** Records that the kernel has deleted a subshell. */
  deleted(subshell: string): void {
    this.#ended.delete(subshell);
  }

  /**
   * Records that a subshell has handled a request, and all earlier ones, even if it didn't report them. Returns the id of a
   * subshell that can be deleted now.
   */
  handled(messageId: string): string | undefined {
    const subshell = this.#requests.get(messageId);
    if (subshell === undefined) {
      return undefined;
    }
    const ids = [...this.#requests.keys()];
    for (const id of ids.slice(0, ids.indexOf(messageId) + 1)) {
      if (this.#requests.get(id) === subshell) {
        this.#requests.delete(id);
      }
    }
    return this.#ended.has(subshell) && this.end(subshell) ? subshell : undefined;
  }

  /** Drops the requests, because their replies will not come. The next connection deletes the subshells. */
  lose(): void {
    this.#requests.clear();
  }

  /** Drops everything, because the kernel's process ended, and its subshells with it. */
  drop(): void {
    this.#ended.clear();
    this.#requests.clear();
  }
}
