import type { CredentialKind } from "./credentials.ts";

/** Where a header's value takes the token: the text `{token}` in `template`. */
export interface HeaderTemplate {
  readonly name: string;
  readonly template: string;
}

/** Names and prefixes that differ between platforms which speak this API. */
export interface Dialect {
  readonly id: DialectId;
  readonly label: string;
  readonly headers: Readonly<Record<CredentialKind, HeaderTemplate>>;
  /** Path parts that a template names as `<services>`. */
  readonly segments: Readonly<Record<DialectSegment, string>>;
  /** Whole path templates, by operation id, of operations that are elsewhere on this platform. */
  readonly paths: Readonly<Partial<Record<string, string>>>;
  /** By operation id: the member of an object in which this platform wants what is described as a bare array. */
  readonly bodyMembers: Readonly<Partial<Record<string, string>>>;
  /** True where query parameters are sent that the API description does not have; see `Operation.undescribedQuery`. */
  readonly undescribedQueries: boolean;
  /** What a page's collections are: what the page is a member of, or groups of its own cards. */
  readonly pageCollections: "memberships" | "cardGroups";
  /** The entity type of a trigger that belongs to a workflow itself. */
  readonly workflowEntityType: string;
  /** Members of answers that have another name here. */
  readonly fields: { readonly designCards: string; readonly versionCreated: string; readonly pageOffset: string };
}

export type DialectId = "documented" | "domo";
type DialectSegment = "services" | "designs" | "sandbox" | "policies" | "collections";

export const dialects: Readonly<Record<DialectId, Dialect>> = {
  documented: {
    id: "documented",
    label: "Standard",
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
    undescribedQueries: false,
    pageCollections: "memberships",
    workflowEntityType: "ODYSSEY_WORKFLOW_MODEL",
    fields: { designCards: "cards", versionCreated: "createdAt", pageOffset: "offset" },
  },
  domo: {
    id: "domo",
    label: "Domo",
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
    undescribedQueries: true,
    pageCollections: "cardGroups",
    workflowEntityType: "ODYSSEY_WORKFLOW_MODEL",
    fields: { designCards: "referencingCards", versionCreated: "createdDate", pageOffset: "offSet" },
  },
};

/** Single entries of a dialect that a tenant's setting replaces. */
export interface DialectOverrides {
  readonly headers?: Readonly<Partial<Record<CredentialKind, HeaderTemplate>>>;
  readonly segments?: Readonly<Partial<Record<DialectSegment, string>>>;
}

/** The dialect of that id with single entries replaced. */
export function dialectWith(id: DialectId, overrides: DialectOverrides = {}): Dialect {
  const base = dialects[id];
  return {
    ...base,
    headers: { ...base.headers, ...overrides.headers },
    segments: { ...base.segments, ...overrides.segments },
  };
}

/** An operation's path template as the dialect has it, its parts filled in. */
export function pathTemplateOf(operation: { readonly id: string; readonly path: string }, dialect: Dialect): string {
  const template = dialect.paths[operation.id] ?? operation.path;
  return template.replace(/<(\w+)>/g, (_, name: DialectSegment) => dialect.segments[name]);
}

/** An operation's body as the dialect wants it; an object is sent as it is. */
export function bodyOnWire(operation: { readonly id: string }, body: unknown, dialect: Dialect): unknown {
  const member = dialect.bodyMembers[operation.id];
  return member !== undefined && Array.isArray(body) ? { [member]: body } : body;
}

/** True when the text names a dialect. */
export function isDialectId(text: string): text is DialectId {
  return Object.hasOwn(dialects, text);
}
