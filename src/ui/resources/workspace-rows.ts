import type { InstanceType, Workspace } from "../../api/catalogue/models/workspaces.ts";
import { computeTierLabel, kernelLabel, kernelOf, stateOf } from "../../api/families/workspaces.ts";
import { absoluteDate } from "../format/dates.ts";
import { nonBlank, type Translate } from "../format/labels.ts";
import { timeText } from "../format/quantities.ts";

export type ShownState = "stopped" | "starting" | "running";

/** The row of a workspace in trees and quick picks, independent of the editor's types. */
interface WorkspaceRow {
  readonly label: string;
  readonly description: string;
  readonly state: ShownState;
  readonly stateText: string;
  /** The accessible name: name, state, and size. */
  readonly accessibilityLabel: string;
  /** A codicon's name. */
  readonly icon: string;
  /** The name of a theme color; undefined for a stopped workspace. */
  readonly color: string | undefined;
}

const looks: Readonly<Record<ShownState, { readonly icon: string; readonly color: string | undefined }>> = {
  running: { icon: "vm-running", color: "testing.iconPassed" },
  starting: { icon: "loading~spin", color: "charts.yellow" },
  stopped: { icon: "vm", color: undefined },
};

/**
 * The row of a workspace; `isWaitedFor` is true while this window waits for it to start. If the platform's sizes are
 * known, a size that isn't one of them is not shown (API description, 2.5).
 */
export function workspaceRow(
  workspace: Workspace,
  isWaitedFor: boolean,
  translate: Translate,
  sizes?: readonly InstanceType[],
): WorkspaceRow {
  const reported = stateOf(workspace).state;
  const state = reported === "stopped" && isWaitedFor ? "starting" : reported;
  const label = workspaceName(workspace, translate);
  const description = [sizeOf(workspace, sizes), kernelLabel(kernelOf(workspace))].filter(Boolean).join(" · ");
  const stateText = stateWord(state, translate);
  return {
    label,
    description,
    state,
    stateText,
    accessibilityLabel: [label, stateText, description].filter((part) => part !== "").join(", "),
    ...looks[state],
  };
}

/** The workspace's name. The id is never used as a label. */
export function workspaceName(workspace: Workspace, translate: Translate): string {
  return nonBlank(workspace.name) ?? translate("Unnamed workspace");
}

/** The state as a word. */
function stateWord(state: ShownState, translate: Translate): string {
  switch (state) {
    case "running":
      return translate("running");
    case "starting":
      return translate("starting");
    case "stopped":
      return translate("stopped");
  }
}

/** The lines of a workspace's card as names and values. Unknown values are omitted. */
export function workspaceCard(
  workspace: Workspace,
  stateText: string,
  language: string | undefined,
  translate: Translate,
  sizes?: readonly InstanceType[],
  names: ReadonlyMap<string, string> = new Map(),
): readonly (readonly [name: string, value: string])[] {
  const state = stateOf(workspace);
  const instance = state.state === "stopped" ? undefined : state.instance;
  const owner = optionalText(workspace.owner);
  const lines: readonly (readonly [string, string | undefined])[] = [
    [translate("State"), stateText],
    [translate("Size"), sizeOf(workspace, sizes)],
    [translate("Kernel"), kernelLabel(kernelOf(workspace))],
    [translate("Owner"), owner === undefined ? undefined : (names.get(owner) ?? translate("User {0}", owner))],
    [translate("Started"), absoluteDate(instance?.started, language)],
    [translate("Last activity"), absoluteDate(instance?.lastActivity, language)],
    [translate("Last run"), absoluteDate(workspace.lastRun, language)],
    [translate("Updated"), absoluteDate(workspace.updated, language)],
    [translate("Created"), absoluteDate(workspace.created, language)],
    [translate("Time limit"), hours(workspace.timeoutHours, language)],
    [translate("ID"), workspace.id],
  ];
  return lines.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function sizeOf(workspace: Workspace, sizes: readonly InstanceType[] | undefined): string | undefined {
  return computeTierLabel(workspace, sizes ?? workspace.instanceTypes ?? undefined);
}

function optionalText(value: string | number | null | undefined): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

function hours(value: number | null | undefined, language: string | undefined): string | undefined {
  return value === undefined || value === null ? undefined : timeText(value, "hour", language);
}
