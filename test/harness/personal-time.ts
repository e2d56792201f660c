/** The time of one client: it passes only when a test lets it, so that no cache ends because the machine is slow. */
export class PersonalTime {
  #now = Date.now();

  readonly now = (): number => this.#now;

  /** Lets that many milliseconds pass. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
