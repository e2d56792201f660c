import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import type { CommitRequest, Promotion } from "../../api/catalogue/models/sandbox.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { commitRequestsOf, readPromotionPage, type SentEvent } from "../../api/families/sandbox.ts";
import { isSignedOut } from "../../tenants/access-obstacle.ts";
import { showError, showInformation, showWarning } from "../../tenants/messages.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { isUnderWay, type Work, workState } from "./states.ts";

/** A commit request or a promotion that continues after the platform's response. */
type RequestedWork = Work & Pick<CommitRequest, "id" | "commitName" | "pusherEventId">;

/** Reads the current state of the work; undefined while the platform does not list it. */
export type ReadWork = () => Promise<RequestedWork | undefined>;

/** The messages about requested work. `name` is the repository and its commit, such as `Order apps v5`. */
interface CompletionWords {
  /** For example, "Committing Order apps". */
  readonly running: string;
  readonly done: (name: string) => string;
  readonly warned: (name: string) => string;
  readonly failed: (name: string) => string;
  /** Used if the platform doesn't report the outcome. */
  readonly unknown: string;
}

export interface FollowedWork {
  /** The repository's name. */
  readonly name: string;
  readonly words: CompletionWords;
  readonly read: ReadWork;
  /** The resource that Show Details opens. */
  readonly resource: (id: string, name: string) => PlatformResource;
  /** Refreshes the lists that show the result. */
  readonly onEnded: () => Promise<void>;
  /** Waits for this number of milliseconds. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

/** Milliseconds: the first and the longest pause between two reads, and the maximum time that the work is followed. */
const firstPauseMs = 1000;
const maxPauseMs = 15_000;
const followMs = 60 * 60_000;
/** Maximum number of consecutive failures or missing entries before waiting ends. */
const tolerated = 5;

/**
 * Follows requested work with progress in the status bar, and reports once how it ended. Reads only while the window
 * has the focus. Ends without a message when the user signs out. Never throws.
 */
export async function reportCompletion(work: FollowedWork): Promise<void> {
  const ended = await Promise.resolve(
    vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: work.words.running }, () =>
      untilEnded(work.read, work.sleep),
    ),
  ).catch(() => "signedOut" as const);
  if (ended === "signedOut") {
    return;
  }
  await work.onEnded().catch(() => undefined);
  await showCompletion(work, ended);
}

/** The work after it has ended; undefined if it can't be read. Throws an AccessError after the user has signed out. */
async function untilEnded(
  read: ReadWork,
  sleep: (milliseconds: number) => Promise<unknown> = sleepUnwatched,
): Promise<RequestedWork | undefined> {
  let missed = 0;
  for (let waited = 0, next = firstPauseMs; waited < followMs; waited += next, next = Math.min(next * 2, maxPauseMs)) {
    await sleep(next);
    await focused();
    const work = await read().catch((error: unknown) => {
      if (isSignedOut(error)) {
        throw error;
      }
      return undefined;
    });
    if (work !== undefined && !isUnderWay(work)) {
      return work;
    }
    missed = work === undefined ? missed + 1 : 0;
    if (missed === tolerated) {
      return undefined;
    }
  }
  return undefined;
}

/** The timer must not keep the extension host alive. */
function sleepUnwatched(milliseconds: number): Promise<unknown> {
  return pause(milliseconds, undefined, { ref: false });
}

function focused(): Promise<void> {
  return new Promise((resolve) => {
    if (vscode.window.state.focused) {
      resolve();
      return;
    }
    const listener = vscode.window.onDidChangeWindowState((state) => {
      if (state.focused) {
        listener.dispose();
        resolve();
      }
    });
  });
}

async function showCompletion(
  { name, words, resource }: FollowedWork,
  ended: RequestedWork | undefined,
): Promise<void> {
  const state = ended === undefined ? "unknown" : workState(ended);
  const full = [name, ended?.commitName ?? ""].filter((part) => part !== "").join(" ");
  if (state === "done") {
    void showInformation(words.done(full));
    return;
  }
  if (state === "unknown" || ended === undefined) {
    void showWarning(words.unknown);
    return;
  }
  const showDetails = vscode.l10n.t("Show Details");
  const chosen = await (state === "warned"
    ? showWarning(words.warned(full), showDetails)
    : showError(words.failed(full), showDetails));
  if (chosen === showDetails) {
    await vscode.commands.executeCommand("platformWorkbench.showDetails", resource(String(ended.id ?? ""), full));
  }
}

/** The repository whose work is followed. */
export interface FollowedRepository {
  /** Throws an AccessError after the user has signed out. */
  readonly connect: () => Promise<PlatformClient>;
  readonly tenantId: string;
  readonly repositoryId: string;
  readonly name: string;
  readonly onEnded: () => Promise<void>;
}

/** Reports the end of a commit and its result. */
export function reportCommit(of: FollowedRepository, request: CommitRequest & SentEvent): Promise<void> {
  const { connect, tenantId, repositoryId, name, onEnded } = of;
  return reportCompletion({
    name,
    words: {
      running: vscode.l10n.t("Committing {0}", name),
      done: (full) => vscode.l10n.t("Committed {0}.", full),
      warned: (full) => vscode.l10n.t("Committed {0} with warnings.", full),
      failed: (full) => vscode.l10n.t("The commit of {0} failed.", full),
      unknown: vscode.l10n.t("The platform accepted the commit of {0}, but doesn't say whether it succeeded.", name),
    },
    read: async () => sameWork((await commitRequestsOf(await connect(), repositoryId)).items, request),
    resource: (id, full) => ({ type: "commitRequest", tenantId, id, parentId: repositoryId, name: full }),
    onEnded,
  });
}

/** Reports the end of a promotion and its result. */
export function reportPromotion(
  of: FollowedRepository,
  promotion: Promotion & SentEvent,
  target: string,
): Promise<void> {
  const { connect, tenantId, name, onEnded } = of;
  return reportCompletion({
    name,
    words: {
      running: vscode.l10n.t("Promoting {0} to {1}", name, target),
      done: (full) => vscode.l10n.t("Promoted {0} to {1}.", full, target),
      warned: (full) => vscode.l10n.t("Promoted {0} to {1} with warnings.", full, target),
      failed: (full) => vscode.l10n.t("The promotion of {0} to {1} failed.", full, target),
      unknown: vscode.l10n.t(
        "The platform accepted the promotion of {0} to {1}, but doesn't say whether it succeeded.",
        name,
        target,
      ),
    },
    read: async () => {
      const filters = { repositoryName: [name] };
      const { items } = await readPromotionPage(await connect(), { filters, sort: "started", offset: 0 });
      return sameWork(items, promotion);
    },
    resource: (id, full) => ({ type: "promotion", tenantId, id, name: full }),
    onEnded,
  });
}

/**
 * Finds the requested work in a list: by the ids in the response to the request, or by the id that was sent, because
 * the API description doesn't specify the response.
 */
function sameWork<Item extends RequestedWork>(
  items: readonly Item[],
  { id, pusherEventId, sentEventId }: RequestedWork & SentEvent,
): Item | undefined {
  return (
    items.find((one) => isSame(one.id, id)) ??
    items.find((one) => isSame(one.pusherEventId, pusherEventId)) ??
    items.find((one) => isSame(one.pusherEventId, sentEventId))
  );
}

function isSame(one: string | number | null | undefined, other: string | number | null | undefined): boolean {
  return one !== null && one !== undefined && other !== null && other !== undefined && String(one) === String(other);
}
