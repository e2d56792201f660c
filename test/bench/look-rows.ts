import type { LookFigures } from "./look.ts";
import type { WorkspaceRow } from "./workspace-rows.ts";

/** The figures of looks into a kernel next to their limits. */
export function lookRows({ variables, frame, step }: LookFigures): readonly WorkspaceRow[] {
  const { firstPage, filtered, cell, plain } = variables;
  return [
    {
      what: "first page of 10,000 variables",
      value: `${milliseconds(firstPage)}; all with %whos ${milliseconds(plain)}`,
      limit: "200 ms",
      isWithin: firstPage <= 200,
    },
    { what: "10,000 variables, filtered", value: milliseconds(filtered), limit: "200 ms", isWithin: filtered <= 200 },
    {
      what: "a cell beside 10,000 variables",
      value: `${milliseconds(cell.with)}; while nobody has looked ${milliseconds(cell.without)}`,
      limit: "",
      isWithin: true,
    },
    {
      what: "first page of 10,000,000 rows",
      value: milliseconds(frame.firstPage),
      limit: "200 ms",
      isWithin: frame.firstPage <= 200,
    },
    {
      what: "page after scrolling in 10,000,000 rows",
      value: `${milliseconds(frame.scrolled)}; with a cell that prints CSV ${milliseconds(frame.plain)}`,
      limit: "100 ms",
      isWithin: frame.scrolled <= 100,
    },
    {
      what: "step to stop in the debugger",
      value: `${milliseconds(step.session)}; on the bare control channel ${milliseconds(step.plain)}`,
      limit: "500 ms",
      isWithin: step.session <= 500,
    },
  ];
}

function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}
