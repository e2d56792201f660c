import { createHmac, randomBytes } from "node:crypto";

/** The tokens of one run: random, or made from a secret so that they are the same again after a restart. */
export class Tokens {
  readonly #secret: string;

  constructor(secret: string = randomBytes(32).toString("hex")) {
    this.#secret = secret;
  }

  /** The credential of the platform. */
  get platform(): string {
    return this.#derive("platform");
  }

  /** The token of one workspace's content server. */
  notebook(workspaceId: string): string {
    return this.#derive(`notebook ${workspaceId}`);
  }

  #derive(purpose: string): string {
    return createHmac("sha256", this.#secret).update(purpose).digest("hex").slice(0, 48);
  }
}
