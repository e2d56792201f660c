import { detached } from "../../text.ts";
import type { ExecutionEvent } from "../executions/executions.ts";
import type { Fields } from "../wire/kernel-message.ts";
import { fieldsOf, stringField } from "../wire/message-codec.ts";

/** Maximum length of the output in an Output widget, in characters. */
const maxCharacters = 500_000;

/**
 * The outputs of an Output widget, in the format of notebook files. As in a cell, stream text is appended to the last
 * output if it has the same name. Beyond the maximum length, one line replaces the beginning.
 */
export class OutputWidget {
  readonly #leftOutText: (characters: number) => string;
  #clearsWithNext = false;
  #leftOut = 0;

  /** `leftOutText` returns the line that replaces this number of characters. */
  constructor(leftOutText: (characters: number) => string) {
    this.#leftOutText = leftOutText;
  }

  /** Returns the outputs after an event; undefined if the event changes nothing. */
  next(before: unknown, event: ExecutionEvent): readonly Fields[] | undefined {
    if (event.type === "clearOutput") {
      this.#clearsWithNext = event.wait;
      return event.wait ? undefined : this.#cleared();
    }
    const added = outputOf(event);
    if (added === undefined) {
      return undefined;
    }
    const outputs = this.#clearsWithNext ? this.#cleared() : listOf(before);
    this.#clearsWithNext = false;
    return this.#bounded(joined(outputs, added));
  }

  #cleared(): readonly Fields[] {
    this.#leftOut = 0;
    return [];
  }

  #bounded(outputs: readonly Fields[]): readonly Fields[] {
    const sizes = outputs.map((output) => JSON.stringify(output).length);
    let size = sizes.reduce((sum, one) => sum + one, 0);
    if (size <= maxCharacters) {
      return outputs;
    }
    const kept = this.#leftOut === 0 ? [...outputs] : outputs.slice(1);
    const keptSizes = this.#leftOut === 0 ? sizes : sizes.slice(1);
    while (kept.length > 1 && size > maxCharacters) {
      kept.shift();
      const dropped = keptSizes.shift() ?? 0;
      size -= dropped;
      this.#leftOut += dropped;
    }
    const [last] = kept;
    if (last?.output_type === "stream" && size > maxCharacters) {
      const text = stringField(last.text);
      const end = detached(text.slice(-maxCharacters / 2).toWellFormed());
      this.#leftOut += text.length - end.length;
      kept[0] = { ...last, text: end };
    }
    return [streamOf("stderr", `${this.#leftOutText(this.#leftOut)}\n`), ...kept];
  }
}

function joined(outputs: readonly Fields[], added: Fields): readonly Fields[] {
  const last = outputs.at(-1);
  const goesOn = added.output_type === "stream" && last?.output_type === "stream" && last.name === added.name;
  return goesOn
    ? [...outputs.slice(0, -1), { ...last, text: stringField(last.text) + stringField(added.text) }]
    : [...outputs, added];
}

function outputOf(event: ExecutionEvent): Fields | undefined {
  switch (event.type) {
    case "stream":
      return streamOf(event.name, event.text);
    case "display":
      return { output_type: "display_data", data: event.bundle.data, metadata: event.bundle.metadata };
    case "result":
      return {
        output_type: "execute_result",
        data: event.bundle.data,
        metadata: event.bundle.metadata,
        execution_count: event.executionCount ?? null,
      };
    case "error":
      return { output_type: "error", ename: event.name, evalue: event.value, traceback: event.traceback };
    default:
      return undefined;
  }
}

function streamOf(name: "stdout" | "stderr", text: string): Fields {
  return { output_type: "stream", name, text };
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}
