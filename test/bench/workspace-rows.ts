import type { WorkspaceFigures } from "./workspace.ts";

export interface WorkspaceRow {
  readonly what: string;
  readonly value: string;
  /** Empty for a figure without a limit. */
  readonly limit: string;
  readonly isWithin: boolean;
}

/** The figures of a workspace next to their limits, which are without the round trip. */
export function workspaceRows(figures: WorkspaceFigures): readonly WorkspaceRow[] {
  const { roundTrip, completion, definition, search5000, search100000, push, idleRequests, terminal, tunnel } = figures;
  const { echo, output } = terminal;
  const within = (what: string, value: number, max: number, details = ""): WorkspaceRow => ({
    what,
    value: `${milliseconds(value)}${details}`,
    limit: milliseconds(max),
    isWithin: value - roundTrip <= max,
  });
  const only = (what: string, value: string): WorkspaceRow => ({ what, value, limit: "", isWithin: true });
  return [
    only("round trip of the companion", milliseconds(roundTrip)),
    within("first completion, pandas", completion.first, 2000, `; plain jedi ${milliseconds(completion.plain.first)}`),
    within("completion, pandas", completion.warm, 200, `; plain jedi ${milliseconds(completion.plain.warm)}`),
    only("definition of a library's function", milliseconds(definition)),
    within("search in 5,000 files", search5000.all, 500, `; contents API ${milliseconds(search5000.plain)}`),
    within("first results in 100,000 files", search100000.first, 1000, `; all ${milliseconds(search100000.all)}`),
    only("a change until it is reported", milliseconds(push)),
    only("requests and messages while idle", String(idleRequests)),
    {
      what: "terminal: key to echo",
      value: `${echo.ours.toFixed(1)} ms; plain WebSocket ${echo.plain.toFixed(1)} ms`,
      limit: "plain + 10 ms",
      isWithin: echo.ours - echo.plain <= 10,
    },
    only("terminal: 10 MB of output", `${milliseconds(output.ours)}; plain WebSocket ${milliseconds(output.plain)}`),
    {
      what: "forwarded port: down",
      value: `${speed(tunnel.down.ours)}; plain socket ${speed(tunnel.down.plain)}`,
      limit: "200 MB/s or plain × 0.5",
      isWithin: tunnel.down.ours >= 200 || tunnel.ratio >= 0.5,
    },
    only("forwarded port: up", `${speed(tunnel.up.ours)}; plain socket ${speed(tunnel.up.plain)}`),
    only(
      "forwarded port: a small request",
      `${tunnel.request.ours.toFixed(1)} ms; plain socket ${tunnel.request.plain.toFixed(1)} ms`,
    ),
    only(
      "forwarded port: 50 new connections",
      `${milliseconds(tunnel.connections.ours)}; plain sockets ${milliseconds(tunnel.connections.plain)}`,
    ),
  ];
}

function milliseconds(value: number): string {
  return `${value.toFixed(0)} ms`;
}

function speed(megabytesPerSecond: number): string {
  return `${megabytesPerSecond.toFixed(0)} MB/s`;
}
