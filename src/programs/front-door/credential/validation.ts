import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod/mini";
import { validateBody } from "../../../api/catalogue/models/front-door.ts";
import type { Workspace } from "../../../api/catalogue/models/workspaces.ts";
import { getContent } from "../../../api/catalogue/operations/contents.ts";
import { getNamespace } from "../../../api/catalogue/operations/workspaces.ts";
import { type CallOptions, Client } from "../../../api/client/client.ts";
import { findContentServer } from "../../../api/families/content-server-location.ts";
import { allWorkspaces, shortIdOf } from "../../../api/families/workspaces.ts";
import { NotebookToken, PlatformCredential } from "../../../api/http/credentials.ts";
import { PlatformError } from "../../../api/http/errors.ts";
import type { Log } from "../../../api/http/log.ts";
import type { Transport } from "../../../api/http/transport.ts";
import {
  type Configuration,
  type CredentialConfiguration,
  platformUrlOf,
  tenantFor,
  withTenant,
} from "../config/configuration.ts";
import { isRejection, reasonOf } from "../http/rejections.ts";
import { contentLimits, platformLimits } from "../mcp/response-limits.ts";
import { parseEmail } from "../token/claims.ts";
import { mayReach } from "./content-server-address.ts";
import type { Credentials } from "./credentials.ts";
import type { CredentialName } from "./decryption.ts";

export interface ValidationParts {
  readonly configuration: Configuration;
  readonly credentials: Pick<Credentials, "fresh" | "delete">;
  /** The transport for the platform and its content servers. */
  readonly transport: Transport;
  readonly log: Log;
}

/** The result. `reason` is only for the log. */
export interface Verdict {
  readonly valid: boolean;
  readonly reason: string;
}

/** A credential to validate, and the address of its platform. */
interface Validation {
  readonly name: CredentialName;
  readonly platformUrl: URL;
}

/**
 * Reads a request's body. Undefined unless it is `{email, slug}`, with `tenant` if the platform's address contains one
 * and the slug is bound to it. Otherwise `tenant` is ignored.
 */
export function validationOf(body: unknown, configuration: Configuration): Validation | undefined {
  const { baseUrl } = configuration.platform;
  const { data } = z.safeParse(validateBody, body);
  const platformUrl = data === undefined ? undefined : platformUrlOf(baseUrl, data.tenant);
  if (data === undefined || platformUrl === undefined) {
    return undefined;
  }
  const { slug } = data;
  const email = parseEmail(data.email, configuration.token);
  if (!email.valid) {
    return undefined;
  }
  const name = { email: email.email, slug, tenant: tenantFor(baseUrl, data.tenant) };
  return isBound(name, configuration.credentials) ? { name, platformUrl } : undefined;
}

/**
 * True if the credential can't belong to another tenant, because its envelope must name the tenant or its slug contains
 * it.
 */
function isBound({ slug, tenant }: CredentialName, credentials: CredentialConfiguration): boolean {
  return (
    tenant === undefined ||
    credentials.envelopeTenantRequired ||
    slug === withTenant(credentials.slug, tenant) ||
    /^[a-z0-9]+$/.test(shortIdIn(slug, withTenant(credentials.notebookSlug, tenant)) ?? "")
  );
}

/**
 * Fetches the stored credential without the cache, and sends one request with it to the platform or content server.
 * Every failure is negative. Negative results are delayed to a multiple of the configured step, so that timing does not
 * reveal whether a credential exists.
 */
export async function validate(validation: Validation, parts: ValidationParts): Promise<Verdict> {
  const started = performance.now();
  const verdict = await tryCredential(validation, parts);
  if (!verdict.valid) {
    parts.credentials.delete(validation.name);
    const step = parts.configuration.limits.validationStepMilliseconds;
    const took = performance.now() - started;
    await delay(Math.ceil((took + 1) / step) * step - took);
  }
  return verdict;
}

async function tryCredential({ name, platformUrl }: Validation, parts: ValidationParts): Promise<Verdict> {
  try {
    const found = await parts.credentials.fresh(name);
    if (isRejection(found)) {
      return { valid: false, reason: reasonOf(found) };
    }
    const signal = AbortSignal.timeout(parts.configuration.limits.callMilliseconds);
    const shortId = shortIdIn(name.slug, withTenant(parts.configuration.credentials.notebookSlug, name.tenant));
    const reason =
      shortId === undefined
        ? await tryPlatform(platformClient(found.secret, platformUrl, parts), signal)
        : await tryNotebook(found.secret, shortId, { name, platformUrl }, parts, signal);
    return { valid: reason === undefined, reason: reason ?? "it is valid" };
  } catch (error) {
    return { valid: false, reason: error instanceof PlatformError ? error.failureCause.type : "it failed" };
  }
}

function platformClient(
  secret: string,
  base: URL,
  { configuration, transport, log }: ValidationParts,
): Client<"platform"> {
  const { dialect } = configuration.platform;
  const credential = new PlatformCredential(base.origin, secret);
  return new Client({ kind: "platform", base, dialect, credential, limits: platformLimits }, transport, log);
}

/**
 * Undefined if the platform accepts the credential. A missing handshake with the notebook service doesn't make the
 * credential invalid.
 */
async function tryPlatform(client: Client<"platform">, signal: AbortSignal): Promise<string | undefined> {
  try {
    await client.call(getNamespace, {}, { signal });
    return undefined;
  } catch (error) {
    if (error instanceof PlatformError && error.failureCause.type === "handshake") {
      return undefined;
    }
    throw error;
  }
}

/** Undefined if the workspace's content server accepts the token. */
async function tryNotebook(
  token: string,
  shortId: string,
  { name: { email, tenant }, platformUrl }: Validation,
  parts: ValidationParts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { configuration, credentials, transport, log } = parts;
  const own = await credentials.fresh({ email, slug: withTenant(configuration.credentials.slug, tenant), tenant });
  if (isRejection(own)) {
    return "the workspace can't be found without the platform credential";
  }
  const client = platformClient(own.secret, platformUrl, parts);
  const options = { signal };
  const workspace = await workspaceOf(client, shortId, options);
  if (workspace === undefined) {
    return "the workspace does not exist";
  }
  const location = await findContentServer(client, workspace, configuration.platform.contentServer, options);
  if (location.type !== "found") {
    return "the workspace's content server can't be found";
  }
  const { base } = location;
  if (!mayReach(base, platformUrl, configuration.platform)) {
    return "the workspace's content server has an address that is not allowed";
  }
  const { dialect } = configuration.platform;
  const credential = new NotebookToken(base.origin, token);
  const contents = new Client({ kind: "notebook", base, dialect, credential, limits: contentLimits }, transport, log);
  await contents.call(getContent, { path: "", content: 0 }, options);
  return undefined;
}

async function workspaceOf(
  client: Client<"platform">,
  shortId: string,
  options: CallOptions,
): Promise<Workspace | undefined> {
  for await (const page of allWorkspaces(client, "", options)) {
    const found = page.find(({ id }) => shortIdOf(id) === shortId);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** The short id in a slug; undefined if the slug does not match the template. */
function shortIdIn(slug: string, template: string): string | undefined {
  const [before = "", after = ""] = template.split("{workspace_short_id}");
  const inner = slug.slice(before.length, slug.length - after.length);
  return slug.startsWith(before) && slug.endsWith(after) && slug.length > before.length + after.length
    ? inner
    : undefined;
}
