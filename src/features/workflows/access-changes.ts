import * as vscode from "vscode";
import { updateWorkflow, updateWorkflowPermissions } from "../../api/catalogue/operations/workflow-changes.ts";
import { getWorkflow } from "../../api/catalogue/operations/workflows.ts";
import { allGroups, allUsers, type Principal } from "../../api/families/people.ts";
import { readPermissions, type WorkflowPermission } from "../../api/families/workflows.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { changeOwner } from "../../ui/commands/owner-change.ts";
import { orOnWebPage } from "../../ui/commands/web-page-offer.ts";
import { sentenceWords } from "../../ui/format/labels.ts";
import type { ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import { pickPeople } from "../../ui/quick-input/people-picker.ts";
import { several } from "../../ui/quick-input/questions.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import { Steps } from "../../ui/quick-input/wizard.ts";
import type { TreesOf } from "../../ui/tree/lazy-trees.ts";
import { type ChosenWorkflow, chooseWorkflow } from "./choice.ts";
import type { WorkflowsCommandId } from "./declarations.ts";
import { workflowLists } from "./rows/workflow-row.ts";

type ChangeParts = ResourceChoiceParts & { readonly trees: TreesOf<"workflows"> };

/** The permissions that public sources name. */
const knownPermissions = ["ADMIN", "SHARE", "DELETE", "WRITE", "READ", "EXPORT", "EXECUTE", "UPDATE_CONTENT"] as const;

/** Commands that change the owner and the permissions of workflows. */
export function workflowAccessCommands(parts: ChangeParts) {
  return {
    "platformWorkbench.changeWorkflowOwner": async (run, argument) => {
      const title = vscode.l10n.t("Change Workflow Owner");
      const { client, tenantId, modelId, name } = await chooseWorkflow(parts, run, argument, title);
      const { owner } = await client.call(getWorkflow, { modelId });
      const changed = await changeOwner(parts.connections, {
        client,
        resource: { type: "workflow", tenantId, id: modelId, name },
        title,
        owner,
        consequence: vscode.l10n.t("The current owner keeps only the permissions listed for the workflow."),
        operation: updateWorkflow,
        transfer: (userId) => client.call(updateWorkflow, { modelId, body: { id: modelId, owner: userId } }),
      });
      if (changed) {
        await parts.trees.workflows.refreshLists(tenantId, "workflows");
      }
    },
    "platformWorkbench.changeWorkflowPermissions": async (run, argument) => {
      const title = vscode.l10n.t("Change Workflow Permissions");
      const workflow = await chooseWorkflow(parts, run, argument, title);
      const heading = `${title} · ${workflow.name}`;
      const before = await readPermissions(workflow.client, workflow.modelId);
      const holder = await chooseHolder(workflow, before, heading);
      const { permissions } = await Steps.from({})
        .step(
          several(() => ({
            placeholder: vscode.l10n.t("Permissions of {0}. Select none to remove the access.", holder.name),
            items: [...new Set([...knownPermissions, ...holder.permissions])].map((value) => ({
              label: sentenceWords(value, vscode.l10n.t),
              value,
            })),
            initial: holder.permissions,
            canBeNone: true,
          })),
          (chosen) => ({ permissions: chosen }),
        )
        .ask(heading);
      await setPermissions(parts, workflow, before, { ...holder, permissions });
    },
  } satisfies Partial<CommandHandlers<WorkflowsCommandId>>;
}

/** Replaces the permissions of one holder after a confirmation. All others are sent as they are. */
export async function setPermissions(
  parts: ChangeParts,
  { client, tenantId, modelId, name }: ChosenWorkflow,
  before: readonly WorkflowPermission[],
  holder: WorkflowPermission,
): Promise<void> {
  const words = (permissions: readonly string[]): string =>
    permissions.length === 0
      ? vscode.l10n.t("none")
      : permissions.map((one) => sentenceWords(one, vscode.l10n.t)).join(", ");
  const own = before.find((one) => isSame(one, holder))?.permissions ?? [];
  await confirm({
    question:
      holder.permissions.length === 0
        ? vscode.l10n.t("Remove the access of {0} to {1}?", holder.name, name)
        : vscode.l10n.t("Change the permissions of {0} on {1}?", holder.name, name),
    touched: [vscode.l10n.t("Now: {0}", words(own)), vscode.l10n.t("Afterward: {0}", words(holder.permissions))],
    action: vscode.l10n.t("Change"),
  });
  const others = before.filter((one) => !isSame(one, holder));
  const all = [...others, ...(holder.permissions.length === 0 ? [] : [holder])];
  const body = all.map(({ type, id, name: shown, permissions }) => ({
    type,
    id,
    name: shown,
    permissions: [...permissions],
  }));
  const changed = await orOnWebPage(
    parts.connections,
    client,
    { type: "workflow", tenantId, id: modelId, name },
    {
      operations: [updateWorkflowPermissions],
      work: () => client.call(updateWorkflowPermissions, { modelId, body }),
    },
  );
  if (!changed.isOnWebPage) {
    await parts.trees.workflows.refreshLists(tenantId, workflowLists.group(modelId, "permissions"));
  }
}

/** A user or group that has permissions, or another one, who has none yet. */
async function chooseHolder(
  { client }: ChosenWorkflow,
  before: readonly WorkflowPermission[],
  title: string,
): Promise<WorkflowPermission> {
  const known = before.map((holder) => ({
    label: holder.name,
    description: holder.permissions.map((one) => sentenceWords(one, vscode.l10n.t)).join(", "),
    iconPath: new vscode.ThemeIcon(holder.type === "GROUP" ? "organization" : "person"),
    holder,
  }));
  const other = {
    label: vscode.l10n.t("Someone Else…"),
    description: vscode.l10n.t("another user or group"),
    iconPath: new vscode.ThemeIcon("ellipsis"),
    holder: undefined,
  };
  const placeHolder = vscode.l10n.t("Choose whose permissions to change");
  const { holder } = await pickItem([...known, other], { title, placeHolder, matchOnDescription: true });
  if (holder !== undefined) {
    return holder;
  }
  const list = async function* (signal: AbortSignal): AsyncGenerator<readonly Principal[]> {
    yield* allUsers(client, { signal });
    yield* allGroups(client, { signal });
  };
  const [chosen] = await pickPeople({ title, placeholder: vscode.l10n.t("Choose one user or group"), list });
  return before.find((one) => isSame(one, chosen)) ?? { ...chosen, permissions: [] };
}

function isSame(one: Pick<WorkflowPermission, "type" | "id">, other: Pick<WorkflowPermission, "type" | "id">): boolean {
  return one.type === other.type && one.id === other.id;
}
