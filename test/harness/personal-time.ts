/**
 * The time of one client. It passes only when a test moves it, so that no cache expires because the machine is slow.
 */
export class PersonalTime {
  #now = Date.now();

  readonly now = (): number => this.#now;

  /** Moves the time by this many milliseconds. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
