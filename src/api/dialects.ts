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
}

export type DialectId = "documented" | "domo";
export type DialectSegment = "services";

export const dialects: Readonly<Record<DialectId, Dialect>> = {
  documented: {
    id: "documented",
    label: "As documented",
    headers: {
      platform: { name: "authorization", template: "Bearer {token}" },
      notebook: { name: "authorization", template: "token {token}" },
    },
    segments: { services: "services/platform/v1" },
  },
  domo: {
    id: "domo",
    label: "Domo",
    headers: {
      platform: { name: "x-domo-developer-token", template: "{token}" },
      notebook: { name: "authorization", template: "Token {token}" },
    },
    segments: { services: "services/domo/v1" },
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

/** True when the text names a dialect. */
export function isDialectId(text: string): text is DialectId {
  return Object.hasOwn(dialects, text);
}
