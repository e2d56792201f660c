import { phrase, type Text } from "../phrase.ts";
import { WordedError } from "../worded-error.ts";

/** Why a workspace has no companion. */
export type CompanionObstacle =
  /** The server has no kernels. */
  | "noKernels"
  /** It has kernels, but none for Python. */
  | "noPython"
  /** Its Python is older than 3.8. */
  | "oldPython"
  /** Its IPython kernel is older than 6. */
  | "oldKernel"
  /** Its Python kernel isn't IPython's. */
  | "otherKernel"
  /** The server refused to start the kernel, or the program failed in it. */
  | "refused"
  /** It sees other files than the content server. */
  | "otherFiles"
  /** A setting turns it off. */
  | "disabled"
  /** The user has ended it, or it failed a moment ago or too often. */
  | "off";

/** There is no companion, so that a feature does without it. The message says why, in one sentence. */
export class CompanionUnavailableError extends WordedError {
  override readonly name = "CompanionUnavailableError";
  readonly obstacle: CompanionObstacle;

  constructor(obstacle: CompanionObstacle, text: Text) {
    super(text);
    this.obstacle = obstacle;
  }
}

/** The companion ended, or can't be reached, before it replied. */
export class CompanionLostError extends WordedError {
  override readonly name = "CompanionLostError";
}

/** The companion reported that an operation failed. */
export class CompanionOperationError extends WordedError {
  override readonly name = "CompanionOperationError";
  /** For example, `cancelled`, `busy`, `tooLarge`, `unknown`, `failed`, or a kind of the service. */
  readonly kind: string;

  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The error for something that arrived in another shape than declared. */
export function invalidReply(operation: string): CompanionOperationError {
  return new CompanionOperationError("invalid", String(phrase`The companion's reply to ${operation} is invalid.`));
}
