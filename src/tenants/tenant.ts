import * as z from "zod/mini";
import type { ContentServerOverrides } from "../api/families/content-server-location.ts";
import { isConfidential } from "../api/http/credentials.ts";
import { type Dialect, dialectWith, isDialectId } from "../api/http/dialects.ts";
import { phrase, type Text } from "../api/phrase.ts";
import { withoutOuter } from "../api/text.ts";
import { checkBaseUrl } from "./base-url.ts";

/** A platform tenant that the user has added. Contains no secret. */
export interface Tenant {
  /** Lowercase letters, digits, and hyphens, because it is part of file addresses. */
  readonly id: string;
  readonly label: string;
  /** `https://host[:port][/path]` without a trailing slash. */
  readonly baseUrl: string;
  readonly dialect: Dialect;
  readonly contentServer: ContentServerOverrides;
  readonly frontDoor?: FrontDoorPlace;
  /** `provided`: not in the settings, and available as long as its provider (the sample tenant, a tenant file). */
  readonly source: "settings" | "provided";
}

/** The address of a tenant's front door, and the endpoint that renews its token. */
export interface FrontDoorPlace {
  readonly url: string;
  /** The OAuth token endpoint that accepts the refresh token. */
  readonly tokenUrl?: string;
  readonly clientId?: string;
  /** The prefix that the front door requires before a token from the endpoint, for example `acme_`. */
  readonly tokenPrefix?: string;
}

const part = z.optional(z.string());
const header = z.strictObject({ name: z.string(), template: z.string() });

/** A tenant in the setting `platformWorkbench.tenants`. */
export const tenantSetting = z.looseObject({
  id: z.string(),
  label: z.optional(z.string()),
  baseUrl: z.string(),
  dialect: z.optional(z.string()),
  overrides: z.optional(
    z.strictObject({
      headers: z.optional(z.strictObject({ platform: z.optional(header), notebook: z.optional(header) })),
      segments: z.optional(
        z.strictObject({ services: part, designs: part, sandbox: part, policies: part, collections: part }),
      ),
      members: z.optional(z.record(z.string(), z.record(z.string(), z.string().check(z.minLength(1))))),
    }),
  ),
  contentServer: z.optional(z.strictObject({ origin: z.optional(z.string()), prefix: z.optional(z.string()) })),
  frontDoor: z.optional(z.strictObject({ url: z.string(), tokenUrl: part, clientId: part, tokenPrefix: part })),
});
export type TenantSetting = z.output<typeof tenantSetting>;

const idForm = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Reads a settings entry: the tenant, or a message about the problem. */
export function readTenant(
  value: unknown,
  source: Tenant["source"] = "settings",
): { readonly tenant: Tenant } | { readonly problem: Text } {
  const parsed = z.safeParse(tenantSetting, value);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.map(String).join(".") ?? "";
    return {
      problem:
        field === ""
          ? phrase`An entry of the setting platformWorkbench.tenants isn't an object.`
          : phrase`An entry of the setting platformWorkbench.tenants has a wrong or missing ${field}.`,
    };
  }
  const { id, label, baseUrl, dialect = "documented", overrides, contentServer, frontDoor } = parsed.data;
  if (!idForm.test(id)) {
    return { problem: phrase`The tenant ID "${id}" may contain only lowercase letters, digits, and hyphens.` };
  }
  if (!isDialectId(dialect)) {
    return { problem: phrase`The tenant "${id}" has the unknown dialect "${dialect}".` };
  }
  const address = checkBaseUrl(baseUrl);
  if (!address.valid) {
    return { problem: phrase`The tenant "${id}": ${address.reason}` };
  }
  const unfit = [frontDoor?.url, frontDoor?.tokenUrl].find(
    (one) => one !== undefined && !(URL.canParse(one) && isConfidential(new URL(one))),
  );
  if (unfit !== undefined) {
    return {
      problem: phrase`The tenant "${id}": the address "${unfit}" of its front door must begin with https://.`,
    };
  }
  return {
    tenant: {
      id,
      label: label === undefined || label.trim() === "" ? id : label.trim(),
      baseUrl: address.baseUrl,
      dialect: dialectWith(dialect, withoutAbsent(overrides ?? {})),
      contentServer: withoutAbsent(contentServer ?? {}),
      ...(frontDoor === undefined ? {} : { frontDoor: withoutAbsent(frontDoor) }),
      source,
    },
  };
}

type Present<T> = {
  [Key in keyof T]: Exclude<T[Key], undefined> extends object
    ? Present<Exclude<T[Key], undefined>>
    : Exclude<T[Key], undefined>;
};

/** Copies an object without undefined and empty fields, at every depth. */
function withoutAbsent<T extends object>(value: T): Present<T> {
  const entries = Object.entries(value)
    .filter(([, field]) => field !== undefined && field !== "")
    .map(([name, field]) => [name, typeof field === "object" && field !== null ? withoutAbsent(field) : field]);
  return Object.fromEntries(entries) as Present<T>;
}

/** Derives an unused id for a new tenant from the first label of its hostname. */
export function proposeTenantId(baseUrl: string, taken: ReadonlySet<string>): string {
  const host = new URL(baseUrl).hostname;
  const first = /^[\d.:[\]]+$/.test(host) ? host : (host.split(".")[0] ?? host);
  const base = withoutOuter(first.toLowerCase().replace(/[^a-z0-9]+/g, "-"), "-") || "tenant";
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(id)) {
      return id;
    }
  }
}
