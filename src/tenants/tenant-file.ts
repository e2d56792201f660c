import { open } from "node:fs/promises";
import * as z from "zod/mini";
import { cleanPastedSecret } from "../api/http/credentials.ts";
import { phrase } from "../api/phrase.ts";
import { WordedError } from "../api/worded-error.ts";
import { readTenant, type Tenant, tenantSetting } from "./tenant.ts";
import type { TenantRegistry } from "./tenant-registry.ts";
import type { TenantSecrets } from "./tenant-secrets.ts";

const notebookToken = z.union([z.string(), z.strictObject({ origin: z.string(), token: z.string() })]);
const tenantFile = z.extend(tenantSetting, {
  token: z.string(),
  account: z.optional(z.string()),
  /** By workspace id. A plain string is a token for the tenant's own address. */
  notebookTokens: z.optional(z.record(z.string(), notebookToken)),
  frontDoorToken: z.optional(z.string()),
});
const tenantFiles = z.union([tenantFile, z.array(tenantFile)]);
export type TenantFile = z.output<typeof tenantFile>;

/**
 * Loads the tenant, or the list of tenants, of a tenant file for the lifetime of the window. Stores nothing. Throws a
 * WordedError if the file is unreadable or invalid, if other accounts on this computer can read it, or if it
 * belongs to one of them.
 */
export async function importTenantFile(
  path: string,
  registry: TenantRegistry,
  secrets: TenantSecrets,
  isSignedOut: (tenantId: string) => boolean,
): Promise<void> {
  const parsed = z.safeParse(tenantFiles, parse(await readOwnFile(path), path));
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.map(String).join(".") ?? "";
    throw new WordedError(
      field === ""
        ? phrase`The tenant file ${path} is invalid.`
        : phrase`The tenant file ${path} is invalid: check ${field}.`,
    );
  }
  for (const file of [parsed.data].flat()) {
    await provideTenant(file, registry, isSignedOut(file.id) ? undefined : secrets);
  }
}

/** Reads a file that no other account can read or change: it decides to which servers the user's tokens are sent. */
async function readOwnFile(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { mode, uid } = await file.stat();
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new WordedError(
        phrase`Other accounts on this computer can read the tenant file ${path}. Run chmod 600 on it.`,
      );
    }
    if (process.getuid !== undefined && uid !== process.getuid()) {
      throw new WordedError(
        phrase`The tenant file ${path} belongs to another account, which can change the addresses that your tokens are sent to. Copy it to a file of your own.`,
      );
    }
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** Adds a tenant to the list without storing it, and its secrets unless the user is signed out of it (`undefined`). */
export async function provideTenant(
  file: TenantFile,
  registry: TenantRegistry,
  secrets: TenantSecrets | undefined,
): Promise<void> {
  const read = readTenant(file, "provided");
  if ("problem" in read) {
    throw new WordedError(read.problem);
  }
  if (secrets !== undefined) {
    await provideSecrets(file, read.tenant, secrets);
  }
  registry.provide(read.tenant);
}

async function provideSecrets(file: TenantFile, tenant: Tenant, secrets: TenantSecrets): Promise<void> {
  await secrets.saveCredential(tenant, cleaned(file.token), file.account ?? tenant.label);
  for (const [workspaceId, given] of Object.entries(file.notebookTokens ?? {})) {
    const { origin, token } = typeof given === "string" ? { origin: tenant.baseUrl, token: given } : given;
    await secrets.saveNotebookToken(tenant, workspaceId, new URL(origin).origin, cleaned(token));
  }
  if (tenant.frontDoor !== undefined && file.frontDoorToken !== undefined) {
    const { origin } = new URL(tenant.frontDoor.url);
    await secrets.saveFrontDoorToken(tenant, { origin, secret: cleaned(file.frontDoorToken) });
  }
}

function cleaned(text: string): string {
  const pasted = cleanPastedSecret(text);
  if (!pasted.valid) {
    throw new WordedError(pasted.reason);
  }
  return pasted.secret;
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WordedError(phrase`The tenant file ${path} isn't valid JSON.`);
  }
}
