import { contentTools } from "./content-tools.ts";
import { designAssetTools } from "./design-asset-tools.ts";
import { operationTools } from "./operation-tools.ts";
import type { Tool } from "./tool.ts";
import { type Toolset, toolsets } from "./toolsets.ts";

/** Which tools a front door offers. */
export interface ToolChoice {
  /** Empty: all. */
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
}

/** The tools of a choice, by toolset and then by name, always in the same order. */
export function toolsFor(choice: ToolChoice): readonly Tool[] {
  const isOffered = (toolset: Toolset): boolean => choice.toolsets.length === 0 || choice.toolsets.includes(toolset);
  return allTools().filter(({ toolset, effect }) => isOffered(toolset) && (effect === "read" || !choice.readOnly));
}

let all: readonly Tool[] | undefined;

function allTools(): readonly Tool[] {
  all ??= [...contentTools(), ...designAssetTools(), ...operationTools()].toSorted(
    (one, other) =>
      toolsets.indexOf(one.toolset) - toolsets.indexOf(other.toolset) || (one.listed.name < other.listed.name ? -1 : 1),
  );
  return all;
}
