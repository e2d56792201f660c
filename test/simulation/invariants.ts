// What must hold in every schedule.
import { BrokenInvariant } from "./failure.ts";
import type { KernelRun, Ledger } from "./ledger.ts";
import type { ShownCell } from "./shown-cell.ts";

/** What happened to a schedule's connections, as far as the invariants depend on it. */
export interface Circumstances {
  /** True if the windows use a recorder that the kernel supports. */
  readonly hasRecorder: boolean;
  /** True if the recorder can be read while a cell runs. */
  readonly isConcurrent: boolean;
  /** True if a connection broke, or a message was dropped, at any time. */
  isDisturbed: boolean;
  /** True if ZeroMQ dropped messages, which only a recorder's numbers show. */
  hasSilentLoss: boolean;
  /** True if the server no longer has the kernel. */
  isKernelGone: boolean;
  /** True if a user has interrupted, canceled, or restarted something. */
  isInterrupted: boolean;
  /** True if a window was closed. */
  isReopened: boolean;
}

/** Checked whenever a cell's outputs change: what it shows is what the kernel published for it, in order, and once. */
export function checkOrder(cell: ShownCell, ledger: Ledger): void {
  const run = ledger.get(cell.messageId);
  let { checked, place } = cell.progress;
  const { outputs } = cell;
  if (checked > outputs.length) {
    checked = 0;
    place = -1;
  }
  for (; checked < outputs.length; checked += 1) {
    const output = outputs[checked] ?? "";
    if (ledger.unowned.has(output)) {
      if (outputs.indexOf(output) < checked) throw new BrokenInvariant("output is shown twice", textOf(cell, output));
      continue;
    }
    if (output.startsWith("clear") && ledger.hasUnownedClear) continue;
    const found = output.startsWith("clear") ? run?.outputs.indexOf(output, place + 1) : run?.places.get(output);
    if (run === undefined || found === undefined || found < 0) {
      throw new BrokenInvariant("a cell shows output that is not its own", textOf(cell, output));
    }
    // Between the texts that show where the output continues, there can be those of threads, which name another parent.
    if (found <= place && cell.isPartlyReplayed && ledger.unowned.size > 0) continue;
    if (found <= place) {
      const isTwice = outputs.indexOf(output) < checked;
      throw new BrokenInvariant(isTwice ? "output is shown twice" : "output is out of order", textOf(cell, output));
    }
    place = found;
  }
  cell.progress = { checked, place };
}

/** Checked at the end of a schedule. */
export function checkEnd(cell: ShownCell, ledger: Ledger, circumstances: Circumstances): void {
  checkOrder(cell, ledger);
  const run = ledger.get(cell.messageId);
  if ((run?.received ?? 0) > 1) throw new BrokenInvariant("a cell runs twice", cell.messageId);
  checkOutcome(cell, run, ledger, circumstances);
  checkGaps(cell, run, ledger, circumstances);
  checkComplete(cell, run, ledger, circumstances);
}

function checkOutcome(
  cell: ShownCell,
  run: KernelRun | undefined,
  ledger: Ledger,
  { hasRecorder, isKernelGone, isInterrupted, isReopened }: Circumstances,
): void {
  const { outcomes } = cell;
  if (outcomes.length === 0 && cell.isFinishedEarlier) return;
  if (outcomes.length === 0) throw new BrokenInvariant("a run does not end", textOf(cell));
  if (outcomes.length > 1) throw new BrokenInvariant("a run ends twice", textOf(cell, outcomes.join(", ")));
  const hasEnded = ledger.ends > 0 || isKernelGone;
  if (
    (outcomes[0] === "dropped" || outcomes[0] === "aborted") &&
    !isInterrupted &&
    !isReopened &&
    !ledger.hasFailed &&
    !hasEnded
  ) {
    throw new BrokenInvariant("a cell does not run although nothing failed", textOf(cell, outcomes[0]));
  }
  // Without a recorder, a lost reply looks like one that the kernel has dropped. The cell says that it may have run.
  const isUnsure = cell.ownErrors.includes("NoReply") && (ledger.hasEvicted || !wasRecorded(cell, run));
  if (!isUnsure && !isTrue(outcomes[0], run, hasEnded, hasRecorder && !ledger.hasEvicted, wasRecorded(cell, run))) {
    const did = run === undefined ? "never got it" : (run.outcome ?? (run.isLost ? "ended" : "still runs it"));
    throw new BrokenInvariant("an outcome is not true", textOf(cell, `${outcomes[0]}, but the kernel ${did}`));
  }
}

function isTrue(
  outcome: string | undefined,
  run: KernelRun | undefined,
  hasEnded: boolean,
  isRecorded: boolean,
  wasRecorded: boolean,
): boolean {
  switch (outcome) {
    case "ok":
      return run?.outcome === "ok";
    case "error":
      return run?.outcome === "error" || run?.outcome === "noReply";
    case "aborted":
      return (run?.began ?? 0) === 0;
    case "dropped":
    case "notReceived":
      return run === undefined;
    case "kernelEnded":
      return hasEnded;
    default:
      return !isRecorded || hasEnded || !wasRecorded || run?.outcome === "noReply";
  }
}

/** A note that output may be missing is shown only if it may be. */
function checkGaps(
  cell: ShownCell,
  run: KernelRun | undefined,
  ledger: Ledger,
  { hasRecorder, isDisturbed, isKernelGone }: Circumstances,
): void {
  if (cell.gaps.length === 0) return;
  const isRecorded = hasRecorder && cell.hasRecorder && wasRecorded(cell, run);
  const hasAll = isRecorded && !ledger.hasEvicted && ledger.ends === 0 && !isKernelGone;
  if (!isDisturbed || (hasAll && !cell.isClosedEarly)) {
    throw new BrokenInvariant(
      "a cell says that output may be missing, but none is",
      textOf(cell, cell.gaps.join(", ")),
    );
  }
}

/** All output is shown, or the cell says that some may be missing. */
function checkComplete(
  cell: ShownCell,
  run: KernelRun | undefined,
  ledger: Ledger,
  { hasRecorder, isConcurrent, isKernelGone, isReopened, hasSilentLoss }: Circumstances,
): void {
  // A kernel without subshells replies only when it is idle: a cell can end before its missing output is read, and the
  // kernel or the window after that.
  if (hasRecorder && !isConcurrent && (isReopened || ledger.ends > 0 || isKernelGone)) return;
  if (hasSilentLoss && !(hasRecorder && run?.isRecorded === true)) return;
  if (run === undefined || cell.saysSo || (cell.isForgotten && cell.isFinishedEarlier)) return;
  // Nobody waits for the output of threads when their cell has ended. Only the recorder has what is lost of it.
  const isLateKept = hasRecorder && run.isRecorded && !ledger.hasEvicted && ledger.ends === 0 && !isKernelGone;
  const expected = isLateKept ? run.outputs : run.outputs.slice(0, run.outputsAtEnd);
  const shown = new Set(cell.outputs);
  const missing = expected.filter((output) => !output.startsWith("clear") && !shown.has(output));
  if (missing.length > 0) {
    throw new BrokenInvariant("output is lost without a note", textOf(cell, missing.join(", ")));
  }
}

/** True if the kernel had a recorder when it got the cell, or if it never did, when the user ran it. */
function wasRecorded(cell: ShownCell, run: KernelRun | undefined): boolean {
  return run === undefined ? cell.hasRecorder : run.isRecorded;
}

function textOf(cell: ShownCell, details = ""): string {
  return `${cell.messageId} [${cell.outputs.join(", ")}] ${details}`.trimEnd();
}
