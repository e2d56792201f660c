import * as vscode from "vscode";
import { getRepository } from "../../../api/catalogue/operations/sandbox.ts";
import { codeOf } from "../../../ui/details/values.ts";
import { nonBlank } from "../../../ui/format/labels.ts";
import { type PlatformResource, unknownId } from "../../../ui/resources/resource.ts";
import type { TreeRow } from "../../../ui/tree/definition.ts";
import type { ResourceKind } from "../../../ui/tree/row-kind.ts";
import { gone, repositoryLink } from "../links.ts";
import { freshRow, type RepositoryPart, type RepositoryRow } from "./repository-row.ts";

interface DeploymentRow extends TreeRow {
  readonly type: "deployment";
  readonly domain: string;
  readonly of: RepositoryRow;
  readonly resource: PlatformResource;
}

export const deploymentsPart: RepositoryPart = {
  label: vscode.l10n.t("Deployments"),
  icon: "cloud",
  things: vscode.l10n.t("deployments"),
  empty: vscode.l10n.t("No deployments yet"),
  count: ({ repository }) => repository.deployments?.length,
  read: async (of, request) => deploymentRows(await freshRow(of, request)),
};

function deploymentRows(of: RepositoryRow): readonly DeploymentRow[] {
  const { tenantId } = of;
  return (of.repository.deployments ?? []).map(({ id, domain }): DeploymentRow => {
    const instance = nonBlank(domain) ?? vscode.l10n.t("unknown instance");
    const deploymentId = id ?? unknownId;
    const name = vscode.l10n.t("{0} on {1}", of.resource.name, instance);
    const resource = { type: "deployment", tenantId, id: deploymentId, parentId: of.resource.id, name } as const;
    return {
      type: "deployment",
      tenantId,
      key: `${of.key}/deployment/${deploymentId}`,
      domain: instance,
      of,
      resource,
    };
  });
}

export const deployment: ResourceKind<DeploymentRow> = {
  type: "deployment",
  item: ({ domain }) => ({ label: domain, icon: "cloud" }),
  card: ({ domain, resource }) => ({ name: domain, lines: [[vscode.l10n.t("ID"), resource.id]] }),
  details: async ({ client, resource }) => {
    const repository = await client.call(getRepository, { repositoryId: resource.parentId ?? "" });
    const deployment = (repository.deployments ?? []).find(({ id }) => id === resource.id);
    if (deployment === undefined) {
      throw gone(resource);
    }
    return {
      kind: vscode.l10n.t("Deployment"),
      lines: [
        [vscode.l10n.t("ID"), codeOf(resource.id)],
        [vscode.l10n.t("Instance"), deployment.domain ?? undefined],
        [vscode.l10n.t("Repository"), repositoryLink(resource.tenantId, resource.parentId ?? "", repository.name)],
      ],
      sections: [],
      raw: deployment,
    };
  },
};
