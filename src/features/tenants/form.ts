import * as vscode from "vscode";
import { dialects } from "../../api/http/dialects.ts";
import { checkBaseUrl } from "../../tenants/base-url.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import { askChoice, askText } from "../../ui/quick-input/step-inputs.ts";

/** What the form asks for. */
export interface TenantForm {
  readonly baseUrl: string;
  readonly label: string;
  readonly dialect: string;
}

/** Asks for address, name and dialect in three steps with a way back. Giving up throws a CancellationError. */
export async function askForTenant(
  title: string,
  first: TenantForm,
  others: readonly Pick<Tenant, "label" | "baseUrl">[],
): Promise<TenantForm> {
  const totalSteps = 3;
  let form = first;
  for (let step = 1; ; ) {
    const place = { title, step, totalSteps };
    if (step === 1) {
      const address = await askText({
        ...place,
        prompt: vscode.l10n.t("Address of the tenant"),
        placeholder: "https://acme.example.com",
        value: form.baseUrl,
        validate: (text) => validateAddress(text, others),
      });
      const checked = address.type === "next" ? checkBaseUrl(address.value) : undefined;
      if (checked?.valid === true) {
        const isNew = checked.baseUrl !== form.baseUrl && form.label === first.label && first.baseUrl === "";
        form = {
          ...form,
          baseUrl: checked.baseUrl,
          label: isNew ? (new URL(checked.baseUrl).hostname.split(".")[0] ?? "") : form.label,
        };
        step = 2;
      }
    } else if (step === 2) {
      const label = await askText({
        ...place,
        prompt: vscode.l10n.t("Name that the tenant has in lists and messages"),
        placeholder: new URL(form.baseUrl).hostname,
        value: form.label,
        validate: (text) => (text.trim() === "" ? vscode.l10n.t("Enter a name.") : undefined),
      });
      form = label.type === "next" ? { ...form, label: label.value } : form;
      step = label.type === "next" ? 3 : 1;
    } else {
      const dialect = await askChoice({
        ...place,
        placeholder: vscode.l10n.t("How the tenant speaks the API"),
        items: Object.values(dialects).map(({ id, label, headers }) => ({
          label,
          description: id === "documented" ? vscode.l10n.t("default") : "",
          detail: vscode.l10n.t("Credential in the header {0}", headers.platform.name),
          value: String(id),
        })),
        isActive: (id) => id === form.dialect,
      });
      if (dialect.type === "next") {
        return { ...form, dialect: dialect.value };
      }
      step = 2;
    }
  }
}

function validateAddress(
  text: string,
  others: readonly Pick<Tenant, "label" | "baseUrl">[],
): string | vscode.InputBoxValidationMessage | undefined {
  const checked = checkBaseUrl(text);
  if (!checked.valid) {
    return checked.reason;
  }
  const same = others.find((tenant) => tenant.baseUrl === checked.baseUrl);
  return same === undefined
    ? undefined
    : {
        message: vscode.l10n.t(
          "{0} has this address already. Go on to add it once more for another account.",
          same.label,
        ),
        severity: vscode.InputBoxValidationSeverity.Info,
      };
}
