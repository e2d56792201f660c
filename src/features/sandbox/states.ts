import type { Translate } from "../../ui/format/labels.ts";

/** How work that was asked for stands. */
export type WorkState = "waiting" | "running" | "done" | "warned" | "failed" | "unknown";

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

/** The state of a commit request or promotion: by the platform's word, else by whether it has an end. */
export function workState({
  status,
  started,
  completed,
}: {
  readonly status?: string | null | undefined;
  readonly started?: string | number | null | undefined;
  readonly completed?: string | number | null | undefined;
}): WorkState {
  const known = states[(status ?? "").toUpperCase()];
  const hasEnded = completed !== undefined && completed !== null;
  return known ?? (hasEnded ? "done" : started === undefined || started === null ? "unknown" : "running");
}

export function isUnderWay(work: Parameters<typeof workState>[0]): boolean {
  return ["waiting", "running"].includes(workState(work));
}

/** The state's codicon and theme colour. */
export const workLooks: Readonly<Record<WorkState, { readonly icon: string; readonly color: string | undefined }>> = {
  waiting: { icon: "watch", color: "charts.yellow" },
  running: { icon: "sync~spin", color: "charts.yellow" },
  done: { icon: "pass", color: "testing.iconPassed" },
  warned: { icon: "warning", color: "list.warningForeground" },
  failed: { icon: "error", color: "testing.iconFailed" },
  unknown: { icon: "circle-outline", color: undefined },
};

export function workWord(state: WorkState, translate: Translate): string {
  switch (state) {
    case "waiting":
      return translate("waiting");
    case "running":
      return translate("running");
    case "done":
      return translate("completed");
    case "warned":
      return translate("completed with warnings");
    case "failed":
      return translate("failed");
    case "unknown":
      return translate("state not told");
  }
}
