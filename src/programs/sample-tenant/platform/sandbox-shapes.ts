import { userId } from "../seed/organization.ts";
import {
  type CommitRequestState,
  type Outcome,
  ownDomain,
  type PromotionState,
  type RepositoryState,
  type SandboxState,
} from "../seed/sandbox.ts";
import type { Wire } from "./handler.ts";

type Shape = Record<string, unknown>;

/** Milliseconds until requested work begins, and until it ends. */
const queued = 200;
const finished = 1200;

/** The current state of a commit or promotion. */
interface Progress {
  readonly status: Outcome | "QUEUED" | "PROCESSING";
  readonly completed: string | null;
}

/** The progress of work with this start and outcome. */
function progressOf(work: { readonly started: string; readonly outcome: Outcome }): Progress {
  const started = Date.parse(work.started);
  const elapsed = Date.now() - started;
  if (elapsed < finished) {
    return { status: elapsed < queued ? "QUEUED" : "PROCESSING", completed: null };
  }
  return { status: work.outcome, completed: new Date(started + finished).toISOString() };
}

/** The requests that have become commits, newest first. */
export function commitsOf(state: SandboxState, repositoryId: string): readonly CommitRequestState[] {
  return state.commitRequests
    .filter((request) => request.repositoryId === repositoryId)
    .filter((request) => request.outcome !== "FAILED" && progressOf(request).completed !== null)
    .toSorted((left, right) => right.started.localeCompare(left.started));
}

/** A page with its context. The name of the offset depends on the dialect. */
export function pageShape(key: string, page: readonly Shape[], total: number, offset: number, wire: Wire): Shape {
  const context = { count: page.length, totalCount: total, [wire.dialect.fields.pageOffset]: offset };
  return { [key]: page, pageContext: context };
}

export function repositoryShape(state: SandboxState, repository: RepositoryState): Shape {
  const { content, access, userPermissions, groupPermissions: _groups, ...rest } = repository;
  const [last] = commitsOf(state, repository.id);
  const completed = last === undefined ? null : progressOf(last).completed;
  return {
    ...rest,
    accessCount: access.length,
    updated: completed ?? repository.created,
    permission: userPermissions[userId] ?? "NONE",
    deployments: repository.deployments.map((deployment) => ({
      ...deployment,
      repositoryId: repository.id,
      userId: repository.userId,
    })),
    lastCommit: last === undefined ? null : { ...requestShape(state, last), id: last.commitId },
    repositoryContent: content,
  };
}

export function requestShape(state: SandboxState, request: CommitRequestState): Shape {
  const { outcome, commitId: _commitId, ...rest } = request;
  const progress = progressOf(request);
  const repository = state.repositories.find(({ id }) => id === request.repositoryId);
  const hasWarning = progress.completed !== null && outcome === "COMPLETED_WITH_WARNINGS";
  return {
    ...rest,
    repositoryName: repository?.name ?? null,
    ...progress,
    ...(hasWarning ? { warning: { errorCode: "V-0057", message: "Completed with warnings", details: {} } } : {}),
  };
}

export function commitShape(request: CommitRequestState): Shape {
  return {
    id: request.commitId,
    name: request.commitName,
    summary: request.summary,
    hidden: request.hidden,
    status: progressOf(request).status,
    path: `exports/${request.repositoryId}/${request.commitId}`,
    created: request.started,
  };
}

export function promotionShape(state: SandboxState, promotion: PromotionState): Shape {
  const { outcome: _outcome, request, ...rest } = promotion;
  const commit = state.commitRequests.find(({ commitId }) => commitId === promotion.commitId);
  const repository = state.repositories.find(({ id }) => id === promotion.repositoryId);
  return {
    ...rest,
    commitName: commit?.commitName ?? null,
    repositoryName: repository?.name ?? null,
    ...progressOf(promotion),
    promotionRequest: request,
    promotionResult: null,
  };
}

export function accessShape(repository: RepositoryState): Shape {
  return {
    accessList: repository.access.map((invitedDomain) => ({ invitedDomain, repositoryId: repository.id })),
  };
}

export function settingsShape(state: SandboxState): Shape {
  return { ...state.settings, domain: ownDomain };
}
