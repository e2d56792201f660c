import type { KernelEvent } from "../../../src/api/kernels/connection/connection.ts";
import type { ExecutionOutcome } from "../../../src/api/kernels/executions/executions.ts";
import { outcomeText, stateText } from "../../../src/features/kernels/cells/cell-status.ts";
import type { Disconnect } from "./disconnects.ts";
import { type Moment, moments } from "./moments.ts";
import { FaultSession } from "./session.ts";
import type { ShownCell } from "./shown-cell.ts";
import type { FaultWorld } from "./world.ts";

/** The result of one moment with one kind of disconnect. */
export interface FaultRow {
  readonly disconnect: Disconnect;
  readonly moment: Moment;
  readonly meanwhile: string;
  readonly afterwards: string;
  readonly saved: string;
  readonly outcomes: readonly (ExecutionOutcome | undefined)[];
  readonly texts: readonly string[];
  /** The output of each cell in the saved notebook. */
  readonly savedTexts: readonly string[];
  /** How many times a cell reported missing output, and how many times it ended. */
  readonly gaps: number;
  readonly ends: readonly number[];
  /** How many times each cell ran in the kernel. */
  readonly runs: readonly number[];
}

/** Breaks the connection at all moments at once, each with its own kernel. */
export async function rowsOf(disconnect: Disconnect, index: number, world: FaultWorld): Promise<readonly FaultRow[]> {
  const target = disconnect.throughHubProxy === true ? world.hubProxy.url : world.url;
  const sessions = await Promise.all(
    moments.map((moment, of) => FaultSession.begin(world, moment, target, `d${index}-m${of}`)),
  );
  try {
    await disconnect.strike(sessions, world);
    await Promise.all(
      sessions.map(async (session) => {
        await session.runWhileAway();
        if (disconnect.kernel === "survives") await session.workAlone();
      }),
    );
    await disconnect.pass?.(sessions, world);
    const meanwhile = await Promise.all(sessions.map((session) => shownMeanwhile(disconnect, session)));
    await disconnect.restore(sessions, world);
    return await Promise.all(
      sessions.map(async (session, of) => {
        await session.finish();
        return rowOf(disconnect, session, meanwhile[of] ?? "", await session.runs());
      }),
    );
  } finally {
    await Promise.all(sessions.map((session) => session.dispose()));
  }
}

/** The lasting state: between two attempts, the window briefly shows that it is connecting. */
async function shownMeanwhile({ meanwhile }: Disconnect, session: FaultSession): Promise<string> {
  switch (meanwhile) {
    case "state": {
      let shown = "";
      await session.until("a state that lasts", () => {
        const { state } = session.connection;
        shown = stateText(state);
        return state.type !== "connecting";
      });
      return shown;
    }
    case "no window":
      return "*no window*";
    case "asleep":
      return "*asleep*";
  }
}

function rowOf(disconnect: Disconnect, session: FaultSession, meanwhile: string, runs: readonly number[]): FaultRow {
  const { cells, events, moment } = session;
  return {
    disconnect,
    moment,
    meanwhile,
    runs,
    afterwards: [...events.flatMap(messageOf), ...new Set(cells.map((cell) => shownAfterwards(cell, moment)))].join(
      " ",
    ),
    saved: [...new Set(cells.map((cell, index) => cell.savedPart(moment.expected[index] ?? "")))].join("; "),
    outcomes: cells.map(({ outcome }) => outcome),
    texts: cells.map((cell) => cell.text()),
    savedTexts: cells.map((cell) => cell.saved),
    gaps: cells.flatMap((cell) => cell.of("gap")).length,
    ends: cells.map((cell) => cell.of("ended").length),
  };
}

/** Users get a message about events of the kernel. */
function messageOf(event: KernelEvent): readonly string[] {
  return event.type === "ended" && event.end === "gone"
    ? [
        `*Message that the kernel no longer exists. Cells that were running or queued: ${event.running.length}; not sent: ${event.notSent.length}.*`,
      ]
    : event.type === "activity"
      ? []
      : [`*Message: ${event.type}.*`];
}

function shownAfterwards(cell: ShownCell, { asksForInput }: Moment): string {
  const { outcome } = cell;
  const words = outcome === undefined ? undefined : outcomeText(outcome);
  const gap = cell.of("gap").length > 0 ? " Output may be missing." : "";
  if (words !== undefined) return words + gap;
  if (outcome?.type === "ok")
    return `*${asksForInput ? "The cell asks for input and finishes." : "The cell finishes."}*${gap}`;
  return outcome?.type === "dropped" ? "*The cell does not run.*" : `*The cell finishes as ${outcome?.type}.*${gap}`;
}

/** The violations of the promise that nothing is lost; empty if it was kept. */
export function broken(row: FaultRow): readonly string[] {
  const { disconnect, moment, outcomes, texts, savedTexts, gaps, ends, runs } = row;
  const problems: string[] = [];
  const tell = (problem: string): void => {
    problems.push(`${disconnect.name}, ${moment.name}: ${problem}`);
  };
  if (runs.some((count) => count > 1)) tell(`a cell ran more than once: ${runs.join(", ")}`);
  if (ends.some((count) => count !== 1)) tell(`the cells ended ${ends.join(", ")} times`);
  for (const [index, outcome] of outcomes.entries()) {
    const [text = "", expected = ""] = [texts[index], moment.expected[index]];
    const ran = runs[index] ?? 0;
    if (disconnect.kernel === "ends") {
      if (!expected.startsWith(text)) tell(`cell ${index} has output that does not fit: ${shortOf(text)}`);
      if (outcome?.type !== "kernelEnded" && outcome?.type !== "dropped")
        tell(`cell ${index} ended as ${outcome?.type}`);
    } else if (outcome?.type === "notReceived") {
      if (!moment.isRunWhileAway) tell(`cell ${index} was sent, and is said not to have been received`);
      if (ran !== 0 || text !== "") tell(`cell ${index} is said not to have run, and ran`);
    } else {
      if (outcome?.type !== "ok") tell(`cell ${index} ended as ${outcome?.type}`);
      if (text !== expected) tell(`cell ${index} has other output: ${shortOf(text)}`);
      if (ran !== 1) tell(`cell ${index} ran ${ran} times`);
    }
  }
  const arrived = moment.reached?.text ?? "";
  if (![texts[0], savedTexts[0]].every((text) => text?.startsWith(arrived))) tell("output that had arrived is lost");
  if (disconnect.kernel === "survives" && gaps > 0) tell(`it says ${gaps} times that output may be missing`);
  if (/missing|do not fit/.test(row.saved)) tell(`the saved notebook has ${row.saved}`);
  return problems;
}

function shortOf(text: string): string {
  return `${text.length} characters, ${JSON.stringify(text.slice(0, 60))} to ${JSON.stringify(text.slice(-60))}`;
}
