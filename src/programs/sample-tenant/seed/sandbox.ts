import { userId } from "./organization.ts";
import { Random } from "./random.ts";

/** The instance of the sample tenant, and the others to which it promotes. */
export const ownDomain = "acme-dev.example.com";
const otherDomains = ["acme.example.com", "acme-test.example.com", "acme-partner.example.com"] as const;

/** The stored data of a repository; times are ISO 8601, permissions are by the id of the user or group. */
export interface RepositoryState {
  readonly id: string;
  readonly name: string;
  /** The instance that owns the repository. Another instance if the repository is shared with this one. */
  readonly domain: string;
  readonly type: string;
  readonly userId: number;
  readonly created: string;
  readonly seeded: boolean;
  readonly deployments: readonly { readonly id: string; readonly domain: string }[];
  readonly content: Readonly<Record<string, readonly string[]>>;
  readonly access: readonly string[];
  readonly userPermissions: Readonly<Record<string, string>>;
  readonly groupPermissions: Readonly<Record<string, string>>;
}

/** The outcome of a commit or promotion; the earlier statuses are derived from its start. */
export type Outcome = "COMPLETED" | "COMPLETED_WITH_WARNINGS" | "FAILED";

/** A commit request. Its commit exists once it has ended without a failure. */
export interface CommitRequestState {
  readonly id: string;
  readonly repositoryId: string;
  readonly commitId: string;
  readonly commitName: string;
  readonly summary: string;
  readonly hidden: boolean;
  readonly started: string;
  readonly outcome: Outcome;
  readonly pusherEventId: string;
}

export interface PromotionState {
  readonly id: string;
  readonly repositoryId: string;
  readonly deploymentId: string;
  readonly commitId: string;
  readonly userId: number;
  readonly started: string;
  readonly outcome: Outcome;
  readonly pusherEventId: string;
  readonly request: Readonly<Record<string, unknown>>;
}

/** An instance that is authorized for promotions. */
interface InstanceState {
  readonly domain: string;
  readonly alias: string;
}

/** The stored data of the sandbox. */
export interface SandboxState {
  readonly repositories: readonly RepositoryState[];
  readonly commitRequests: readonly CommitRequestState[];
  readonly promotions: readonly PromotionState[];
  readonly instances: readonly InstanceState[];
  readonly settings: { readonly allowSelfPromotion: boolean; readonly requireApprovals: boolean };
}

const descriptions = [
  { name: "Sales pages", type: "page", owner: userId },
  { name: "Order apps", type: "dataApp", owner: userId },
  { name: "Finance dataflows", type: "dataflow", owner: userId },
  { name: "Marketing cards", type: "card", owner: 481_516_235 },
  { name: "Logistics", type: "page", owner: 481_516_236 },
  { name: "Data quality views", type: "view", owner: userId },
] as const;

const summaries = [
  "New filter",
  "Corrected totals",
  "Renamed columns",
  "Colors of the brand",
  "Nightly schedule",
  "Removed old cards",
  "Second page for regions",
  "Translated titles",
] as const;

/**
 * The sandbox of a new tenant: 6 repositories with their commits and promotions, and one shared by another instance.
 */
export function sampleSandbox(seed = "sandbox"): SandboxState {
  const random = new Random(seed);
  const own = descriptions.map(({ name, type, owner }, index) => newRepository(random, name, type, owner, index === 0));
  const shared: RepositoryState = {
    ...newRepository(random, "Partner overview", "page", 270_031_566, false),
    domain: otherDomains[2],
  };
  const commitRequests = own.flatMap((repository) => newCommitRequests(random, repository));
  const promotions = own.flatMap((repository) => newPromotions(random, repository, commitRequests));
  return {
    repositories: [...own, shared],
    commitRequests,
    promotions,
    instances: [
      { domain: otherDomains[0], alias: "prod" },
      { domain: otherDomains[1], alias: "test" },
      { domain: otherDomains[2], alias: "" },
    ],
    settings: { allowSelfPromotion: false, requireApprovals: false },
  };
}

/** A repository with an owner, a deployment in another instance, and, for some, one in the same instance. */
function newRepository(
  random: Random,
  name: string,
  type: string,
  owner: number,
  deploysHere: boolean,
): RepositoryState {
  const ids = (max: number, first = 1000, last = 99_999, least = 0) => [
    ...new Set(Array.from({ length: random.integer(least, max) }, () => String(random.integer(first, last)))),
  ];
  const domains = [random.pick(otherDomains), ...(deploysHere ? [ownDomain] : [])];
  return {
    id: random.uuid(),
    name,
    domain: ownDomain,
    type,
    userId: owner,
    created: random.time("2024-05-01T08:00:00Z", "2025-04-30T18:00:00Z"),
    seeded: false,
    deployments: domains.map((domain) => ({ id: random.uuid(), domain })),
    content: {
      // Pages and cards of the tenant, so that their names can be read.
      pageIds: ids(4, 1001, 1025, 1),
      cardIds: ids(12, 90_210, 90_249, 1),
      dataflowIds: ids(3),
      viewIds: Array.from({ length: random.integer(0, 2) }, () => random.uuid()),
      dataAppIds: [],
      streamIds: [],
    },
    access: domains.filter((domain) => domain !== ownDomain),
    userPermissions: { [owner]: "OWNER", ...(owner === userId ? { 481516239: "EDIT" } : { [userId]: "EDIT" }) },
    groupPermissions: random.chance(0.5) ? { 31: "EDIT" } : {},
  };
}

function newCommitRequests(random: Random, repository: RepositoryState): readonly CommitRequestState[] {
  const count = random.integer(3, 8);
  const times = Array.from({ length: count }, () => random.time("2025-05-01T08:00:00Z", "2025-11-18T16:00:00Z")).sort();
  return times.map((started, index) => ({
    id: random.uuid(),
    repositoryId: repository.id,
    commitId: random.uuid(),
    commitName: `v${index + 1}`,
    summary: random.pick(summaries),
    hidden: random.chance(0.1),
    started,
    outcome: random.chance(0.2) ? "COMPLETED_WITH_WARNINGS" : "COMPLETED",
    pusherEventId: random.uuid(),
  }));
}

function newPromotions(
  random: Random,
  repository: RepositoryState,
  requests: readonly CommitRequestState[],
): readonly PromotionState[] {
  const [deployment] = repository.deployments;
  return requests
    .filter(({ repositoryId }) => repositoryId === repository.id && deployment !== undefined && random.chance(0.6))
    .map(({ commitId, started }) => ({
      id: random.uuid(),
      repositoryId: repository.id,
      deploymentId: deployment?.id ?? "",
      commitId,
      userId: repository.userId,
      started: random.time(started, "2025-11-18T16:30:00Z"),
      outcome: random.chance(0.15) ? "FAILED" : "COMPLETED",
      pusherEventId: random.uuid(),
      request: { mapping: [], approvalId: "" },
    }));
}
