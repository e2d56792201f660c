// What a cell of a notebook shows.
import type { ExecutionEvent, ExecutionOutcome, GapReason } from "../../src/api/kernels/executions/executions.ts";

export class ShownCell {
  readonly messageId: string;
  /** The outputs, in the short form of the ledger. */
  outputs: string[];
  gaps: GapReason["type"][] = [];
  outcomes: ExecutionOutcome["type"][] = [];
  /** Texts of errors that the client itself shows. */
  readonly ownErrors: string[] = [];
  /** True while the cell asks for input. */
  isAsking = false;
  /** True if an earlier window's outputs were lost with its editor. */
  isForgotten = false;
  /** True if the kernel had a recorder when the cell was run. */
  hasRecorder = false;
  /** True if an earlier window has shown an outcome with which output may be missing. */
  saidSoEarlier = false;
  /** True if its window was closed before it had read what was missing. */
  isClosedEarly = false;
  /** True if output was sent again without its beginning. */
  isPartlyReplayed = false;
  /** True if it ended in an earlier window. */
  isFinishedEarlier = false;
  /** The number of outputs whose order was checked, and the place of the last one in the kernel's outputs. */
  progress = { checked: 0, place: -1 };

  constructor(messageId: string, outputs: readonly string[] = []) {
    this.messageId = messageId;
    this.outputs = [...outputs];
  }

  /**
   * The cell in a window that is opened later. It shows the same as before, unless the editor was killed. `hasMark`: the
   * journal names a recorded message, by which the window recognizes the recorder.
   */
  static reopened(
    messageId: string,
    before: ShownCell | undefined,
    { isKilled, hasMark }: { readonly isKilled: boolean; readonly hasMark: boolean },
  ): ShownCell {
    const cell = new ShownCell(messageId, isKilled ? [] : before?.outputs);
    if (!isKilled) cell.gaps.push(...(before?.gaps ?? []));
    cell.saidSoEarlier = before?.saysSo === true;
    cell.hasRecorder = before?.hasRecorder === true && hasMark;
    cell.isClosedEarly = !isKilled && before?.isClosedEarly === true;
    cell.isForgotten = isKilled || before?.isForgotten === true;
    return cell;
  }

  /** True if the cell says that output may be missing, also with its outcome. */
  get saysSo(): boolean {
    const { gaps, outcomes, saidSoEarlier } = this;
    return saidSoEarlier || gaps.length > 0 || outcomes.includes("kernelEnded") || outcomes.includes("unknown");
  }

  add(events: readonly ExecutionEvent[]): void {
    const start = events.findIndex(({ type }) => type === "partialReplay");
    for (const event of start < 0 ? events : events.slice(0, start)) this.#add(event);
    if (start >= 0) this.#addUnshown(events.slice(start));
  }

  /** Adds what the cell does not show yet of output that is sent again without its beginning. */
  #addUnshown(events: readonly ExecutionEvent[]): void {
    this.isPartlyReplayed = true;
    const sent = new ShownCell(this.messageId);
    for (const event of events) sent.#add(event);
    if (sent.outputs.some((output) => output.startsWith("clear"))) {
      this.outputs = [];
      this.progress = { checked: 0, place: -1 };
    }
    const { outputs } = this;
    let overlap = Math.min(outputs.length, sent.outputs.length);
    const isOverlap = (length: number): boolean =>
      outputs.slice(outputs.length - length).every((output, index) => output === sent.outputs[index]);
    while (overlap > 0 && !isOverlap(overlap)) overlap -= 1;
    // If the cell lacks output in between, what is sent contains its end somewhere.
    const end = overlap > 0 ? overlap : sent.outputs.lastIndexOf(outputs.at(-1) ?? "") + 1;
    outputs.push(...sent.outputs.slice(end));
    this.gaps.push(...sent.gaps);
    this.outcomes.push(...sent.outcomes);
    this.ownErrors.push(...sent.ownErrors);
    this.isAsking = sent.isAsking;
  }

  #add(event: ExecutionEvent): void {
    switch (event.type) {
      case "stream":
        if (event.echoOf === undefined) {
          const prefix = event.name === "stdout" ? "out" : "err";
          for (const line of event.text.trimEnd().split("\n")) this.outputs.push(`${prefix} ${line}`);
        }
        this.isAsking = false;
        break;
      case "display":
      case "updateDisplay":
      case "result": {
        const prefix = event.type === "updateDisplay" ? "update" : event.type;
        this.outputs.push(`${prefix} ${String(event.bundle.data["text/plain"])}`);
        break;
      }
      case "error":
        if (/^\d+$/.test(event.value)) this.outputs.push(`error ${event.value}`);
        else this.ownErrors.push(event.name);
        break;
      case "clearOutput":
        this.outputs.push(event.wait ? "clearlater" : "clear");
        break;
      case "inputRequest":
        this.isAsking = true;
        break;
      case "ended":
        this.isAsking = false;
        this.outcomes.push(event.outcome.type);
        break;
      case "gap":
        this.gaps.push(event.reason.type);
        break;
      case "replay":
        this.outputs = [];
        this.gaps = [];
        this.outcomes = [];
        this.ownErrors.length = 0;
        this.isForgotten = false;
        this.isClosedEarly = false;
        this.progress = { checked: 0, place: -1 };
        break;
      default:
    }
  }
}
