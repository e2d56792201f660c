import * as vscode from "vscode";
import type {
  ExecutionEvent,
  ExecutionOutcome,
  ExecutionSink,
  GapReason,
  MimeBundle,
} from "../../../api/kernels/executions/executions.ts";
import { CellOutputs, type LeftOut, type OutputKey } from "../output/cell-outputs.ts";
import type { Displays } from "../output/displays.ts";
import type { FullOutput } from "../output/full-output.ts";
import { OutputWriter } from "../output/output-writer.ts";
import { withoutShown } from "../output/shown-output.ts";
import type { CellExecutions, OpenExecution } from "./cell-executions.ts";
import type { ExecutionTimes } from "./execution-metadata.ts";

/** The input that a running cell waits for. */
export interface InputRequest {
  readonly id: string;
  readonly prompt: string;
  readonly password: boolean;
}

/** Why a cell may not show all output. */
export type MissingOutput = GapReason | { readonly type: "notFollowed" };

/** The parts of the notebook that a run needs. */
export interface CellRunParts {
  readonly executions: CellExecutions;
  readonly displays: Displays;
  /** Maximum length of the output that a cell shows, in characters. */
  readonly limit: number;
  readonly full: FullOutput;
  /** Called when a change affects the cell's status bar. */
  readonly onStatus: () => void;
  readonly onInput: (run: CellRun, request: InputRequest) => void;
  readonly onNextInput: (run: CellRun, text: string) => void;
  /** Awaited before the editor shows the end. Must not reject. */
  readonly onEnding: (run: CellRun) => Promise<void>;
  readonly onEnded: (run: CellRun) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Milliseconds for which a cell waits for the kernel's idle status after the reply, because output may still arrive.
 */
const idleWithin = 1_000;
/** Maximum length of the output that waits for the editor, in characters. Beyond it, the kernel has to wait. */
const mostWaiting = 1_000_000;

/** One run of a cell. Shows the events of an execution in the editor. */
export class CellRun implements ExecutionSink {
  readonly cell: vscode.NotebookCell;
  readonly times: ExecutionTimes = {};
  readonly #parts: CellRunParts;
  /** Undefined for a run that ended in an earlier window. */
  readonly #execution: OpenExecution | undefined;
  readonly #outputs: CellOutputs;
  readonly #writer: OutputWriter;
  #waiting = 0;
  #input: InputRequest | undefined;
  /** Ids of the input requests whose answers the cell shows. */
  readonly #echoed = new Set<string>();
  #gap: MissingOutput | undefined;
  #outcome: ExecutionOutcome | undefined;
  #executionCount: number | undefined;
  #isIdle = false;
  #isEnded: boolean;
  #isDisposed = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(cell: vscode.NotebookCell, execution: OpenExecution | undefined, parts: CellRunParts) {
    this.cell = cell;
    this.#execution = execution;
    this.#isEnded = execution === undefined;
    this.#parts = parts;
    this.#outputs = new CellOutputs(parts.limit, leftOutText);
    this.#writer = new OutputWriter(cell, this.#outputs, parts.executions, parts.onError);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }
  get input(): InputRequest | undefined {
    return this.#input;
  }
  /** Why output may be missing; undefined if nothing is missing. */
  get gap(): MissingOutput | undefined {
    return this.#gap;
  }
  /** The outcome, once it is known. */
  get outcome(): ExecutionOutcome | undefined {
    return this.#outcome;
  }
  get executionCount(): number | undefined {
    return this.#executionCount;
  }
  /** Path of the file with the full output; undefined if the cell shows all of it. */
  get fullOutput(): string | undefined {
    const { characters, outputs } = this.#outputs.leftOut;
    return characters === 0 && outputs === 0 ? undefined : this.#parts.full.path;
  }

  /** Shows the cell as running, because an earlier window started the run. */
  resumed(sentAt: number): void {
    this.#execution?.start(sentAt);
  }

  async onEvents(events: readonly ExecutionEvent[]): Promise<void> {
    for (const event of withoutShown(withoutAnswered(events), this.cell.outputs)) {
      await this.#take(event);
    }
    this.#writer.schedule();
    if (this.#waiting > mostWaiting) {
      this.#waiting = 0;
      await this.#writer.flush();
    }
  }

  updateDisplay(key: OutputKey, bundle: MimeBundle): void {
    this.#outputs.update(key, bundle);
    this.#writer.schedule();
  }

  /** Adds the user's input to the output, as JupyterLab does. */
  answered(value: string): void {
    const { id, prompt = "", password = false } = this.#input ?? {};
    this.#input = undefined;
    if (id !== undefined) {
      this.#echoed.add(id);
    }
    const shown = password ? "········" : value;
    this.#outputs.take({ type: "stream", name: "stdout", text: `${prompt}${shown}\n` });
    this.#writer.schedule();
    this.#parts.onStatus();
  }

  /** Ends the run, because it was never sent. */
  drop(): void {
    void this.#end({ type: "dropped" });
  }

  /** Ends the run, because this window no longer receives its output. It may continue in the kernel. */
  abandon(): void {
    this.#gap = { type: "notFollowed" };
    void this.#end({ type: "dropped" });
  }

  /** Stops writing, because the notebook is closed or the cell runs again. */
  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#idleTimer);
    this.#writer.dispose();
    this.#parts.displays.remove(this);
    void this.#parts.full.end();
  }

  async #take(event: ExecutionEvent): Promise<void> {
    if (this.#isDisposed && event.type !== "updateDisplay") {
      // A thread may still write output for this run. The cell now shows another run, but displays of other cells can
      // still be updated.
      return;
    }
    switch (event.type) {
      case "started":
        this.#executionCount = event.executionCount;
        this.times["iopub.execute_input"] = timeOf(event.at);
        this.#start();
        return;
      case "busy":
        this.times["iopub.status.busy"] = timeOf(event.at);
        return;
      case "idle":
        this.times["iopub.status.idle"] = timeOf(event.at);
        this.#isIdle = true;
        if (this.#outcome !== undefined) {
          void this.#end(this.#outcome);
        }
        return;
      case "inputRequest":
        this.#input = { id: event.id, prompt: event.prompt, password: event.password };
        await this.#writer.flush();
        this.#parts.onInput(this, this.#input);
        this.#parts.onStatus();
        return;
      case "ended":
        return this.#ended(event);
      case "replay":
        this.#outputs.clear();
        this.#echoed.clear();
        await this.#parts.full.restart();
        return;
      case "gap":
        this.#gap = event.reason;
        this.#parts.onStatus();
        return;
      case "updateDisplay":
        this.#parts.displays.update(event.displayId, event.bundle);
        return;
      default:
        return this.#takeOutput(event);
    }
  }

  async #takeOutput(event: ExecutionEvent): Promise<void> {
    const wasWhole = this.fullOutput === undefined;
    if (event.type === "stream" && event.echoOf !== undefined) {
      if (this.#echoed.has(event.echoOf)) {
        return;
      }
      this.#echoed.add(event.echoOf);
    }
    if (event.type === "stream") {
      this.#waiting += event.text.length;
      await this.#parts.full.write(event.text);
    }
    const shown = this.#outputs.take(event);
    if (shown !== undefined && !this.#isDisposed) {
      this.#parts.displays.add(shown.displayId, this, shown.key);
    }
    if (wasWhole && this.fullOutput !== undefined) {
      this.#parts.onStatus();
    }
  }

  #start(): void {
    if (this.#execution?.isStarted === false) {
      // The cell's timer uses this computer's clock, which may differ from the kernel's.
      this.#execution.start(Date.now());
      this.#outputs.clear();
    }
    if (this.#executionCount !== undefined) {
      this.#execution?.start(undefined, this.#executionCount);
    }
  }

  #ended(event: Extract<ExecutionEvent, { readonly type: "ended" }>): void {
    this.times["shell.execute_reply"] = timeOf(event.at);
    this.#executionCount = event.executionCount ?? this.#executionCount;
    this.#outcome = event.outcome;
    for (const payload of event.payload) {
      this.#takePayload(payload);
    }
    const hasRun = event.outcome.type === "ok" || event.outcome.type === "error";
    if (!hasRun || this.#isIdle) {
      void this.#end(event.outcome);
      return;
    }
    this.#idleTimer = setTimeout(() => void this.#end(event.outcome), idleWithin);
  }

  /** Inserts the next input, or shows the text of a pager, for example of `print?`, below the cell. */
  #takePayload(payload: Readonly<Record<string, unknown>>): void {
    const { source, text, data } = payload;
    if (source === "set_next_input" && typeof text === "string") {
      this.#parts.onNextInput(this, text);
    } else if (source === "page" && typeof data === "object" && data !== null) {
      const bundle = { data: Object.fromEntries(Object.entries(data)), metadata: {} };
      this.#outputs.take({ type: "display", bundle, displayId: undefined });
    }
  }

  /**
   * Shows the end. Never rejects. Other cells don't wait for it, because the editor takes longer than a short cell
   * runs.
   */
  async #end(outcome: ExecutionOutcome): Promise<void> {
    clearTimeout(this.#idleTimer);
    if (this.#isEnded) {
      return;
    }
    this.#isEnded = true;
    this.#input = undefined;
    if (this.#execution?.isStarted === true) {
      await this.#writer.flush();
      if (this.#executionCount !== undefined) {
        this.#execution.start(undefined, this.#executionCount);
      }
    }
    await this.#parts.onEnding(this);
    this.#execution?.end(successOf(outcome), this.#endTime());
    await this.#parts.full.end();
    this.#parts.onStatus();
    this.#parts.onEnded(this);
  }

  /** The start time plus the duration by the kernel's own clock. */
  #endTime(): number | undefined {
    const start = this.#execution?.startTime;
    const { "iopub.execute_input": began, "shell.execute_reply": replied } = this.times;
    if (start === undefined) {
      return undefined;
    }
    return began === undefined || replied === undefined
      ? Date.now()
      : start + Math.max(0, Date.parse(replied) - Date.parse(began));
  }
}

/** Removes input requests that the same events show as answered: the user must not be asked again. */
function withoutAnswered(events: readonly ExecutionEvent[]): readonly ExecutionEvent[] {
  if (!events.some(({ type }) => type === "inputRequest")) {
    return events;
  }
  const answered = new Set(events.map((event) => (event.type === "stream" ? event.echoOf : undefined)));
  return events.filter((event) => event.type !== "inputRequest" || !answered.has(event.id));
}

function successOf(outcome: ExecutionOutcome): boolean | undefined {
  switch (outcome.type) {
    case "ok":
      return true;
    case "error":
    case "kernelEnded":
      return false;
    default:
      return undefined;
  }
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

function leftOutText({ characters, outputs }: LeftOut): string {
  if (outputs === 0) {
    return vscode.l10n.t("… {0} characters of output aren't shown here …", characters);
  }
  return outputs === 1
    ? vscode.l10n.t("… {0} characters of output, including 1 display, aren't shown here …", characters)
    : vscode.l10n.t("… {0} characters of output, including {1} displays, aren't shown here …", characters, outputs);
}
