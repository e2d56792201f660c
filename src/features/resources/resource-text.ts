import * as vscode from "vscode";
import type { Workspace } from "../../api/catalogue/models/workspaces.ts";
import { stateOf } from "../../api/families/workspaces.ts";
import type { ResourceUsage } from "../../api/resources/resource-usage.ts";
import { absoluteDate } from "../../ui/format/dates.ts";
import { duration, memoryText, shareText, timeText } from "../../ui/format/quantities.ts";
import { workspaceCard } from "../../ui/resources/workspace-rows.ts";
import type { CardParts } from "../../ui/tree/presentation.ts";

/** Number of kernels in the tooltip. */
const maxKernels = 3;

/** The memory of a workspace with its limit. */
export interface MemoryShare {
  readonly used: number;
  /** Undefined if it isn't known. */
  readonly limit: number | undefined;
}

/** What the status bar says about a workspace. */
export interface ResourceText {
  /** Without an icon. */
  readonly text: string;
  /** For screen readers. */
  readonly label: string;
  readonly card: CardParts;
}

/**
 * The memory of a workspace, compared with the size that the platform reports if the server itself has no limit.
 * Undefined if it can't be read.
 */
export function memoryOf({ memory }: ResourceUsage, workspace: Workspace | undefined): MemoryShare | undefined {
  if (memory === null) {
    return undefined;
  }
  const size = workspace?.memory ?? 0;
  return { used: memory.used, limit: memory.limit ?? (size > 0 ? size * 2 ** 30 : undefined) };
}

/** The status bar's text; undefined if nothing is known. `nameOf`: the notebook of a kernel, if it is known. */
export function resourceText(
  usage: ResourceUsage,
  workspaceName: string,
  workspace: Workspace | undefined,
  nameOf: (kernelId: string) => string | undefined,
  now: number,
): ResourceText | undefined {
  const { language } = vscode.env;
  const memory = memoryOf(usage, workspace);
  const { limit, used } = usage.processor;
  const cpu = used === null ? undefined : shareText(limit > 0 ? used / limit : used, language);
  const shownMemory = memory && withLimit(memory, language);
  const shown = [...(shownMemory === undefined ? [] : [shownMemory]), ...(cpu === undefined ? [] : [`CPU ${cpu}`])];
  if (shown.length === 0) {
    return undefined;
  }
  const kernels = usage.kernels.slice(0, maxKernels).map(({ id, memory: bytes }) => {
    return [nameOf(id) ?? vscode.l10n.t("Other kernel"), memoryText(bytes, language)] as const;
  });
  const ofMachine = usage.memory?.source === "machine";
  return {
    text: shown.join(" · "),
    label: vscode.l10n.t("Resources of {0}: {1}", workspaceName, shown.join(", ")),
    card: {
      name: workspaceName,
      description: ofMachine
        ? vscode.l10n.t("The workspace has no limit of its own. These are the figures of the whole machine.")
        : undefined,
      lines: [
        [vscode.l10n.t("Memory"), memory && shareOf(memory, language)],
        [vscode.l10n.t("Processors"), used === null ? undefined : processorText(used, limit, language)],
        ...kernels,
        ...limitLines(workspace, language, now),
        [
          vscode.l10n.t("Idle kernels"),
          usage.culling === null
            ? undefined
            : vscode.l10n.t("ended by the server after {0}", duration(usage.culling.idleSeconds * 1000, language)),
        ],
        [vscode.l10n.t("Kernels"), problemOf(usage)],
      ],
    },
  };
}

function withLimit({ limit, used }: MemoryShare, language: string): string {
  const text = memoryText(used, language);
  return limit === undefined ? text : `${text} / ${memoryText(limit, language)}`;
}

function shareOf(memory: MemoryShare, language: string): string {
  const text = withLimit(memory, language);
  return memory.limit === undefined ? text : `${text} (${shareText(memory.used / memory.limit, language)})`;
}

function processorText(used: number, limit: number, language: string): string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  return limit > 0 ? `${format.format(used)} / ${format.format(limit)}` : format.format(used);
}

/** Why the memory of the kernels isn't known; undefined if it is. */
function problemOf({ canSeeProcesses, kernels, memory }: ResourceUsage): string | undefined {
  if (kernels.length > 0) {
    return undefined;
  }
  if (memory?.source === "server") {
    return vscode.l10n.t("The server reports only the sum of all kernels.");
  }
  return canSeeProcesses
    ? vscode.l10n.t("The kernels run on another machine, or as another user.")
    : vscode.l10n.t("The server's system doesn't show its processes.");
}

/** The size of the workspace, and when the platform stops it. */
function limitLines(
  workspace: Workspace | undefined,
  language: string,
  now: number,
): readonly (readonly [string, string | undefined])[] {
  if (workspace === undefined) {
    return [];
  }
  const size = vscode.l10n.t("Size");
  const sizeLine = workspaceCard(workspace, "", language, vscode.l10n.t).find(([name]) => name === size);
  const hours = workspace.timeoutHours ?? 0;
  if (hours <= 0) {
    return sizeLine === undefined ? [] : [sizeLine];
  }
  const state = stateOf(workspace);
  const started = Date.parse((state.state === "running" ? state.instance.started : undefined) ?? "");
  const stops = started + hours * 3_600_000;
  const limit =
    workspace.activityBasedTimeout === false && stops > now
      ? vscode.l10n.t("stops at {0}", absoluteDate(new Date(stops).toISOString(), language) ?? "")
      : workspace.activityBasedTimeout === true
        ? vscode.l10n.t("stops {0} after the last activity", timeText(hours, "hour", language))
        : timeText(hours, "hour", language);
  return [...(sizeLine === undefined ? [] : [sizeLine]), [vscode.l10n.t("Time limit"), limit]];
}
