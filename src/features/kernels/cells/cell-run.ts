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
import type { CellExecutions, OpenExecution } from "./cell-executions.ts";
import type { ExecutionTimes } from "./execution-metadata.ts";

/** An input that a running cell waits for. */
export interface InputRequest {
  readonly prompt: string;
  readonly password: boolean;
}

/** Why a cell may not show all output. */
export type MissingOutput = GapReason | { readonly type: "notFollowed" };

/** What a run needs of its notebook. */
export interface CellRunParts {
  readonly executions: CellExecutions;
  readonly displays: Displays;
  /** Characters of output that a cell shows. */
  readonly limit: number;
  readonly full: FullOutput;
  /** Something changed that the cell's status bar shows. */
  readonly onStatus: () => void;
  readonly onInput: (run: CellRun, request: InputRequest) => void;
  readonly onNextInput: (run: CellRun, text: string) => void;
  /** Awaited before the editor shows the end. Never rejects. */
  readonly onEnding: (run: CellRun) => Promise<void>;
  readonly onEnded: (run: CellRun) => void;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds that a cell waits for the kernel to be idle once its reply has come: output may still be on its way. */
const idleWithin = 1_000;
/** Characters that may wait for the editor before the kernel has to wait. */
const mostWaiting = 1_000_000;

/** One execution of a cell: what the kernel sends becomes what the editor shows. */
export class CellRun implements ExecutionSink {
  readonly cell: vscode.NotebookCell;
  readonly times: ExecutionTimes = {};
  readonly #parts: CellRunParts;
  readonly #execution: OpenExecution;
  readonly #outputs: CellOutputs;
  readonly #writer: OutputWriter;
  #waiting = 0;
  #input: InputRequest | undefined;
  #gap: MissingOutput | undefined;
  #outcome: ExecutionOutcome | undefined;
  #executionCount: number | undefined;
  #isIdle = false;
  #isEnded = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(cell: vscode.NotebookCell, execution: OpenExecution, parts: CellRunParts) {
    this.cell = cell;
    this.#execution = execution;
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
  /** Why output may be missing, where it may. */
  get gap(): MissingOutput | undefined {
    return this.#gap;
  }
  /** How it ended, once the kernel's answer or its end is known. */
  get outcome(): ExecutionOutcome | undefined {
    return this.#outcome;
  }
  get executionCount(): number | undefined {
    return this.#executionCount;
  }
  /** The file with all output, where the cell does not show all of it. */
  get fullOutput(): string | undefined {
    const { characters, outputs } = this.#outputs.leftOut;
    return characters === 0 && outputs === 0 ? undefined : this.#parts.full.path;
  }

  /** It runs already, begun by an earlier window. */
  resumed(sentAt: number): void {
    this.#execution.start(sentAt);
  }

  async onEvents(events: readonly ExecutionEvent[]): Promise<void> {
    for (const event of events) {
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

  /** The person's answer stands in the output, as JupyterLab has it. */
  answered(value: string): void {
    const { prompt = "", password = false } = this.#input ?? {};
    this.#input = undefined;
    const shown = password ? "········" : value;
    this.#outputs.take({ type: "stream", name: "stdout", text: `${prompt}${shown}\n` });
    this.#writer.schedule();
    this.#parts.onStatus();
  }

  /** It was never sent. */
  drop(): void {
    void this.#end({ type: "dropped" });
  }

  /** It may go on in the kernel, but what it puts out no longer reaches this window. */
  abandon(): void {
    this.#gap = { type: "notFollowed" };
    void this.#end({ type: "dropped" });
  }

  /** The notebook is closed: nothing is written any more. */
  dispose(): void {
    clearTimeout(this.#idleTimer);
    this.#writer.dispose();
    this.#parts.displays.remove(this);
    void this.#parts.full.end();
  }

  async #take(event: ExecutionEvent): Promise<void> {
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
          await this.#end(this.#outcome);
        }
        return;
      case "inputRequest":
        this.#input = { prompt: event.prompt, password: event.password };
        await this.#writer.flush();
        this.#parts.onInput(this, this.#input);
        this.#parts.onStatus();
        return;
      case "ended":
        return this.#ended(event);
      case "replay":
        this.#outputs.clear();
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
    if (event.type === "stream") {
      this.#waiting += event.text.length;
      await this.#parts.full.write(event.text);
    }
    const shown = this.#outputs.take(event);
    if (shown !== undefined) {
      this.#parts.displays.add(shown.displayId, this, shown.key);
    }
    if (wasWhole && this.fullOutput !== undefined) {
      this.#parts.onStatus();
    }
  }

  #start(): void {
    if (!this.#execution.isStarted) {
      // The kernel's clock may differ from this computer's, by which the cell's timer goes.
      this.#execution.start(Date.now());
      this.#outputs.clear();
    }
    if (this.#executionCount !== undefined) {
      this.#execution.start(undefined, this.#executionCount);
    }
  }

  async #ended(event: Extract<ExecutionEvent, { readonly type: "ended" }>): Promise<void> {
    this.times["shell.execute_reply"] = timeOf(event.at);
    this.#executionCount = event.executionCount ?? this.#executionCount;
    this.#outcome = event.outcome;
    for (const payload of event.payload) {
      this.#takePayload(payload);
    }
    const hasRun = event.outcome.type === "ok" || event.outcome.type === "error";
    if (!hasRun || this.#isIdle) {
      await this.#end(event.outcome);
      return;
    }
    this.#idleTimer = setTimeout(() => void this.#end(event.outcome), idleWithin);
  }

  /** What a pager would show, as for `print?`, is shown below the cell. */
  #takePayload(payload: Readonly<Record<string, unknown>>): void {
    const { source, text, data } = payload;
    if (source === "set_next_input" && typeof text === "string") {
      this.#parts.onNextInput(this, text);
    } else if (source === "page" && typeof data === "object" && data !== null) {
      const bundle = { data: Object.fromEntries(Object.entries(data)), metadata: {} };
      this.#outputs.take({ type: "display", bundle, displayId: undefined });
    }
  }

  async #end(outcome: ExecutionOutcome): Promise<void> {
    clearTimeout(this.#idleTimer);
    if (this.#isEnded) {
      return;
    }
    this.#isEnded = true;
    this.#input = undefined;
    if (this.#execution.isStarted) {
      await this.#writer.flush();
      if (this.#executionCount !== undefined) {
        this.#execution.start(undefined, this.#executionCount);
      }
    }
    await this.#parts.onEnding(this);
    this.#execution.end(successOf(outcome), this.#endTime());
    await this.#parts.full.end();
    this.#parts.onStatus();
    this.#parts.onEnded(this);
  }

  /** As long after the beginning as the kernel took. */
  #endTime(): number | undefined {
    const start = this.#execution.startTime;
    const { "iopub.execute_input": began, "shell.execute_reply": replied } = this.times;
    if (start === undefined) {
      return undefined;
    }
    return began === undefined || replied === undefined
      ? Date.now()
      : start + Math.max(0, Date.parse(replied) - Date.parse(began));
  }
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
  return outputs === 0
    ? vscode.l10n.t("… {0} characters of output are not shown here …", characters)
    : vscode.l10n.t("… {0} characters of output, {1} displays among them, are not shown here …", characters, outputs);
}
