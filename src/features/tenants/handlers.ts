import * as vscode from "vscode";
import * as z from "zod/mini";
import { AccessError } from "../../tenants/access-obstacle.ts";
import { proposeTenantId, type Tenant, tenantSetting } from "../../tenants/tenant.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { pickTenant } from "../../ui/quick-input/pick-tenant.ts";
import { warnThatSecretsAreNotStored } from "../../ui/quick-input/secret-input.ts";
import { viewId } from "../../ui/tree/definition.ts";
import type { TenantsCommandId } from "./declarations.ts";
import { askForNewTenant, askForTenant } from "./form.ts";
import { type SignInParts, signIn, tenantFileOf } from "./sign-in.ts";

const rowArgument = z.union([
  z.looseObject({ tenantId: z.string() }),
  z.looseObject({ tenant: z.looseObject({ id: z.string() }) }),
]);

/** Commands to add, edit, remove, and switch tenants, and to sign in and out. */
export function tenantCommands(parts: SignInParts) {
  return {
    "platformWorkbench.addTenant": async (_, argument) => {
      await addTenant(parts);
      // With an argument, a remedy or a link called the command and continues elsewhere.
      if (argument === undefined) {
        await vscode.commands.executeCommand(`${viewId("workspaces")}.focus`);
      }
    },
    "platformWorkbench.editTenant": async (_, argument) =>
      editTenant(parts, await chooseTenant(parts, argument, "edit")),
    "platformWorkbench.removeTenant": async (_, argument) =>
      removeTenant(parts, await chooseTenant(parts, argument, "remove")),
    "platformWorkbench.switchTenant": async (_, argument) => {
      const tenant = await chooseTenant(parts, argument, "switch");
      await parts.registry.setCurrent(tenant.id);
    },
    "platformWorkbench.signIn": async (run, argument) => {
      const tenant = await chooseTenant(parts, argument, "signIn");
      run.setErrorContext({ tenantId: tenant.id });
      await signIn(parts, tenant);
    },
    "platformWorkbench.signOut": async (_, argument) => {
      const tenant = await chooseTenant(parts, argument, "signOut");
      await parts.secrets.signOut(tenant.id);
    },
    "platformWorkbench.trySampleTenant": async () => (await parts.sample()).open(),
  } satisfies Partial<CommandHandlers<TenantsCommandId>>;
}

async function addTenant({ registry, secrets, connections }: SignInParts): Promise<void> {
  const { secret, account, ...form } = await askForNewTenant(vscode.l10n.t("Add Tenant"), connections, registry.all);
  const id = proposeTenantId(form.baseUrl, new Set(registry.all.map((tenant) => tenant.id)));
  await registry.save({ id, ...form });
  const tenant = registry.get(id);
  if (tenant !== undefined) {
    if (!(await secrets.saveCredential(tenant, secret, account))) {
      warnThatSecretsAreNotStored();
    }
    await registry.setCurrent(id);
  }
}

async function editTenant(parts: SignInParts, tenant: Tenant): Promise<void> {
  const { registry, secrets, connections } = parts;
  const entry = z.safeParse(tenantSetting, registry.entry(tenant.id));
  if (tenant.source === "provided" || !entry.success) {
    throw new Error(vscode.l10n.t("{0} isn't in the settings and can't be edited.", tenant.label));
  }
  const others = registry.all.filter(({ id }) => id !== tenant.id);
  const form = await askForTenant(
    vscode.l10n.t("Edit Tenant {0}", tenant.label),
    { baseUrl: tenant.baseUrl, label: tenant.label, dialect: tenant.dialect.id },
    connections,
    others,
  );
  await registry.save({ ...entry.data, ...form });
  const changed = registry.get(tenant.id);
  const wasSignedIn = (await secrets.credential(tenant)) !== undefined;
  if (changed !== undefined && wasSignedIn && (await secrets.credential(changed)) === undefined) {
    // The user confirmed the credential for the previous address.
    await signIn(parts, changed);
  }
}

async function removeTenant({ registry, secrets, sample }: SignInParts, tenant: Tenant): Promise<void> {
  const isSignedIn = (await secrets.credential(tenant)) !== undefined;
  const tokens = await secrets.countNotebookTokens(tenant.id);
  const touched = [
    vscode.l10n.t("The tenant {0} ({1})", tenant.label, new URL(tenant.baseUrl).host),
    ...(isSignedIn ? [vscode.l10n.t("Credential")] : []),
    ...(tokens === 0
      ? []
      : [tokens === 1 ? vscode.l10n.t("1 notebook token") : vscode.l10n.t("{0} notebook tokens", tokens)]),
    ...((await secrets.frontDoorToken(tenant)) === undefined ? [] : [vscode.l10n.t("Front door token")]),
  ];
  const tenantFile = await tenantFileOf({ sample }, tenant);
  await confirm({
    question: vscode.l10n.t("Remove {0} from this editor?", tenant.label),
    touched,
    consequence:
      tenantFile === undefined
        ? vscode.l10n.t("Nothing changes on the platform itself.")
        : vscode.l10n.t(
            "Nothing changes on the platform itself. New windows list the tenant again until you remove it from the tenant file {0}.",
            tenantFile,
          ),
    action: vscode.l10n.t("Remove"),
  });
  await secrets.signOut(tenant.id);
  await registry.remove(tenant.id);
}

type Purpose = "edit" | "remove" | "switch" | "signIn" | "signOut";

/** The tenant of a row; otherwise the only suitable tenant, or the one that the user picks. */
async function chooseTenant({ registry, secrets }: SignInParts, argument: unknown, purpose: Purpose): Promise<Tenant> {
  const named = z.safeParse(rowArgument, argument);
  if (named.success) {
    const id = "tenantId" in named.data ? String(named.data.tenantId) : named.data.tenant.id;
    const tenant = registry.get(id);
    if (tenant === undefined) {
      throw new AccessError(
        "unknownTenant",
        { tenantId: id },
        vscode.l10n.t('The tenant "{0}" isn\'t in the settings. Add it, then try again.', id),
      );
    }
    return tenant;
  }
  const all = registry.all;
  if (all.length === 0) {
    throw new AccessError(
      "unknownTenant",
      {},
      vscode.l10n.t("No tenant has been added yet. Add one, or try the sample tenant."),
    );
  }
  const signedIn = new Set<string>();
  for (const tenant of all) {
    if ((await secrets.credential(tenant)) !== undefined) {
      signedIn.add(tenant.id);
    }
  }
  const fitting =
    purpose === "signOut"
      ? all.filter(({ id }) => signedIn.has(id))
      : purpose === "signIn" && signedIn.size < all.length
        ? all.filter(({ id }) => !signedIn.has(id))
        : all;
  const [only] = fitting;
  if (only === undefined) {
    throw new Error(vscode.l10n.t("You aren't signed in to any tenant."));
  }
  // Signing out and switching take effect immediately, so show the user which tenant is affected first.
  const mayTakeOnly = purpose === "edit" || purpose === "signIn" || purpose === "remove";
  if (fitting.length === 1 && mayTakeOnly) {
    return only;
  }
  const titles: Readonly<Record<Purpose, string>> = {
    edit: vscode.l10n.t("Edit Tenant"),
    remove: vscode.l10n.t("Remove Tenant"),
    switch: vscode.l10n.t("Switch Tenant"),
    signIn: vscode.l10n.t("Sign In to a Tenant"),
    signOut: vscode.l10n.t("Sign Out of a Tenant"),
  };
  const current = registry.current?.id;
  const chosen = await pickTenant(fitting, titles[purpose], ({ id }) =>
    [
      signedIn.has(id) ? vscode.l10n.t("signed in") : vscode.l10n.t("signed out"),
      ...(id === current ? [vscode.l10n.t("current tenant")] : []),
    ].join(" · "),
  );
  if (chosen === undefined) {
    throw new vscode.CancellationError();
  }
  return chosen;
}
