import type { KernelConnection } from "../kernels/connection/connection.ts";
import { EvaluationError } from "../kernels/protocol/evaluation.ts";
import { isIPython } from "../kernels/protocol/kernel-features.ts";
import { phrase } from "../phrase.ts";
import { Companion } from "./companion.ts";
import { CompanionUnavailableError } from "./errors.ts";
import { installingExpression, otherKernel, pythonOf, statusOf } from "./program.ts";

/**
 * Installs the companion's program in the kernel of a notebook, where its services see the user's variables, unless it is
 * there. A kernel without subshells installs it when the running cell has ended. The result ends with the kernel's
 * process, and disposing of it does not close the connection. Rejects with a CompanionUnavailableError or a
 * ReplyLostError.
 */
export async function attachProgram(connection: KernelConnection): Promise<Companion> {
  if (!isIPython(await connection.ready())) {
    throw otherKernel();
  }
  try {
    const python = pythonOf(statusOf(await connection.evaluate(installingExpression())));
    return new Companion(connection, python, { ownsConnection: false });
  } catch (error) {
    if (error instanceof EvaluationError) {
      const reason = error.message.slice(0, 500);
      throw new CompanionUnavailableError("refused", phrase`The companion's program failed: ${reason}.`);
    }
    throw error;
  }
}
