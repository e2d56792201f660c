import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import type { PlatformClient } from "../../api/client/client.ts";
import type { Connections } from "../../tenants/connections.ts";
import { withoutLinks } from "../../tenants/messages.ts";
import { viewId } from "../tree/definition.ts";
import type { PlatformTree } from "../tree/platform-tree.ts";

/** Reports the progress of long work: a short message, and the completed fraction from 0 to 1 if known. */
export type ReportProgress = (message: string, part?: number) => void;

/** Milliseconds. Shorter work shows no progress. */
const delay = 300;

/** The connections that commands need. */
export type PlatformConnections = Pick<Connections, "platform" | "tenant">;

type ShownTree = Pick<PlatformTree, "definition" | "isInSight">;

/**
 * Wraps connections so that slow requests show progress in their view, or in the status bar if the view isn't visible.
 */
export function withProgressIn(tree: ShownTree, connections: PlatformConnections): PlatformConnections {
  return {
    tenant: (tenantId) => connections.tenant(tenantId),
    platform: async (tenantId) => showingProgress(await connections.platform(tenantId), tree),
  };
}

function showingProgress(client: PlatformClient, tree: ShownTree): PlatformClient {
  const call: PlatformClient["call"] = async (...request) => {
    const working = client.call(...request);
    void showWhile(working, tree);
    return working;
  };
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = name === "call" ? call : Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

async function showWhile(working: Promise<unknown>, { definition, isInSight }: ShownTree): Promise<void> {
  if (await isQuick(working)) {
    return;
  }
  const where = isInSight
    ? { location: { viewId: viewId(definition.view) } }
    : { location: vscode.ProgressLocation.Window, title: vscode.l10n.t("Waiting for the platform") };
  // The caller reports a failure.
  await vscode.window.withProgress(where, () => working.catch(() => undefined));
}

/** Resolves with true if the work succeeds or fails before progress must be shown. */
function isQuick(working: Promise<unknown>): Promise<boolean> {
  const ended = working.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, pause(delay, false)]);
}

/** Runs work and shows a notification with progress and a Cancel button if it takes long. */
export async function withCancellableProgress<Result>(
  title: string,
  work: (signal: AbortSignal, report: ReportProgress) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  let reached: { readonly message?: string; readonly part: number } = { part: 0 };
  let show: () => void = () => undefined;
  const working = work(abort.signal, (message, part = reached.part) => {
    reached = { message: withoutLinks(message), part };
    show();
  });
  if (await isQuick(working)) {
    return working;
  }
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true },
    async (progress, cancellation) => {
      cancellation.onCancellationRequested(() => abort.abort());
      let shown = 0;
      show = () => {
        const { message, part } = reached;
        progress.report({ ...(message === undefined ? {} : { message }), increment: Math.max(0, part - shown) * 100 });
        shown = Math.max(shown, part);
      };
      show();
      return working;
    },
  );
}
