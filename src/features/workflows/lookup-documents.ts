import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Trigger } from "../../api/catalogue/models/workflows.ts";
import { getTriggerForm } from "../../api/catalogue/operations/triggers.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { readTriggersOfVersions } from "../../api/families/workflow-facts.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { Details, DetailValue } from "../../ui/details/details.ts";
import { relativeLink } from "../../ui/details/details-documents.ts";
import { label } from "../../ui/details/fields.ts";
import { fullDate } from "../../ui/details/full-date.ts";
import { detailsMarkdown } from "../../ui/details/markdown.ts";
import { codeOf, dateOf } from "../../ui/details/values.ts";
import type { DocumentAddress } from "../../ui/documents/document-address.ts";
import { type FormLookup, formInput, type WorkflowLookup, workflowLookup } from "./lookup.ts";
import { lookupName } from "./lookup-address.ts";
import { formSection } from "./version-details.ts";
import { versionLink } from "./version-link.ts";
import { triggerState } from "./words.ts";

/** What a lookup finds, as Markdown. */
export async function readLookup(connections: Connections, { tenantId, key }: DocumentAddress): Promise<string> {
  const lookup = z.parse(workflowLookup, JSON.parse(key));
  const client = await connections.platform(tenantId);
  const details =
    lookup.type === "form" ? await readForm(client, tenantId, lookup) : await readTriggers(client, tenantId, lookup);
  return detailsMarkdown(details, {
    name: lookupName(lookup),
    translate: vscode.l10n.t,
    date: fullDate,
    linkTo: relativeLink,
  });
}

async function readForm(client: PlatformClient, tenantId: string, lookup: FormLookup): Promise<Details> {
  const { modelId, modelName, version, trigger, deploymentId } = lookup;
  const form = await client.call(getTriggerForm, formInput(lookup));
  const workflow = { type: "workflow", tenantId, id: modelId, name: modelName } as const;
  return {
    kind: vscode.l10n.t("Start form"),
    description: form.description ?? undefined,
    lines: [
      [vscode.l10n.t("Version"), versionLink(workflow, version)],
      [
        vscode.l10n.t("Trigger"),
        trigger === undefined
          ? undefined
          : { type: "resource", resource: { type: "trigger", tenantId, parentId: modelId, ...trigger } },
      ],
      [vscode.l10n.t("Deployment"), deploymentId === undefined ? undefined : codeOf(deploymentId)],
    ],
    sections: [formSection(form.sections ?? [])],
    raw: form,
  };
}

async function readTriggers(
  client: PlatformClient,
  tenantId: string,
  { modelId, modelName, versions }: WorkflowLookup & { readonly type: "triggers" },
): Promise<Details> {
  const triggers = await readTriggersOfVersions(client, modelId, versions);
  const workflow = { type: "workflow", tenantId, id: modelId, name: modelName } as const;
  return {
    kind: vscode.l10n.t("Triggers attached to the workflow"),
    lines: [[vscode.l10n.t("Workflow"), { type: "resource", resource: workflow }]],
    sections: [
      {
        type: "table",
        title: vscode.l10n.t("Triggers"),
        columns: [
          vscode.l10n.t("Trigger"),
          vscode.l10n.t("Type"),
          vscode.l10n.t("Attached to version"),
          vscode.l10n.t("Starts version"),
          vscode.l10n.t("State"),
          vscode.l10n.t("Created"),
        ],
        rows: triggers.map((trigger) => [
          triggerLink(trigger, tenantId, modelId),
          label(trigger.type ?? ""),
          trigger.entityVersion ?? "",
          versionLink(workflow, trigger.modelVersion ?? ""),
          stateWord(trigger),
          dateOf(trigger.createdAt),
        ]),
        empty: vscode.l10n.t("No trigger is attached to them."),
      },
    ],
    raw: triggers,
  };
}

function triggerLink({ id, name }: Trigger, tenantId: string, parentId: string): DetailValue {
  const shown = name?.trim() || vscode.l10n.t("Unnamed trigger");
  return typeof id === "string" && id !== ""
    ? { type: "resource", resource: { type: "trigger", tenantId, id, parentId, name: shown } }
    : shown;
}

function stateWord(trigger: Trigger): string {
  switch (triggerState(trigger)) {
    case "deleted":
      return vscode.l10n.t("deleted");
    case "inactive":
      return vscode.l10n.t("inactive");
    case "active":
      return vscode.l10n.t("active");
  }
}
