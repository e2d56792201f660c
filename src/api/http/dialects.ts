import type { CredentialKind } from "./credentials.ts";

/** A header with a token, which replaces `{token}` in `template`. */
export interface HeaderTemplate {
  readonly name: string;
  readonly template: string;
}

/** Names and prefixes that differ between platforms. */
export interface Dialect {
  readonly id: DialectId;
  readonly label: string;
  /** Domains whose hosts all use this dialect. */
  readonly hosts: readonly string[];
  readonly headers: Readonly<Record<CredentialKind, HeaderTemplate>>;
  /** Values of path segments such as `<services>` in templates. */
  readonly segments: Readonly<Record<DialectSegment, string>>;
  /** Path templates of operations that have another path on this platform, by operation id. */
  readonly paths: Readonly<Partial<Record<string, string>>>;
  /**
   * For bodies that this platform expects in an object instead of the described array, the object's member, by
   * operation id.
   */
  readonly bodyMembers: Readonly<Partial<Record<string, string>>>;
  /** Other names of members of bodies, because the API description doesn't show the names of all. */
  readonly memberNames: MemberNames;
  /** Undescribed members that this platform expects in a body, with their values, by operation id. */
  readonly bodyDefaults: Readonly<Partial<Record<string, Readonly<Record<string, unknown>>>>>;
  /** How the cron expression of a TIMER is sent: as the user typed it, or in Quartz's six or seven fields. */
  readonly cronFormat: "asTyped" | "quartz";
  /** True to send query parameters that the API description does not contain. See `Operation.undescribedQuery`. */
  readonly undescribedQueries: boolean;
  /**
   * True for platforms that are known to have the operations of section `beyond`. On others, such an operation is only
   * tried if a person asks for what it does.
   */
  readonly undescribedOperations: boolean;
  /** What the collections of a page are: collections that contain the page, or groups of its cards. */
  readonly pageCollections: "memberships" | "cardGroups";
  /** The entity type of a workflow's own triggers. */
  readonly workflowEntityType: string;
  /** Names of response members that differ between platforms. */
  readonly fields: { readonly designCards: string; readonly versionCreated: string; readonly pageOffset: string };
}

export type DialectId = "documented" | "domo";
type DialectSegment = "services" | "designs" | "sandbox" | "policies" | "collections";

const searchDefaults = { fieldSearchMap: {}, searchDistinct: false };

export const dialects: Readonly<Record<DialectId, Dialect>> = {
  documented: {
    id: "documented",
    label: "Standard",
    hosts: [],
    headers: {
      platform: { name: "authorization", template: "Bearer {token}" },
      notebook: { name: "authorization", template: "token {token}" },
      internal: { name: "x-webui-secret", template: "{token}" },
    },
    segments: {
      services: "services/platform/v1",
      designs: "platformapps",
      sandbox: "version/v1",
      policies: "query/v1",
      collections: "api/v1",
    },
    paths: {},
    bodyMembers: {},
    memberNames: {},
    bodyDefaults: {},
    cronFormat: "asTyped",
    undescribedQueries: false,
    undescribedOperations: false,
    pageCollections: "memberships",
    workflowEntityType: "ODYSSEY_WORKFLOW_MODEL",
    fields: { designCards: "cards", versionCreated: "createdAt", pageOffset: "offset" },
  },
  domo: {
    id: "domo",
    label: "Domo",
    hosts: ["domo.com"],
    headers: {
      platform: { name: "x-domo-developer-token", template: "{token}" },
      notebook: { name: "authorization", template: "Token {token}" },
      internal: { name: "x-webui-secret", template: "{token}" },
    },
    segments: {
      services: "services/domo/v1",
      designs: "domoapps",
      sandbox: "api/version/v1",
      policies: "api/query/v1",
      collections: "v1",
    },
    paths: {
      "datastores.list": "/api/datastores/v1",
      "groups.list": "/api/content/v2/groups",
      "publications.list": "/api/publish/v2/publications",
      "roles.list": "/api/authorization/v1/roles",
      "sandbox.promotions.promoteAndSeed":
        "/<sandbox>/repositories/{repositoryId}/deployments/{deploymentId}/promoteAndSeed",
      "users.list": "/api/content/v2/users",
    },
    bodyMembers: { "sandbox.repositories.permissions.update": "repositoryPermissionUpdates" },
    memberNames: {},
    bodyDefaults: {
      "sandbox.commitRequests.search": searchDefaults,
      "sandbox.promotions.promoteAndSeed": { approvalId: "" },
      "sandbox.promotions.search": searchDefaults,
    },
    cronFormat: "quartz",
    undescribedQueries: true,
    undescribedOperations: true,
    pageCollections: "cardGroups",
    workflowEntityType: "ODYSSEY_WORKFLOW_MODEL",
    fields: { designCards: "referencingCards", versionCreated: "createdDate", pageOffset: "offSet" },
  },
};

/** Names of body members that differ from those of the catalog, by operation id. */
type MemberNames = Readonly<Partial<Record<string, Readonly<Record<string, string>>>>>;

/** Settings of a tenant that replace parts of a dialect. */
export interface DialectOverrides {
  readonly members?: MemberNames;
  readonly headers?: Readonly<Partial<Record<CredentialKind, HeaderTemplate>>>;
  readonly segments?: Readonly<Partial<Record<DialectSegment, string>>>;
}

/** The dialect with this id, with the overrides applied. */
export function dialectWith(id: DialectId, overrides: DialectOverrides = {}): Dialect {
  const base = dialects[id];
  return {
    ...base,
    headers: { ...base.headers, ...overrides.headers },
    segments: { ...base.segments, ...overrides.segments },
    memberNames: { ...base.memberNames, ...overrides.members },
  };
}

/** The path template of an operation in a dialect, with its segments filled in. */
export function pathTemplateOf(operation: { readonly id: string; readonly path: string }, dialect: Dialect): string {
  const template = dialect.paths[operation.id] ?? operation.path;
  return template.replace(/<(\w+)>/g, (_, name: DialectSegment) => dialect.segments[name]);
}

/** The body of an operation in a dialect: renamed, within another member, or with additional members. */
export function bodyOnWire(operation: { readonly id: string }, body: unknown, dialect: Dialect): unknown {
  const names = dialect.memberNames[operation.id];
  const named = names === undefined ? body : renamed(body, names);
  const member = dialect.bodyMembers[operation.id];
  return member !== undefined && Array.isArray(named) ? { [member]: named } : named;
}

/** A body with other names for its members, or for those of its entries. */
function renamed(body: unknown, names: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(body)) {
    return body.map((entry) => renamed(entry, names));
  }
  if (typeof body !== "object" || body === null) {
    return body;
  }
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [names[name] ?? name, value]));
}

/** True for the id of a dialect. */
export function isDialectId(text: string): text is DialectId {
  return Object.hasOwn(dialects, text);
}
