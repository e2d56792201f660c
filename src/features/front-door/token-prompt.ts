import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import { RequestSharing } from "../../api/request-sharing.ts";
import type { FrontDoorPlace, Tenant } from "../../tenants/tenant.ts";
import type { FrontDoorToken, TenantSecrets } from "../../tenants/tenant-secrets.ts";
import { askForSecret, type SecretCheck, warnThatSecretsAreNotStored } from "../../ui/quick-input/secret-input.ts";
import { hasEnded, tryFrontDoor } from "./token.ts";

const prompts = new RequestSharing<FrontDoorToken | undefined>();

/**
 * Asks for a front door token, tests it, and stores it. If the settings have a token endpoint, also asks for the
 * refresh token. Undefined if the user cancels. Calls while a prompt for the tenant is open share its result.
 */
export function askForFrontDoorToken(
  secrets: TenantSecrets,
  tenant: Tenant & { readonly frontDoor: FrontDoorPlace },
): Promise<FrontDoorToken | undefined> {
  return prompts.run(tenant.id, () => ask(secrets, tenant));
}

async function ask(
  secrets: TenantSecrets,
  tenant: Tenant & { readonly frontDoor: FrontDoorPlace },
): Promise<FrontDoorToken | undefined> {
  const { url, tokenUrl } = tenant.frontDoor;
  const { origin, host } = new URL(url);
  const secret = await askForSecret<string>({
    title: vscode.l10n.t("Front Door Token for {0}", tenant.label),
    prompt: vscode.l10n.t("It is stored in the editor's secret storage and sent only to {0}.", host),
    placeholder: vscode.l10n.t("Token, or the complete Authorization header"),
    check: (typed, signal) => tryToken(url, typed, signal),
  });
  if (secret === undefined) {
    return undefined;
  }
  const refresh = tokenUrl === undefined ? undefined : await askForRefreshToken(tenant.label, tokenUrl);
  const token = { origin, secret, ...(refresh === undefined ? {} : { refresh }) };
  if (!(await secrets.saveFrontDoorToken(tenant, token))) {
    warnThatSecretsAreNotStored();
  }
  return token;
}

async function askForRefreshToken(label: string, tokenUrl: string): Promise<FrontDoorToken["refresh"]> {
  const { origin, host } = new URL(tokenUrl);
  const secret = await askForSecret<string>({
    title: vscode.l10n.t("Refresh Token for the Front Door of {0}", label),
    prompt: vscode.l10n.t(
      "With a refresh token, the front door token is renewed at {0} before it expires. To continue without one, press Escape.",
      host,
    ),
    placeholder: vscode.l10n.t("Refresh token"),
    check: async (typed) => ({ accepted: true, value: typed }),
  });
  return secret === undefined ? undefined : { origin, secret };
}

async function tryToken(url: string, secret: string, signal: AbortSignal): Promise<SecretCheck<string>> {
  if (hasEnded(secret)) {
    return { accepted: false, reason: vscode.l10n.t("This token has expired. Get a new one.") };
  }
  try {
    const check = await tryFrontDoor(url, secret, signal);
    return check.accepted ? { accepted: true, value: secret } : check;
  } catch (error) {
    signal.throwIfAborted();
    const words = errorMessage(error);
    return { accepted: false, reason: vscode.l10n.t("{0} can't be reached: {1}.", new URL(url).host, words) };
  }
}
