/** A value of which each account has its own. */
export interface AccountValue<T> {
  readonly create: () => T;
}

/**
 * Everything that a program remembers for one account: caches of what the tenant returned to it. All clients of a sign-in
 * share one scope. It ends with the sign-in, so that nobody sees what another account was allowed to see.
 */
export class AccountScope {
  readonly #values = new Map<AccountValue<unknown>, unknown>();
  #isEnded = false;

  /** The account's value, created when it is first needed. After the scope has ended, each call creates a new one. */
  get<T>(value: AccountValue<T>): T {
    if (this.#values.has(value)) {
      return this.#values.get(value) as T;
    }
    const created = value.create();
    if (!this.#isEnded) {
      this.#values.set(value, created);
    }
    return created;
  }

  /** Discards all values. Requests that are still under way can't store anything anymore. */
  end(): void {
    this.#isEnded = true;
    this.#values.clear();
  }
}
