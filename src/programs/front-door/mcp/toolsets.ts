import type { AnyOperation } from "../../../api/catalogue/operation.ts";

/** Groups of tools that a front door offers or leaves out as a whole: the families of the API, and its other reads. */
export const toolsets = ["workspaces", "contents", "designs", "pages", "sandbox", "workflows", "reads"] as const;

export type Toolset = (typeof toolsets)[number];

/** True when the text names a toolset. */
export function isToolset(text: string): text is Toolset {
  return toolsets.some((toolset) => toolset === text);
}

/** The set that an operation's tool belongs to, by the family in its id. */
export function toolsetOf(operation: AnyOperation): Toolset {
  const family = operation.id.split(".")[0] ?? "";
  return isToolset(family) ? family : "reads";
}
