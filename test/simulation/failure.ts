/** An invariant that does not hold. */
export class BrokenInvariant extends Error {
  override readonly name = "BrokenInvariant";
  /** A short name of the invariant, by which failures are compared while a schedule is made smaller. */
  readonly invariant: string;

  constructor(invariant: string, details: string) {
    super(`${invariant}: ${details}`);
    this.invariant = invariant;
  }
}
