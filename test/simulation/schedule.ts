// A schedule: the world, and what happens in it when. Its text form is what tests of found faults contain.
import type { KernelKind } from "./model/kernel-process.ts";
import { parseProgram, programText, type Step } from "./model/program.ts";

export interface World {
  readonly kernel: KernelKind;
  readonly recorder: "on" | "off";
  /** Number of messages that the recorder keeps. */
  readonly entries: number;
  /** Number of published messages that the server passes on within 3 seconds. */
  readonly rate: number;
  readonly ports: "same" | "new";
  /** Milliseconds that a message usually takes between a window and the server. */
  readonly latency: number;
  /** Seed of the latencies. */
  readonly seed: number;
}

type Window = 0 | 1;

/** Something that happens. `ms`: how long it lasts. A window's actions start it if necessary. */
export type Action =
  /** Runs cells at once. */
  | { readonly type: "run"; readonly window: Window; readonly cells: readonly (readonly Step[])[] }
  | { readonly type: "interrupt" | "restart" | "renew"; readonly window: Window }
  /** Cancels the newest cell that has not ended. */
  | { readonly type: "cancel"; readonly window: Window }
  | { readonly type: "close" | "reset"; readonly window: Window }
  /** No message arrives in a direction, and no side notices. */
  | { readonly type: "freeze" | "freezeup" | "freezedown"; readonly window: Window }
  | { readonly type: "stall" | "offline" | "expire" | "sleep" | "absent"; readonly window: Window; readonly ms: number }
  /** The window closes, or its editor is killed, and another one opens after a time. */
  | { readonly type: "reload" | "kill"; readonly window: Window; readonly ms: number }
  | { readonly type: "noroute" | "stopped" | "down"; readonly ms: number }
  /** ZeroMQ drops the next messages. */
  | { readonly type: "lose"; readonly count: number }
  /** Another client connects, runs a cell, and leaves after a time. */
  | { readonly type: "other"; readonly ms: number; readonly cell: readonly Step[] }
  | { readonly type: "crash" | "cull" };

/** `wait`: milliseconds since the action before. */
export interface Moment {
  readonly wait: number;
  readonly action: Action;
}

export interface Schedule {
  readonly world: World;
  readonly moments: readonly Moment[];
}

export const usualWorld: World = {
  kernel: "subshells",
  recorder: "on",
  entries: 1000,
  rate: 1000,
  ports: "same",
  latency: 1,
  seed: 1,
};

export function scheduleText({ world, moments }: Schedule): string {
  const named = Object.entries(usualWorld).flatMap(([name, usual]) => {
    const value = new Map<string, unknown>(Object.entries(world)).get(name);
    return value === usual ? [] : [`${name} ${String(value)}`];
  });
  const lines = moments.map(({ wait, action }) => `+${wait} ${actionText(action)}`);
  return [...(named.length === 0 ? [] : [named.join(", ")]), ...lines].join("\n");
}

function actionText(action: Action): string {
  const window = "window" in action && action.window === 1 ? "second " : "";
  switch (action.type) {
    case "run":
      return `${window}run: ${action.cells.map(programText).join(" | ")}`;
    case "other":
      return `other ${action.ms}: ${programText(action.cell)}`;
    case "lose":
      return `lose ${action.count}`;
    default:
      return window + action.type + ("ms" in action ? ` ${action.ms}` : "");
  }
}

/** The schedule of a text. Throws an error for a line that it can't read. */
export function parseSchedule(text: string): Schedule {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [first = ""] = lines;
  const isNamed = !first.startsWith("+");
  return {
    world: isNamed ? parseWorld(first) : usualWorld,
    moments: (isNamed ? lines.slice(1) : lines).map(parseMoment),
  };
}

function parseWorld(line: string): World {
  const values = new Map(line.split(", ").map((part) => [part.split(" ")[0] ?? "", part.split(" ")[1] ?? ""]));
  const number = (name: "entries" | "rate" | "latency" | "seed"): number =>
    Number(values.get(name) ?? usualWorld[name]);
  const kernel = values.get("kernel");
  return {
    kernel: kernel === "plain" || kernel === "other" ? kernel : usualWorld.kernel,
    recorder: values.get("recorder") === "off" ? "off" : "on",
    ports: values.get("ports") === "new" ? "new" : "same",
    entries: number("entries"),
    rate: number("rate"),
    latency: number("latency"),
    seed: number("seed"),
  };
}

function parseMoment(line: string): Moment {
  const found = /^\+(\d+) (second )?([a-z]+)(?: (\d+))?(?:: ?(.*))?$/.exec(line);
  if (found === null) throw new Error(`This line is no action: ${line}`);
  const [, wait, second, type = "", number, program = ""] = found;
  const window: Window = second === undefined ? 0 : 1;
  return { wait: Number(wait), action: actionOf(type, { window, number: Number(number ?? 0), program }) };
}

function actionOf(
  type: string,
  { window, number, program }: { readonly window: Window; readonly number: number; readonly program: string },
): Action {
  switch (type) {
    case "run":
      return { type, window, cells: program.split("|").map(parseProgram) };
    case "other":
      return { type, ms: number, cell: parseProgram(program) };
    case "lose":
      return { type, count: number };
    case "crash":
    case "cull":
      return { type };
    case "noroute":
    case "stopped":
    case "down":
      return { type, ms: number };
    case "stall":
    case "offline":
    case "expire":
    case "sleep":
    case "absent":
    case "reload":
    case "kill":
      return { type, window, ms: number };
    case "interrupt":
    case "restart":
    case "renew":
    case "cancel":
    case "close":
    case "reset":
    case "freeze":
    case "freezeup":
    case "freezedown":
      return { type, window };
    default:
      throw new Error(`There is no action ${type}.`);
  }
}
