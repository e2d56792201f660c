import type { Fields } from "../../../src/api/kernels/wire/kernel-message.ts";
import type { KernelProcess } from "./kernel-process.ts";
import { RecorderModel } from "./recorder-model.ts";

const reading = /\.read\((\d+), \[(.*?)\], (\d+)\)/;
const withdrawal = /withdraw\(\{(.*?)\}\)/;

/** Evaluates the Python expressions of the product's silent requests. */
export class Evaluation {
  readonly #kernel: KernelProcess;

  constructor(kernel: KernelProcess) {
    this.#kernel = kernel;
  }

  /** The content of the reply to a silent request. */
  reply(content: Fields): Fields {
    const expressions = content.user_expressions;
    const expression =
      typeof expressions === "object" && expressions !== null && "value" in expressions ? expressions.value : undefined;
    if (typeof expression !== "string") return { status: "ok", user_expressions: {} };
    const text = this.#kernel.options.kind === "other" ? undefined : this.#textOf(expression);
    const value =
      text === undefined
        ? { status: "error", ename: "NameError", evalue: "it can't be evaluated", traceback: [] }
        : { status: "ok", data: { "text/plain": text }, metadata: {} };
    return { status: "ok", user_expressions: { value } };
  }

  #textOf(expression: string): string | undefined {
    const kernel = this.#kernel;
    const read = reading.exec(expression);
    if (read !== null) {
      kernel.giveBack();
      return kernel.recorder?.read(Number(read[1]), idsIn(read[2]), Number(read[3]));
    }
    if (expression.includes("install(")) {
      const wasInstalled = kernel.recorder !== undefined;
      kernel.recorder ??= new RecorderModel(kernel.options.recorderEntries);
      return wasInstalled ? "True" : "False";
    }
    const withdrawn = withdrawal.exec(expression);
    if (withdrawn !== null) {
      kernel.withdraw(idsIn(withdrawn[1]));
      return "None";
    }
    return undefined;
  }
}

function idsIn(list = ""): readonly string[] {
  return [...list.matchAll(/"([^"\\]*)\\?"/g)].map(([, id = ""]) => id);
}
