import type { Fields, MessageHeader } from "../../../src/api/kernels/wire/kernel-message.ts";
import type { KernelRequest } from "./kernel-messages.ts";
import type { KernelOutcome } from "./kernel-observer.ts";
import type { KernelProcess } from "./kernel-process.ts";
import type { Step } from "./program.ts";

let outputs = 0;

/** Restarts the numbers of the outputs. Call this before each schedule. */
export function resetOutputs(): void {
  outputs = 0;
}

/** The code of one cell while the main shell runs it. */
export class ProgramRun {
  readonly #kernel: KernelProcess;
  readonly #request: KernelRequest;
  readonly #steps: readonly Step[];
  readonly #onEnd: (outcome: KernelOutcome) => void;
  #place = 0;
  #hasBegun = false;
  #hasEnded = false;
  #isAsking = false;

  constructor(
    kernel: KernelProcess,
    request: KernelRequest,
    steps: readonly Step[],
    onEnd: (outcome: KernelOutcome) => void,
  ) {
    this.#kernel = kernel;
    this.#request = request;
    this.#steps = steps;
    this.#onEnd = onEnd;
  }

  start(): void {
    const { random } = this.#kernel;
    this.#kernel.after(random.next() * 2, () => {
      if (this.#hasEnded) return;
      this.#hasBegun = true;
      this.#continue();
    });
  }

  /** Raises an exception in the code. Before the code has begun, the kernel drops the reply instead. */
  interrupt(): void {
    if (this.#hasEnded) return;
    if (this.#hasBegun) this.#fail("KeyboardInterrupt");
    else this.#end("noReply");
  }

  /** Enters input if the code asks for it. Drops it otherwise. */
  input(value: string): void {
    if (!this.#isAsking || this.#hasEnded) return;
    const { header } = this.#request.message;
    this.#isAsking = false;
    this.#kernel.observer.answered(header.msg_id, value);
    this.#kernel.echo(value, header);
    this.#continue();
  }

  #continue(): void {
    const { header } = this.#request.message;
    while (!this.#hasEnded) {
      const step = this.#steps[this.#place];
      this.#place += 1;
      if (step === undefined) {
        this.#end("ok");
        return;
      }
      switch (step.type) {
        case "pause":
          this.#kernel.after(step.milliseconds, () => this.#continue());
          return;
        case "input":
          this.#isAsking = true;
          this.#kernel.ask(this.#request);
          return;
        case "raise":
          this.#fail("ValueError");
          return;
        case "die":
          this.#kernel.end(undefined);
          return;
        case "thread":
          runThread(this.#kernel, step.steps);
          break;
        default:
          write(this.#kernel, step, header);
      }
    }
  }

  #fail(name: string): void {
    const content = { ename: name, evalue: nextOutput(), traceback: [] };
    this.#kernel.output("error", content, this.#request.message.header);
    this.#end("error");
  }

  #end(outcome: KernelOutcome): void {
    this.#hasEnded = true;
    this.#onEnd(outcome);
  }
}

/** Runs steps that outlive their cell. They write to what the kernel handles at that time. */
function runThread(kernel: KernelProcess, steps: readonly Step[], place = 0): void {
  for (let index = place; index < steps.length; index += 1) {
    const step = steps[index];
    if (step?.type === "pause") {
      kernel.after(step.milliseconds, () => runThread(kernel, steps, index + 1));
      return;
    }
    if (step !== undefined) write(kernel, step, kernel.threadParent);
  }
}

function write(kernel: KernelProcess, step: Step, parent: MessageHeader | undefined): void {
  const output = (type: string, content: Fields): void => kernel.output(type, content, parent);
  switch (step.type) {
    case "out":
    case "err":
      output("stream", { name: step.type === "out" ? "stdout" : "stderr", text: `${nextOutput()}\n` });
      break;
    case "flood":
      for (let count = 0; count < step.count; count += 1) {
        output("stream", { name: "stdout", text: `${nextOutput()}\n` });
      }
      break;
    case "display":
    case "update":
      output(step.type === "display" ? "display_data" : "update_display_data", {
        data: { "text/plain": nextOutput() },
        metadata: {},
        transient: { display_id: `display-${step.id}` },
      });
      break;
    case "result":
      output("execute_result", { data: { "text/plain": nextOutput() }, metadata: {}, execution_count: 1 });
      break;
    case "clear":
    case "clearlater":
      output("clear_output", { wait: step.type === "clearlater" });
      break;
    case "comm":
      output("comm_open", { comm_id: `comm-${nextOutput()}`, target_name: "jupyter.widget", data: {} });
      break;
  }
}

function nextOutput(): string {
  outputs += 1;
  return String(outputs);
}
