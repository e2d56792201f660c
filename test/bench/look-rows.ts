import type { LookFigures } from "./look.ts";
import type { WorkspaceRow } from "./workspace-rows.ts";

/** The figures of looks into a kernel next to their limits. */
export function lookRows({ variables }: LookFigures): readonly WorkspaceRow[] {
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
  ];
}

function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}
