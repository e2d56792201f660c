import type { ToolConfiguration, Toolset } from "../config/configuration.ts";
import { toolsets } from "../config/settings.ts";
import { contentTools } from "./content-tools.ts";
import { designAssetTools } from "./design-asset-tools.ts";
import { operationTools } from "./operation-tools.ts";
import { runCellTool } from "./run-cell-tool.ts";
import type { Tool } from "./tool.ts";

/** The tools that a front door offers, sorted by toolset, then by name. */
export function toolsFor(
  choice: Pick<ToolConfiguration, "toolsets" | "readOnly"> & Partial<Pick<ToolConfiguration, "runCells">>,
): readonly Tool[] {
  const isOffered = (toolset: Toolset): boolean => choice.toolsets.length === 0 || choice.toolsets.includes(toolset);
  const tools = choice.runCells === true ? inOrder([...allTools(), runCellTool()]) : allTools();
  return tools.filter(({ toolset, effect }) => isOffered(toolset) && (effect === "read" || !choice.readOnly));
}

let all: readonly Tool[] | undefined;

function allTools(): readonly Tool[] {
  all ??= inOrder([...contentTools(), ...designAssetTools(), ...operationTools()]);
  return all;
}

function inOrder(tools: readonly Tool[]): readonly Tool[] {
  return tools.toSorted(
    (one, other) =>
      toolsets.indexOf(one.toolset) - toolsets.indexOf(other.toolset) || (one.listed.name < other.listed.name ? -1 : 1),
  );
}
