import * as vscode from "vscode";
import * as z from "zod/mini";
import { isConfidential } from "../../api/http/credentials.ts";
import { type FrontDoorPlace, type Tenant, tenantSetting } from "../../tenants/tenant.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { pickTenant } from "../../ui/quick-input/pick-tenant.ts";
import { enterText } from "../../ui/quick-input/show-input.ts";
import type { FrontDoorCommandId } from "./declarations.ts";
import { askForFrontDoorToken } from "./token-prompt.ts";

interface FrontDoorCommandParts {
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
}

const argumentShape = z.union([
  z.looseObject({ tenantId: z.string() }),
  z.looseObject({ tenant: z.looseObject({ id: z.string() }) }),
]);

/** Commands for the token of a tenant's front door. Asks for the front door's address if the tenant has none. */
export function frontDoorCommands(parts: FrontDoorCommandParts): CommandHandlers<FrontDoorCommandId> {
  const { registry, secrets } = parts;
  return {
    "platformWorkbench.setFrontDoorToken": async (run, argument) => {
      const tenant = await tenantOf(registry, argument, vscode.l10n.t("Set Front Door Token"), () => true);
      run.setErrorContext({ tenantId: tenant.id });
      const frontDoor = tenant.frontDoor ?? (await askForAddress(registry, tenant));
      await askForFrontDoorToken(secrets, { ...tenant, frontDoor });
    },
    "platformWorkbench.removeFrontDoorToken": async (run, argument) => {
      const withToken = new Set<string>();
      for (const tenant of registry.all) {
        if ((await secrets.frontDoorToken(tenant)) !== undefined) {
          withToken.add(tenant.id);
        }
      }
      const title = vscode.l10n.t("Remove Front Door Token");
      const tenant = await tenantOf(registry, argument, title, ({ id }) => withToken.has(id));
      run.setErrorContext({ tenantId: tenant.id });
      await secrets.removeFrontDoorToken(tenant.id);
    },
  };
}

/** The tenant of a row; otherwise the only suitable tenant, or the one that the user picks. */
async function tenantOf(
  registry: TenantRegistry,
  argument: unknown,
  title: string,
  fits: (tenant: Tenant) => boolean,
): Promise<Tenant> {
  const named = z.safeParse(argumentShape, argument);
  const id = !named.success ? undefined : "tenantId" in named.data ? named.data.tenantId : named.data.tenant.id;
  const fitting = registry.all.filter((tenant) => (id === undefined ? fits(tenant) : tenant.id === id));
  const [only, ...others] = fitting;
  if (only === undefined) {
    throw new Error(
      registry.all.length === 0
        ? vscode.l10n.t("No tenant has been added yet. Add one, or try the sample tenant.")
        : vscode.l10n.t("No tenant has a front door token. Run Platform: Set Front Door Token… first."),
    );
  }
  const chosen = others.length === 0 ? only : await pickTenant(fitting, title);
  if (chosen === undefined) {
    throw new vscode.CancellationError();
  }
  return chosen;
}

async function askForAddress(registry: TenantRegistry, tenant: Tenant): Promise<FrontDoorPlace> {
  const entry = z.safeParse(tenantSetting, registry.entry(tenant.id));
  if (tenant.source === "provided" || !entry.success) {
    throw new Error(
      vscode.l10n.t(
        "{0} has no front door. Its address can't be entered here, because the tenant isn't in the settings.",
        tenant.label,
      ),
    );
  }
  const url = await enterText({
    title: vscode.l10n.t("Front Door of {0}", tenant.label),
    prompt: vscode.l10n.t("The address at which language models find the tenant's tools."),
    placeHolder: "https://tools.example.com/mcp",
    validateInput: (typed) =>
      URL.canParse(typed.trim()) && isConfidential(new URL(typed.trim()))
        ? undefined
        : vscode.l10n.t("Enter an address that begins with https://."),
  });
  const frontDoor = { url: url.trim() };
  await registry.save({ ...entry.data, frontDoor });
  return frontDoor;
}
