import * as vscode from "vscode";
import { PlatformCredential } from "../../api/http/credentials.ts";
import { type DialectId, dialects, isDialectId } from "../../api/http/dialects.ts";
import { WordedError } from "../../api/worded-error.ts";
import { checkBaseUrl } from "../../tenants/base-url.ts";
import type { Connections } from "../../tenants/connections.ts";
import { localizedText } from "../../tenants/error-text.ts";
import { readTenant, type Tenant } from "../../tenants/tenant.ts";
import { checkedText, choice, type ParsedText, required, text } from "../../ui/quick-input/questions.ts";
import { readSecret } from "../../ui/quick-input/secret-input.ts";
import { type Question, Steps } from "../../ui/quick-input/wizard.ts";
import { type FoundPlatform, findPlatform } from "./address-check.ts";
import { credentialBox } from "./credential-box.ts";
import { type AcceptedCredential, checkAddress, checkDialects } from "./credential-check.ts";
import { originOfPage } from "./page-address.ts";

/** The data of a tenant that the settings store. */
interface TenantForm {
  readonly baseUrl: string;
  readonly label: string;
  readonly dialect: DialectId;
}

/** A tenant with a credential that it accepted. */
interface NewTenant extends TenantForm {
  readonly secret: string;
  readonly account: string;
}

type Others = readonly Pick<Tenant, "label" | "baseUrl">[];
type FormConnections = Pick<Connections, "transport" | "trial">;

/**
 * Asks for the address, name, and credential, with Back. Asks for the platform type only if the platform accepts the
 * credential in several ways. Stores nothing. Throws a CancellationError if canceled.
 */
export async function askForNewTenant(title: string, connections: FormConnections, others: Others): Promise<NewTenant> {
  const { label, dialect, credential } = await Steps.from({})
    .step(addressQuestion(connections, "", others), (platform) => ({ platform }))
    .step(
      labelQuestion(({ platform }) => platform.baseUrl),
      (label) => ({ label }),
    )
    .step(credentialQuestion(connections), (credential) => ({ credential }))
    .branch(({ credential }) => {
      const [only = "documented", ...more] = credential.dialects;
      return more.length === 0
        ? Steps.from({ dialect: only })
        : Steps.from({}).step(dialectQuestion(credential.dialects, only), (dialect) => ({ dialect }));
    }, 0)
    .ask(title);
  const { baseUrl, secret, account } = credential;
  return { baseUrl, label, dialect, secret, account };
}

/** Asks for the address, name, and platform type of an existing tenant. Throws a CancellationError if canceled. */
export function askForTenant(
  title: string,
  first: TenantForm,
  connections: FormConnections,
  others: Others,
): Promise<TenantForm> {
  const all = Object.keys(dialects).filter(isDialectId);
  return Steps.from({})
    .step(addressQuestion(connections, first.baseUrl, others), ({ baseUrl }) => ({ baseUrl }))
    .step(
      labelQuestion(({ baseUrl }) => baseUrl, first.label),
      (label) => ({ label }),
    )
    .step(dialectQuestion(all, first.dialect), (dialect) => ({ dialect }))
    .ask(title);
}

/** Asks for the address. Checks a new address, without a credential, before the next question. */
function addressQuestion<Form>(
  { transport }: FormConnections,
  initial: string,
  others: Others,
): Question<Form, FoundPlatform> {
  return checkedText(() => ({
    prompt: vscode.l10n.t("Tenant address"),
    placeholder: "https://acme.example.com",
    initial,
    read: (typed) => readAddress(typed, others),
    check: async (baseUrl, signal) =>
      baseUrl === initial
        ? { accepted: true, value: { baseUrl, dialects: [] } }
        : findPlatform(transport, baseUrl, signal),
  }));
}

/** Asks for the name; `initial` is the existing name. */
function labelQuestion<Form>(baseUrlOf: (form: Form) => string, initial?: string): Question<Form, string> {
  return text((form) => {
    const { hostname } = new URL(baseUrlOf(form));
    return {
      prompt: vscode.l10n.t("Name of the tenant in lists and messages"),
      placeholder: hostname,
      initial: initial ?? nameFrom(hostname),
      read: required(vscode.l10n.t("Enter a name.")),
    };
  });
}

/** The first label of a hostname; an IP address unchanged, because its parts are not names. */
function nameFrom(hostname: string): string {
  return /^[\d.]+$|^\[/.test(hostname) ? hostname : (hostname.split(".")[0] ?? "");
}

/** Asks for the credential, and tests it in each dialect that the platform may use. */
function credentialQuestion(
  connections: FormConnections,
): Question<
  { readonly platform: FoundPlatform; readonly label: string },
  AcceptedCredential & { readonly secret: string }
> {
  return checkedText(({ platform: { baseUrl, dialects: candidates }, label }) => ({
    ...credentialBox(label, baseUrl),
    isSecret: true,
    keepsPrompt: true,
    read: readSecret,
    check: async (secret: string, signal) => {
      const credential = new PlatformCredential(baseUrl, secret);
      const result = await checkDialects(
        (dialect) =>
          checkAddress(
            (tenant) => connections.trial(tenant, credential),
            unsavedTenant({ baseUrl, label, dialect }),
            vscode.l10n.t,
            signal,
          ),
        candidates,
      );
      return result.accepted ? { accepted: true, value: { ...result.value, secret } } : result;
    },
  }));
}

function dialectQuestion<Form>(candidates: readonly DialectId[], initial: DialectId): Question<Form, DialectId> {
  return choice(() => ({
    placeholder: vscode.l10n.t("Platform type"),
    items: candidates.map((id) => ({
      label: dialects[id].label,
      description: id === "documented" ? vscode.l10n.t("default") : "",
      detail: vscode.l10n.t("Credential in the header {0}", dialects[id].headers.platform.name),
      value: id,
    })),
    initial,
  }));
}

/** The tenant that these settings would produce. */
function unsavedTenant(form: TenantForm): Tenant {
  const read = readTenant({ ...form, id: "new" });
  if ("problem" in read) {
    throw new WordedError(read.problem);
  }
  return read.tenant;
}

function readAddress(typed: string, others: Others): ParsedText<string> {
  const page = originOfPage(typed);
  const checked = checkBaseUrl(page ?? typed);
  if (!checked.valid) {
    return { valid: false, reason: localizedText(checked.reason) };
  }
  const { baseUrl } = checked;
  const same = others.find((tenant) => tenant.baseUrl === baseUrl);
  const { origin } = new URL(baseUrl);
  if (same === undefined && page !== undefined) {
    return { valid: true, value: baseUrl, remark: vscode.l10n.t("{0} is used as the tenant's address.", baseUrl) };
  }
  if (same === undefined && baseUrl !== origin) {
    const remark = vscode.l10n.t("If {0} is the address of a page, {1} is used.", baseUrl, origin);
    return { valid: true, value: baseUrl, remark };
  }
  return same === undefined
    ? { valid: true, value: baseUrl }
    : {
        valid: true,
        value: baseUrl,
        remark: vscode.l10n.t(
          "{0} already has this address. Continue to add it again for another account.",
          same.label,
        ),
      };
}
