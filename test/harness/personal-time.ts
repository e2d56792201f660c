/**
 * The clock of one client. It moves only when a test moves it, so that no cache expires because the machine is slow.
 */
export class PersonalTime {
  #now = Date.now();

  readonly now = (): number => this.#now;

  /** Moves the clock forward by this number of milliseconds. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
