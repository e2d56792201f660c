import * as vscode from "vscode";
import type { ResourceUsages } from "../../../tenants/workspaces/resource-usages.ts";
import type { TreeRow } from "../../../ui/tree/definition.ts";
import type { PlatformTree } from "../../../ui/tree/platform-tree.ts";
import { usageOf } from "./kernel-usage.ts";
import { type RunningRow, runningRowItem } from "./running-rows.ts";

/** Shows in the rows of kernels what they use, and keeps that up to date while they are in sight. */
export function followUsage(
  tree: Pick<PlatformTree, "rows" | "rowsInSight" | "replace" | "onDidChangeSight">,
  usages: Pick<ResourceUsages, "latest" | "watch" | "onDidChange">,
): vscode.Disposable {
  /** By the workspaces whose kernels are in sight. */
  const watched = new Map<string, vscode.Disposable>();
  const update = (): void => {
    const shown = new Map(
      tree.rowsInSight
        .filter(isRunningRow)
        .filter(({ item }) => item.type !== "terminal")
        .map(({ tenantId, workspaceId }) => [`${tenantId}/${workspaceId}`, { tenantId, workspaceId }]),
    );
    for (const [key, watch] of watched) {
      if (!shown.has(key)) {
        watched.delete(key);
        watch.dispose();
      }
    }
    for (const [key, place] of shown) {
      if (!watched.has(key)) {
        watched.set(key, usages.watch(place, { asksServer: true }));
      }
    }
  };
  const listeners = vscode.Disposable.from(
    tree.onDidChangeSight(update),
    usages.onDidChange((place) => {
      const usage = usages.latest(place);
      for (const row of tree.rows(place.tenantId).filter(isRunningRow)) {
        const fresh: RunningRow = { ...row, ...usageOf(row.item, usage) };
        if (row.workspaceId === place.workspaceId && isShownDifferently(row, fresh)) {
          tree.replace(fresh);
        }
      }
    }),
  );
  update();
  return new vscode.Disposable(() => {
    listeners.dispose();
    vscode.Disposable.from(...watched.values()).dispose();
  });
}

function isRunningRow(row: TreeRow): row is RunningRow {
  return row.type === "running";
}

/** A row that is drawn again loses its card, so that is only done if it looks different. */
function isShownDifferently(one: RunningRow, other: RunningRow): boolean {
  return runningRowItem(one).description !== runningRowItem(other).description;
}
