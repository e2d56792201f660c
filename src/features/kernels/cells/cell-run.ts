import type * as vscode from "vscode";
import type {
  ExecutionEvent,
  ExecutionOutcome,
  ExecutionSink,
  GapReason,
  MimeBundle,
} from "../../../api/kernels/executions/executions.ts";
import type { OutputKey } from "../output/cell-outputs.ts";
import type { Displays } from "../output/displays.ts";
import { RunOutputs, type RunOutputsParts } from "../output/run-outputs.ts";
import { withoutShown } from "../output/shown-output.ts";
import type { CellEdits } from "./cell-edits.ts";
import type { OpenExecution } from "./cell-executions.ts";
import type { ExecutionTimes } from "./execution-metadata.ts";

/** The input that a running cell waits for. */
export interface InputRequest {
  readonly id: string;
  readonly prompt: string;
  readonly password: boolean;
}

/** Why a cell may not show all output. */
export type MissingOutput = GapReason | { readonly type: "notFollowed" };

/**
 * What a run reports. `status`: a change affects a status bar. `printed`: text of its output, whole or a chunk of a stream.
 * `ended`: the run no longer waits for input.
 */
export type CellRunEvent =
  | { readonly type: "status" }
  | { readonly type: "input"; readonly run: CellRun }
  | { readonly type: "printed"; readonly text: string; readonly isWhole: boolean }
  | { readonly type: "ended"; readonly run: CellRun };

/** The parts of the notebook that its runs share. */
export interface CellRunParts extends RunOutputsParts {
  readonly displays: Displays;
  readonly edits: CellEdits;
  readonly events: Pick<vscode.EventEmitter<CellRunEvent>, "fire">;
}

/**
 * Milliseconds for which a cell waits for the kernel's idle status after the reply, because output may still arrive.
 */
const idleTimeoutMs = 1_000;
/** Maximum length of the output that waits for the editor, in characters. Beyond it, the kernel has to wait. */
const maxWaiting = 1_000_000;

/**
 * One run of a cell. Shows the events of an execution in the editor. A notebook keeps the last run of each cell, so an
 * ended run holds as little as possible.
 */
export class CellRun implements ExecutionSink {
  readonly cell: vscode.NotebookCell;
  /** `msg_id` of the request with which it was sent. */
  messageId: string | undefined;
  readonly #parts: CellRunParts;
  readonly #recordsTimes: boolean;
  /** Undefined once it has ended. */
  #execution: OpenExecution | undefined;
  /** Undefined once it has ended. */
  #times: ExecutionTimes | undefined = {};
  readonly #outputs: RunOutputs;
  #waiting = 0;
  #input: InputRequest | undefined;
  /** Ids of the input requests whose answers the cell shows. */
  #echoed: Set<string> | undefined;
  #gap: MissingOutput | undefined;
  #outcome: ExecutionOutcome | undefined;
  #executionCount: number | undefined;
  #isIdle = false;
  /** True once it has replaced the output of the run before. */
  #hasStarted: boolean;
  #isEnded: boolean;
  #isReported: boolean;
  #durationMs: number | undefined;
  #isDisposed = false;
  #idleTimer: NodeJS.Timeout | undefined;

  /** `execution`: undefined for a run that ended in an earlier window. */
  constructor(
    cell: vscode.NotebookCell,
    execution: OpenExecution | undefined,
    parts: CellRunParts,
    { recordsTimes }: { readonly recordsTimes: boolean },
  ) {
    this.cell = cell;
    this.#execution = execution;
    this.#isEnded = execution === undefined;
    this.#isReported = execution === undefined;
    this.#hasStarted = execution === undefined;
    this.#parts = parts;
    this.#recordsTimes = recordsTimes;
    this.#outputs = new RunOutputs(cell, parts, execution === undefined);
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }
  /** True once its end was reported, which takes until the editor has shown its output. */
  get isReported(): boolean {
    return this.#isReported;
  }
  /** Milliseconds for which it ran, once it has ended; undefined if it didn't begin. */
  get durationMs(): number | undefined {
    return this.#durationMs;
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
    return this.#outputs.fullPath;
  }

  /** Shows the cell as running, because an earlier window started the run. */
  resumed(sentAt: number): void {
    this.#execution?.start(sentAt);
    this.#hasStarted = true;
  }

  async onEvents(events: readonly ExecutionEvent[]): Promise<void> {
    for (const event of withoutShown(withoutRepliedInputs(events), this.cell.outputs)) {
      await this.#take(event);
    }
    this.#outputs.schedule();
    if (this.#waiting > maxWaiting) {
      this.#waiting = 0;
      await this.#outputs.flush();
    }
    if (this.#isEnded) {
      await this.#outputs.closeFile();
    }
  }

  /** Resolves when the editor shows the output that has arrived. */
  written(): Promise<void> {
    return this.#outputs.flush();
  }

  updateDisplay(key: OutputKey, bundle: MimeBundle): void {
    if (!this.#isDisposed) {
      this.#outputs.update(key, bundle);
      this.#outputs.schedule();
    }
  }

  /** Adds the user's input to the output, as JupyterLab does. */
  prefilled(value: string): void {
    const { id, prompt = "", password = false } = this.#input ?? {};
    this.#input = undefined;
    if (id !== undefined) {
      this.#addEcho(id);
    }
    const shown = password ? "········" : value;
    this.#outputs.add({ type: "stream", name: "stdout", text: `${prompt}${shown}\n` });
    this.#outputs.schedule();
    this.#reportStatus();
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
    this.#outputs.dispose();
    this.#parts.displays.remove(this);
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
        this.#setTime("iopub.execute_input", event.at);
        this.#start();
        return;
      case "busy":
        this.#setTime("iopub.status.busy", event.at);
        return;
      case "idle":
        this.#setTime("iopub.status.idle", event.at);
        this.#isIdle = true;
        if (this.#outcome !== undefined) {
          void this.#end(this.#outcome);
        }
        return;
      case "inputRequest":
        this.#input = { id: event.id, prompt: event.prompt, password: event.password };
        await this.#outputs.flush();
        this.#parts.events.fire({ type: "input", run: this });
        this.#reportStatus();
        return;
      case "ended":
        return this.#ended(event);
      case "replay":
        this.#echoed = undefined;
        return this.#outputs.restart();
      case "gap":
        this.#gap = event.reason;
        this.#reportStatus();
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
      if (this.#echoed?.has(event.echoOf) === true) {
        return;
      }
      this.#addEcho(event.echoOf);
    }
    if (event.type === "stream") {
      this.#waiting += event.text.length;
    }
    const shown = await this.#outputs.take(event);
    if (shown !== undefined) {
      this.#parts.displays.add(shown.displayId, this, shown.key);
    }
    if (wasWhole && this.fullOutput !== undefined) {
      this.#reportStatus();
    }
    this.#reportText(event);
  }

  #reportText(event: ExecutionEvent): void {
    const { events } = this.#parts;
    if (event.type === "stream") {
      events.fire({ type: "printed", text: event.text, isWhole: false });
    } else if (event.type === "result" || event.type === "display") {
      const text = event.bundle.data["text/plain"];
      if (typeof text === "string") {
        events.fire({ type: "printed", text, isWhole: true });
      }
    }
  }

  #addEcho(id: string): void {
    this.#echoed ??= new Set();
    this.#echoed.add(id);
  }

  #setTime(key: keyof ExecutionTimes, at: number): void {
    if (this.#times !== undefined) {
      this.#times[key] = new Date(at).toISOString();
    }
  }

  #start(): void {
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      // The cell's timer uses this computer's clock, which may differ from the kernel's.
      this.#execution?.start(Date.now());
      this.#outputs.clear();
    }
    if (this.#executionCount !== undefined) {
      this.#execution?.start(undefined, this.#executionCount);
    }
  }

  #ended(event: Extract<ExecutionEvent, { readonly type: "ended" }>): void {
    this.#setTime("shell.execute_reply", event.at);
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
    this.#idleTimer = setTimeout(() => void this.#end(event.outcome), idleTimeoutMs);
  }

  /** Inserts the next input, or shows the text of a pager, for example of `print?`, below the cell. */
  #takePayload(payload: Readonly<Record<string, unknown>>): void {
    const { source, text, data } = payload;
    if (source === "set_next_input" && typeof text === "string") {
      this.#parts.edits.insertBelow(this.cell, text);
    } else if (source === "page" && typeof data === "object" && data !== null) {
      const bundle = { data: Object.fromEntries(Object.entries(data)), metadata: {} };
      this.#outputs.add({ type: "display", bundle, displayId: undefined });
    }
  }

  /**
   * Shows the end. Never rejects. Other cells don't wait for it, because the editor takes longer than a short cell
   * runs.
   */
  async #end(outcome: ExecutionOutcome): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
    if (this.#isEnded) {
      return;
    }
    this.#isEnded = true;
    this.#input = undefined;
    if (this.#execution?.isStarted === true) {
      this.#parts.displays.applyUpdates();
      await this.#outputs.flush();
      if (this.#executionCount !== undefined) {
        this.#execution.start(undefined, this.#executionCount);
      }
    }
    const times = this.#times ?? {};
    if (this.#recordsTimes && times["iopub.execute_input"] !== undefined) {
      await this.#parts.edits.recordTimes(this.cell, times).catch(this.#parts.onError);
    }
    const endTime = this.#endTime();
    const { startTime } = this.#execution ?? {};
    this.#durationMs = startTime === undefined || endTime === undefined ? undefined : endTime - startTime;
    this.#execution?.end(successOf(outcome), endTime);
    await this.#outputs.closeFile();
    this.#release();
    this.#reportStatus();
    this.#isReported = true;
    this.#parts.events.fire({ type: "ended", run: this });
  }

  #reportStatus(): void {
    this.#parts.events.fire({ type: "status" });
  }

  #release(): void {
    this.#execution = undefined;
    this.#times = undefined;
    this.#outputs.rest();
  }

  /** The start time plus the duration by the kernel's own clock. */
  #endTime(): number | undefined {
    const start = this.#execution?.startTime;
    const { "iopub.execute_input": began, "shell.execute_reply": replied } = this.#times ?? {};
    if (start === undefined) {
      return undefined;
    }
    return began === undefined || replied === undefined
      ? Date.now()
      : start + Math.max(0, Date.parse(replied) - Date.parse(began));
  }
}

/** Removes input requests that the same events show as answered: the user must not be asked again. */
function withoutRepliedInputs(events: readonly ExecutionEvent[]): readonly ExecutionEvent[] {
  if (!events.some(({ type }) => type === "inputRequest")) {
    return events;
  }
  const prefilled = new Set(events.map((event) => (event.type === "stream" ? event.echoOf : undefined)));
  return events.filter((event) => event.type !== "inputRequest" || !prefilled.has(event.id));
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
