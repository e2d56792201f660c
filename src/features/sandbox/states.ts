import * as vscode from "vscode";

/** The common fields of a commit, a commit request, and a promotion. */
export interface Work {
  readonly status?: string | null | undefined;
  readonly started?: string | number | null | undefined;
  readonly completed?: string | number | null | undefined;
}

/** The state of requested work. */
type WorkState = "waiting" | "running" | "done" | "warned" | "failed" | "unknown";

const states: Readonly<Record<string, WorkState>> = {
  QUEUED: "waiting",
  PENDING: "waiting",
  WAITING: "waiting",
  CREATED: "waiting",
  PROCESSING: "running",
  IN_PROGRESS: "running",
  RUNNING: "running",
  STARTED: "running",
  COMPLETED: "done",
  SUCCESS: "done",
  SUCCEEDED: "done",
  COMPLETED_WITH_WARNINGS: "warned",
  FAILED: "failed",
  FAILURE: "failed",
  ERROR: "failed",
  CANCELLED: "failed",
};

/** The state from the platform's status or, without one, from the start and end times. */
export function workState({ status, started, completed }: Work): WorkState {
  const known = states[(status ?? "").toUpperCase()];
  const hasEnded = completed !== undefined && completed !== null;
  return known ?? (hasEnded ? "done" : started === undefined || started === null ? "unknown" : "running");
}

export function isUnderWay(work: Work): boolean {
  return ["waiting", "running"].includes(workState(work));
}

/** The state's codicon and theme color. */
export const workLooks: Readonly<Record<WorkState, { readonly icon: string; readonly color: string | undefined }>> = {
  waiting: { icon: "watch", color: "charts.yellow" },
  running: { icon: "sync~spin", color: "charts.yellow" },
  done: { icon: "pass", color: "testing.iconPassed" },
  warned: { icon: "warning", color: "list.warningForeground" },
  failed: { icon: "error", color: "testing.iconFailed" },
  unknown: { icon: "circle-outline", color: undefined },
};

/** The state in words. */
export function workWord(state: WorkState): string {
  switch (state) {
    case "waiting":
      return vscode.l10n.t("waiting");
    case "running":
      return vscode.l10n.t("running");
    case "done":
      return vscode.l10n.t("completed");
    case "warned":
      return vscode.l10n.t("completed with warnings");
    case "failed":
      return vscode.l10n.t("failed");
    case "unknown":
      return vscode.l10n.t("unknown state");
  }
}
