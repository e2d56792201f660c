import { phrase } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import type { KernelInformation } from "../models.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { fieldsOf, stringField } from "../wire/message-codec.ts";
import { type Steps, step } from "./agenda.ts";
import { hasSubshells } from "./kernel-features.ts";
import type { KernelRequests } from "./requests.ts";

/** The kernel did not evaluate an expression, or its value is invalid. */
export class EvaluationError extends WordedError {
  override readonly name = "EvaluationError";
}

/**
 * The text of a Python expression's value, evaluated silently, in a subshell if the kernel supports them. Leaves no
 * trace in the user's namespace, history, or output. Throws an EvaluationError or a ReplyLostError.
 */
export function* evaluatedText(
  requests: Pick<KernelRequests, "request" | "createSubshell" | "deleteSubshell">,
  expression: string,
  information: KernelInformation,
): Steps<string> {
  const usesSubshell = hasSubshells(information);
  const subshell = usesSubshell ? yield* requests.createSubshell() : undefined;
  if (usesSubshell && subshell === undefined) {
    throw new EvaluationError(phrase`the kernel didn't create a subshell`);
  }
  const flags = { code: "", silent: true, store_history: false, allow_stdin: false, stop_on_error: false };
  const content = { ...flags, user_expressions: { value: expression } };
  try {
    return textOfReply(yield* step(requests.request("shell", "execute_request", content, { subshell, idle: true })));
  } finally {
    if (subshell !== undefined) {
      requests.deleteSubshell(subshell);
    }
  }
}

function textOfReply({ content }: IncomingMessage): string {
  if (content.status !== "ok") {
    throw new EvaluationError(
      phrase`the kernel failed: ${stringField(content.evalue) || phrase`the request was aborted`}`,
    );
  }
  const value = fieldsOf(fieldsOf(content.user_expressions).value);
  if (value.status !== "ok") {
    throw new EvaluationError(phrase`the kernel failed: ${stringField(value.evalue)}`);
  }
  return stringField(fieldsOf(value.data)["text/plain"]);
}
