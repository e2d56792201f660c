import * as vscode from "vscode";
import { dialects } from "../../api/http/dialects.ts";
import { checkBaseUrl } from "../../tenants/base-url.ts";
import { localizedText } from "../../tenants/error-text.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import { choice, required, type TextReading, text } from "../../ui/quick-input/questions.ts";
import { Steps } from "../../ui/quick-input/wizard.ts";
import { originOfPage } from "./page-address.ts";

/** What the form asks for. */
interface TenantForm {
  readonly baseUrl: string;
  readonly label: string;
  readonly dialect: string;
}

/** Asks for address, name and dialect in three steps with a way back. Giving up throws a CancellationError. */
export function askForTenant(
  title: string,
  first: TenantForm,
  others: readonly Pick<Tenant, "label" | "baseUrl">[],
): Promise<TenantForm> {
  return Steps.from({})
    .step(
      text(() => ({
        prompt: vscode.l10n.t("Tenant address"),
        placeholder: "https://acme.example.com",
        initial: first.baseUrl,
        read: (typed) => readAddress(typed, others),
      })),
      (baseUrl) => ({ baseUrl }),
    )
    .step(
      text(({ baseUrl }) => {
        const { hostname } = new URL(baseUrl);
        return {
          prompt: vscode.l10n.t("Name of the tenant in lists and messages"),
          placeholder: hostname,
          initial: first.baseUrl === "" ? (hostname.split(".")[0] ?? "") : first.label,
          read: required(vscode.l10n.t("Enter a name.")),
        };
      }),
      (label) => ({ label }),
    )
    .step(
      choice(() => ({
        placeholder: vscode.l10n.t("Platform type"),
        items: Object.values(dialects).map(({ id, label, headers }) => ({
          label,
          description: id === "documented" ? vscode.l10n.t("default") : "",
          detail: vscode.l10n.t("Credential in the header {0}", headers.platform.name),
          value: String(id),
        })),
        initial: first.dialect,
      })),
      (dialect) => ({ dialect }),
    )
    .ask(title);
}

function readAddress(typed: string, others: readonly Pick<Tenant, "label" | "baseUrl">[]): TextReading<string> {
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
