import { randomUUID } from "node:crypto";
import { userId } from "../seed/organization.ts";
import { type CommitRequestState, ownDomain, type RepositoryState, type SandboxState } from "../seed/sandbox.ts";
import { ErrorResponse, type Fields, fieldsOf, ok, type PlatformCall, type PlatformHandler } from "./handler.ts";
import {
  accessShape,
  commitShape,
  commitsOf,
  pageShape,
  promotionShape,
  repositoryShape,
  requestShape,
  settingsShape,
} from "./sandbox-shapes.ts";

/** The platform's handlers for the operations of API description, 4.5, and for related ones. */
export const sandboxHandlers = {
  "sandbox.authorizations.list": async (call) => {
    const limit = Number(call.query.get("limit") ?? "250");
    const authorizations = sandboxOf(call).instances.map(({ domain, alias }) => ({
      domain: ownDomain,
      aliasedDomain: domain,
      alias,
    }));
    return ok({ authorizations: authorizations.slice(0, limit) });
  },
  "sandbox.aliases.update": async (call) => {
    const { aliasedDomain, alias } = fieldsOf(call.body);
    if (!sandboxOf(call).instances.some(({ domain }) => domain === aliasedDomain)) {
      throw new ErrorResponse(404, `The instance ${aliasedDomain} is not authorized`);
    }
    await change(call, (state) => ({
      instances: state.instances.map((one) => (one.domain === aliasedDomain ? { ...one, alias: String(alias) } : one)),
    }));
    return { status: 204 };
  },
  "sandbox.commitRequests.search": async (call) => {
    const state = sandboxOf(call);
    return ok(
      historyPage(
        call,
        "commitRequests",
        state.commitRequests.map((request) => requestShape(state, request)),
      ),
    );
  },
  "sandbox.promotions.search": async (call) => {
    const state = sandboxOf(call);
    return ok(
      historyPage(
        call,
        "promotions",
        state.promotions.map((promotion) => promotionShape(state, promotion)),
      ),
    );
  },
  "sandbox.repositories.search": async (call) => {
    const state = sandboxOf(call);
    const { query, shared } = fieldsOf(call.body);
    const { limit, offset, fieldSearchMap, filters, order } = fieldsOf(query);
    const name = String(fieldsOf(fieldSearchMap).repositoryName ?? "").toLowerCase();
    const owners = listOf(fieldsOf(filters).userId).map(Number);
    const found = state.repositories
      .filter(({ domain }) => (domain !== ownDomain) === (shared === true))
      .filter((repository) => repository.name.toLowerCase().includes(name))
      .filter((repository) => owners.length === 0 || owners.includes(repository.userId))
      .map((repository) => repositoryShape(state, repository));
    const sorted = sortedBy(found, "updated", order);
    return ok(pageOf(call, "repositories", sorted, Number(limit), Number(offset)));
  },
  "sandbox.repositories.get": async (call) => ok(repositoryShape(sandboxOf(call), repositoryOf(call))),
  "sandbox.repositories.access.get": async (call) => ok(accessShape(repositoryOf(call))),
  "sandbox.repositories.access.update": async (call) => {
    const repository = ownRepositoryOf(call);
    const access = [...new Set(listOf(call.body).map(String))];
    const changed = await changeRepository(call, repository, { access });
    return ok(accessShape(changed));
  },
  "sandbox.repositories.commitRequests.list": async (call) => {
    const { id } = repositoryOf(call);
    const state = sandboxOf(call);
    const requests = state.commitRequests.filter(({ repositoryId }) => repositoryId === id);
    return ok({ commitRequests: requests.map((request) => requestShape(state, request)), pageContext: null });
  },
  "sandbox.repositories.commitRequests.create": async (call) => {
    const repository = ownRepositoryOf(call);
    const body = fieldsOf(call.body);
    const before = sandboxOf(call).commitRequests.filter(({ repositoryId }) => repositoryId === repository.id);
    const request: CommitRequestState = {
      id: randomUUID(),
      repositoryId: repository.id,
      commitId: randomUUID(),
      commitName: `v${before.length + 1}`,
      summary: typeof body.summary === "string" ? body.summary : "",
      hidden: body.hidden === true,
      started: new Date().toISOString(),
      outcome: "COMPLETED",
      pusherEventId: String(body.pusherEventId ?? ""),
    };
    await change(call, (state) => ({ commitRequests: [...state.commitRequests, request] }));
    return ok(requestShape(sandboxOf(call), request));
  },
  "sandbox.repositories.commits.list": async (call) => {
    const commits = commitsOf(sandboxOf(call), repositoryOf(call).id).map(commitShape);
    return ok(pageShape("commits", commits, commits.length, 0, call.wire));
  },
  "sandbox.repositories.permissions.get": async (call) => {
    const { id, userPermissions, groupPermissions } = repositoryOf(call);
    return ok({ subjectId: id, userPermissions, groupPermissions });
  },
  "sandbox.repositories.permissions.update": async (call) => {
    const repository = ownRepositoryOf(call);
    const member = call.wire.dialect.bodyMembers["sandbox.repositories.permissions.update"];
    const updates = member === undefined ? call.body : fieldsOf(call.body)[member];
    if (!Array.isArray(updates)) {
      throw new ErrorResponse(
        400,
        `The permission updates are wanted ${member === undefined ? "bare" : `in ${member}`}`,
      );
    }
    const userPermissions = permissionsAfter(repository.userPermissions, updates, "userId");
    const groupPermissions = permissionsAfter(repository.groupPermissions, updates, "groupId");
    await changeRepository(call, repository, { userPermissions, groupPermissions });
    return { status: 204 };
  },
  "sandbox.promotions.promoteAndSeed": async (call) => {
    const state = sandboxOf(call);
    const deploymentId = call.parameters.get("deploymentId") ?? "";
    const named = call.parameters.get("repositoryId");
    const repository = state.repositories.find(({ deployments }) => deployments.some(({ id }) => id === deploymentId));
    if (repository === undefined || (named !== undefined && named !== repository.id)) {
      throw new ErrorResponse(404, `Deployment ${deploymentId} not found`);
    }
    const { commitId, pusherEventId, ...request } = fieldsOf(call.body);
    if (!commitsOf(state, repository.id).some((commit) => commit.commitId === commitId)) {
      throw new ErrorResponse(400, `Commit ${commitId} not found in the repository`);
    }
    const isHere = repository.deployments.some(({ id, domain }) => id === deploymentId && domain === ownDomain);
    if (isHere && !state.settings.allowSelfPromotion) {
      throw new ErrorResponse(403, "Promotions within the same instance are not allowed");
    }
    const promotion = {
      id: randomUUID(),
      repositoryId: repository.id,
      deploymentId,
      commitId: String(commitId),
      userId,
      started: new Date().toISOString(),
      outcome: "COMPLETED",
      pusherEventId: String(pusherEventId ?? ""),
      request,
    } as const;
    const seeded =
      isHere && typeof request.seedingRepoName === "string" ? [seededFrom(repository, request.seedingRepoName)] : [];
    await change(call, (before) => ({
      promotions: [...before.promotions, promotion],
      repositories: [...before.repositories, ...seeded],
    }));
    return ok(promotionShape(sandboxOf(call), promotion));
  },
  "sandbox.settings.get": async (call) => ok(settingsShape(sandboxOf(call))),
  "sandbox.settings.update": async (call) => {
    const allowSelfPromotion = fieldsOf(call.body).allowSelfPromotion === true;
    await change(call, ({ settings }) => ({ settings: { ...settings, allowSelfPromotion } }));
    return ok(settingsShape(sandboxOf(call)));
  },
} satisfies Readonly<Record<string, PlatformHandler>>;

function sandboxOf(call: PlatformCall): SandboxState {
  return call.file.state.sandbox;
}

async function change(call: PlatformCall, change: (state: SandboxState) => Partial<SandboxState>): Promise<void> {
  await call.file.change((state) => ({ ...state, sandbox: { ...state.sandbox, ...change(state.sandbox) } }));
}

async function changeRepository(
  call: PlatformCall,
  repository: RepositoryState,
  changes: Partial<RepositoryState>,
): Promise<RepositoryState> {
  const changed = { ...repository, ...changes };
  await change(call, ({ repositories }) => ({
    repositories: repositories.map((one) => (one.id === repository.id ? changed : one)),
  }));
  return changed;
}

function repositoryOf(call: PlatformCall): RepositoryState {
  const id = call.parameters.get("repositoryId") ?? "";
  const repository = sandboxOf(call).repositories.find((one) => one.id === id);
  if (repository === undefined) {
    throw new ErrorResponse(404, `Repository ${id} not found`);
  }
  return repository;
}

/** A repository that this instance can change, not one that another instance shares. */
function ownRepositoryOf(call: PlatformCall): RepositoryState {
  const repository = repositoryOf(call);
  if (repository.domain !== ownDomain) {
    throw new ErrorResponse(403, `Repository ${repository.name} belongs to ${repository.domain}`);
  }
  return repository;
}

function seededFrom(repository: RepositoryState, name: string): RepositoryState {
  return {
    ...repository,
    id: randomUUID(),
    name,
    userId,
    created: new Date().toISOString(),
    seeded: true,
    deployments: [],
    access: [],
    userPermissions: { [userId]: "OWNER" },
    groupPermissions: {},
  };
}

function permissionsAfter(
  before: Readonly<Record<string, string>>,
  updates: readonly unknown[],
  idField: "userId" | "groupId",
): Record<string, string> {
  const after = { ...before };
  for (const update of updates.map(fieldsOf)) {
    const id = String(update[idField] ?? "");
    if (id !== "" && update.permission === "NONE") {
      delete after[id];
    } else if (id !== "") {
      after[id] = String(update.permission);
    }
  }
  return after;
}

/** The page of commit requests or promotions that a search requests. */
function historyPage(call: PlatformCall, key: string, all: readonly Record<string, unknown>[]): Fields {
  const { limit, offset, filters, dateFilters, sort, order } = fieldsOf(call.body);
  const wanted = Object.entries(fieldsOf(filters)).filter(([, values]) => listOf(values).length > 0);
  const dates = Object.entries(fieldsOf(dateFilters)).map(([field, period]) => ({ field, period: fieldsOf(period) }));
  const found = all
    .filter((one) => wanted.every(([field, values]) => listOf(values).map(String).includes(String(one[field]))))
    .filter((one) => dates.every(({ field, period }) => isBetween(one[field], period.from, period.to)));
  return pageOf(call, key, sortedBy(found, String(sort), order), Number(limit), Number(offset));
}

/** True if a time is within a period, including its ends; false without a time. */
function isBetween(time: unknown, from: unknown, to: unknown): boolean {
  const moment = Date.parse(String(time));
  return (
    !Number.isNaN(moment) &&
    (from === undefined || moment >= Date.parse(String(from))) &&
    (to === undefined || moment <= Date.parse(String(to)))
  );
}

/** Items without an end are sorted as the latest. */
function sortedBy(
  all: readonly Record<string, unknown>[],
  field: string,
  order: unknown,
): readonly Record<string, unknown>[] {
  const sign = order === "asc" ? 1 : -1;
  const key = (one: Record<string, unknown>) => String(one[field] ?? "9999");
  return all.toSorted((left, right) => sign * key(left).localeCompare(key(right)));
}

function pageOf(
  call: PlatformCall,
  key: string,
  found: readonly Record<string, unknown>[],
  limit: number,
  offset: number,
): Fields {
  return pageShape(key, found.slice(offset, offset + limit), found.length, offset, call.wire);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
