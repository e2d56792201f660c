import { phrase } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import type { KernelInformation } from "../models.ts";
import { fieldsOf, stringField } from "../wire/message-codec.ts";
import type { KernelRequests } from "./kernel-requests.ts";

/** The kernel did not evaluate an expression, or its value is invalid. */
export class EvaluationError extends WordedError {
  override readonly name = "EvaluationError";
}

/** True for kernels that evaluate Python as IPython does. */
export function isIPython({ languageName, implementation }: KernelInformation): boolean {
  return languageName === "python" && implementation === "ipython";
}

/** Evaluates Python expressions with silent requests, in a subshell if the kernel supports them. */
export class KernelEvaluation {
  readonly #requests: KernelRequests;
  readonly #hasSubshells: boolean;

  constructor(requests: KernelRequests, information: KernelInformation) {
    this.#requests = requests;
    this.#hasSubshells = information.features.has("kernel subshells");
  }

  /** True if the kernel can evaluate while a cell runs. */
  get isConcurrent(): boolean {
    return this.#hasSubshells;
  }

  /**
   * The text of an expression's value. Leaves no trace in the user's namespace, history, or output. Throws an
   * EvaluationError or a ReplyLostError.
   */
  async textOf(expression: string): Promise<string> {
    const subshell = this.#hasSubshells ? await this.#requests.createSubshell() : undefined;
    if (this.#hasSubshells && subshell === undefined) {
      throw new EvaluationError(phrase`the kernel didn't create a subshell`);
    }
    const flags = { code: "", silent: true, store_history: false, allow_stdin: false, stop_on_error: false };
    try {
      const reply = await this.#requests.request(
        "shell",
        "execute_request",
        { ...flags, user_expressions: { value: expression } },
        { subshell, idle: true },
      );
      if (reply.content.status !== "ok") {
        throw new EvaluationError(
          phrase`the kernel failed: ${stringField(reply.content.evalue) || phrase`the request was aborted`}`,
        );
      }
      const value = fieldsOf(fieldsOf(reply.content.user_expressions).value);
      if (value.status !== "ok") {
        throw new EvaluationError(phrase`the kernel failed: ${stringField(value.evalue)}`);
      }
      return stringField(fieldsOf(value.data)["text/plain"]);
    } finally {
      if (subshell !== undefined) {
        this.#requests.deleteSubshell(subshell);
      }
    }
  }
}
