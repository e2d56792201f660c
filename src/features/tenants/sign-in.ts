import * as vscode from "vscode";
import * as z from "zod/mini";
import { PlatformCredential } from "../../api/http/credentials.ts";
import { RequestSharing } from "../../api/request-sharing.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { SampleAccess } from "../../tenants/sample-access.ts";
import { type Tenant, tenantSetting } from "../../tenants/tenant.ts";
import { tenantFilePath } from "../../tenants/tenant-file-path.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import { askForSecret, type SecretCheck, warnThatSecretsAreNotStored } from "../../ui/quick-input/secret-input.ts";
import { credentialBox } from "./credential-box.ts";
import { checkAddress } from "./credential-check.ts";

export interface SignInParts {
  readonly secrets: TenantSecrets;
  readonly connections: Connections;
  readonly registry: TenantRegistry;
  readonly sample: () => Promise<SampleAccess>;
}

/** The outcome of signing in. */
type SignInResult = "signedIn" | "gaveUp";

const prompts = new RequestSharing<SignInResult>();

/**
 * Asks for the tenant's credential, tests it with a real request, and stores it. Signs in to the sample tenant in the
 * editor without asking. Concurrent calls for a tenant share the same input box and its result.
 */
export function signIn(parts: SignInParts, tenant: Tenant): Promise<SignInResult> {
  return prompts.run(tenant.id, () => ask(parts, tenant));
}

/** The path of the tenant file that a tenant comes from; undefined for other tenants. */
export async function tenantFileOf(
  { sample }: Pick<SignInParts, "sample">,
  tenant: Tenant,
): Promise<string | undefined> {
  return tenant.source === "provided" && !(await sample()).isSample(tenant.id) ? tenantFilePath() : undefined;
}

async function ask({ connections, registry, sample, secrets }: SignInParts, tenant: Tenant): Promise<SignInResult> {
  if (tenant.source === "provided" && (await (await sample()).signIn(tenant.id))) {
    return "signedIn";
  }
  const { origin } = new URL(tenant.baseUrl);
  const entered = await askForSecret({
    ...credentialBox(tenant.label, tenant.baseUrl, await tenantFileOf({ sample }, tenant)),
    async check(secret, signal): Promise<SecretCheck<{ secret: string; account: string; baseUrl: string }>> {
      const clientOf = (at: Tenant) => connections.trial(at, new PlatformCredential(origin, secret));
      const result = await checkAddress(clientOf, tenant, vscode.l10n.t, signal);
      return result.accepted ? { accepted: true, value: { secret, ...result.value } } : result;
    },
  });
  if (entered === undefined) {
    return "gaveUp";
  }
  const entry = z.safeParse(tenantSetting, registry.entry(tenant.id));
  if (entered.baseUrl !== tenant.baseUrl && entry.success) {
    await registry.save({ ...entry.data, baseUrl: entered.baseUrl });
  }
  if (!(await secrets.saveCredential(tenant, entered.secret, entered.account))) {
    warnThatSecretsAreNotStored();
  }
  return "signedIn";
}
