import * as vscode from "vscode";
import type { FunctionValue, PackageFunction } from "../../api/catalogue/models/code-engine.ts";
import type { AccountValue } from "../../api/client/account-scope.ts";
import {
  type CodePackage,
  type CodeVersion,
  publicFunctions,
  readPackage,
  readPackages,
  readVersion,
  sourceExtension,
} from "../../api/families/code-engine.ts";
import type { DetailSection } from "../../ui/details/details.ts";
import { codeOf, dateOf, personOf } from "../../ui/details/values.ts";
import { relativeDate } from "../../ui/format/dates.ts";
import { nonBlank, sentenceWords, versionLabel, versionName, withoutVersion } from "../../ui/format/labels.ts";
import { type PlatformResource, unknownId } from "../../ui/resources/resource.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import type { Branch, TreeRow } from "../../ui/tree/definition.ts";
import { WholeLists } from "../../ui/tree/listing.ts";
import { cardDate } from "../../ui/tree/presentation.ts";
import type { ResourceKind, RowKind } from "../../ui/tree/row-kind.ts";
import { listBranch } from "../../ui/tree/row-list.ts";

const { Collapsed } = vscode.TreeItemCollapsibleState;
const pageSize = 50;

interface PackageRow extends TreeRow {
  readonly type: "functionPackage";
  readonly package: CodePackage;
  readonly resource: PlatformResource;
}

interface VersionRow extends TreeRow {
  readonly type: "packageVersion";
  readonly packageId: string;
  readonly packageName: string;
  readonly version: CodeVersion;
  readonly resource: PlatformResource;
}

/** A function of a version. `resource` is the version, whose details show the function. */
interface FunctionRow extends TreeRow {
  readonly type: "packageFunction";
  readonly packageId: string;
  readonly packageName: string;
  readonly functionName: string;
  readonly function: PackageFunction;
  readonly version: string;
}

const packagesOfAccount: AccountValue<WholeLists<CodePackage>> = { create: () => new WholeLists(pageSize, 5) };

/** The packages of a tenant. The platform returns all of them, so they are filtered here. */
export function packagesBranch(tenantId: string): Branch<PackageRow> {
  return {
    key: "packages",
    pageSize,
    words: {
      things: vscode.l10n.t("code engine packages"),
      empty: vscode.l10n.t("No code engine packages yet"),
      nothingFits: vscode.l10n.t("No matching code engine packages"),
    },
    read: async (request) => {
      const text = request.filter.toLocaleLowerCase();
      const { items, total, hasMore } = await request.client.account.get(packagesOfAccount).page(
        tenantId,
        request,
        () => readPackages(request.client, { signal: request.signal }),
        ({ name, id }) => (name ?? id ?? "").toLocaleLowerCase().includes(text),
      );
      return { rows: items.map((one) => packageRow(tenantId, one)), total, hasMore };
    },
  };
}

function packageRow(tenantId: string, own: CodePackage): PackageRow {
  const id = own.id ?? unknownId;
  return {
    type: "functionPackage",
    tenantId,
    key: `package/${id}`,
    package: own,
    resource: { type: "functionPackage", tenantId, id, name: packageName(own) },
  };
}

function packageName({ name, id }: Pick<CodePackage, "name" | "id">): string {
  return nonBlank(name) ?? id ?? vscode.l10n.t("Unnamed package");
}

export const functionPackage: ResourceKind<PackageRow> = {
  type: "functionPackage",
  item: ({ package: { language, versions, updatedOn }, resource }) => {
    const updated = relativeDate(dateText(updatedOn), vscode.env.language);
    const facts = [
      languageName(language),
      versions.length === 0 ? vscode.l10n.t("no versions") : "",
      updated === undefined ? "" : vscode.l10n.t("updated {0}", updated),
    ];
    return {
      label: resource.name,
      description: facts.filter((fact) => fact !== "").join(" · "),
      icon: "package",
      state: Collapsed,
    };
  },
  card: async ({ package: own, resource }, { names }) => ({
    name: resource.name,
    description: own.description,
    lines: [
      [vscode.l10n.t("Language"), languageName(own.language)],
      [vscode.l10n.t("Owner"), personOf(own.owner, await names(own.owner))],
      [vscode.l10n.t("Updated"), cardDate(own.updatedOn)],
      [vscode.l10n.t("Created"), cardDate(own.createdOn)],
      [vscode.l10n.t("ID"), resource.id],
    ],
  }),
  below: (row) => row.package.versions.map((version) => versionRow(row, version)),
  details: async ({ client, resource }) => {
    const { tenantId, id } = resource;
    const own = await readPackage(client, id);
    return {
      kind: vscode.l10n.t("Code engine package"),
      description: own.description,
      lines: [
        [vscode.l10n.t("Language"), languageName(own.language)],
        [vscode.l10n.t("Owner"), personOf(own.owner, await userNames(client, [own.owner]))],
        [vscode.l10n.t("Created"), dateOf(own.createdOn)],
        [vscode.l10n.t("Updated"), dateOf(own.updatedOn)],
        [vscode.l10n.t("ID"), codeOf(id)],
      ],
      sections: [
        {
          type: "table",
          title: vscode.l10n.t("Versions"),
          columns: [vscode.l10n.t("Version"), vscode.l10n.t("State"), vscode.l10n.t("Description")],
          rows: own.versions.map((version) => [
            { type: "resource", resource: versionResource(tenantId, id, packageName(own), version.version) },
            stateWord(version),
            version.description,
          ]),
          empty: vscode.l10n.t("No versions yet."),
        },
      ],
      raw: own,
    };
  },
};

function versionResource(tenantId: string, packageId: string, name: string, version: string): PlatformResource {
  return { type: "packageVersion", tenantId, id: version, parentId: packageId, name: versionName(name, version) };
}

function versionRow({ tenantId, key, resource: { id, name } }: PackageRow, version: CodeVersion): VersionRow {
  return {
    type: "packageVersion",
    tenantId,
    key: `${key}/version/${version.version}`,
    packageId: id,
    packageName: name,
    version,
    resource: versionResource(tenantId, id, name, version.version),
  };
}

export const packageVersion: ResourceKind<VersionRow> = {
  type: "packageVersion",
  item: ({ version }) => ({
    label: versionLabel(version.version),
    description: [stateWord(version), version.description].filter((fact) => fact !== "").join(" · "),
    icon: version.isReleased ? "tag" : "edit",
    state: Collapsed,
  }),
  below: (row) =>
    listBranch<VersionRow>(
      {
        label: "",
        icon: "symbol-function",
        things: vscode.l10n.t("functions"),
        empty: vscode.l10n.t("No functions"),
        read: async ({ tenantId, key, packageId, packageName, version: { version } }, { client, signal }) =>
          publicFunctions(await readVersion(client, packageId, version, { signal })).map(
            (own): FunctionRow => ({
              type: "packageFunction",
              tenantId,
              key: `${key}/function/${own.name}`,
              packageId,
              packageName,
              version,
              functionName: own.name,
              function: own,
            }),
          ),
      },
      row,
    ),
  details: async ({ client, resource }) => {
    const { tenantId, id: version, parentId: packageId = "", name } = resource;
    const [own, inPackage] = await Promise.all([
      readVersion(client, packageId, version),
      readPackage(client, packageId).catch(() => undefined),
    ]);
    const shown = withoutVersion(name, version) ?? packageId;
    const language = inPackage?.language ?? "";
    const names = await userNames(client, [own.createdBy, own.updatedBy]);
    return {
      kind: vscode.l10n.t("Version of a code engine package"),
      description: own.description ?? undefined,
      lines: [
        [
          vscode.l10n.t("Package"),
          { type: "resource", resource: { type: "functionPackage", tenantId, id: packageId, name: shown } },
        ],
        [vscode.l10n.t("Version"), version],
        [vscode.l10n.t("Language"), languageName(language)],
        [vscode.l10n.t("Created"), dateOf(own.createdOn)],
        [vscode.l10n.t("Created by"), personOf(own.createdBy, names)],
        [vscode.l10n.t("Updated"), dateOf(own.updatedOn)],
        [vscode.l10n.t("Updated by"), personOf(own.updatedBy, names)],
      ],
      sections: [
        {
          type: "table",
          title: vscode.l10n.t("Functions"),
          columns: [vscode.l10n.t("Name"), vscode.l10n.t("Parameters"), vscode.l10n.t("Description")],
          rows: publicFunctions(own).map((one) => [one.name, parameterText(one), one.description ?? ""]),
          empty: vscode.l10n.t("No functions."),
        },
        ...sourceSection(own.code, language),
      ],
      raw: own,
    };
  },
};

export const packageFunction: RowKind<FunctionRow> = {
  type: "packageFunction",
  item: ({ function: own, functionName }) => ({
    label: functionName,
    description: parameterText(own),
    icon: "symbol-function",
  }),
  card: ({ function: own, functionName, packageName, version }) => ({
    name: functionName,
    description: own.description ?? undefined,
    lines: [
      [vscode.l10n.t("Package"), versionName(packageName, version)],
      [vscode.l10n.t("Parameters"), parameterText(own)],
      [vscode.l10n.t("Returns"), own.output?.type?.toLowerCase()],
    ],
  }),
  open: (row) => ({
    command: "platformWorkbench.openFunctionSource",
    title: vscode.l10n.t("Open Code Engine Source"),
    arguments: [row],
  }),
};

function sourceSection(code: string | null | undefined, language: string): readonly DetailSection[] {
  const title = vscode.l10n.t("Source");
  return nonBlank(code) === undefined
    ? []
    : [{ type: "code", title, language: sourceExtension(language).slice(1), text: code ?? "" }];
}

/** The parameters of a function in parentheses: `(amount number, currency text)`. */
function parameterText({ inputs }: PackageFunction): string {
  return `(${(inputs ?? []).map(parameter).join(", ")})`;
}

function parameter({ name, displayName, type, isList, nullable }: FunctionValue): string {
  const kind = `${type?.toLowerCase() ?? ""}${isList === true ? "[]" : ""}`;
  return [`${name ?? displayName ?? ""}${nullable === true ? "?" : ""}`, kind].filter((part) => part !== "").join(" ");
}

function stateWord({ isReleased }: CodeVersion): string {
  return isReleased ? vscode.l10n.t("released") : vscode.l10n.t("draft");
}

function languageName(language: string): string {
  return language.toUpperCase() === "JAVASCRIPT" ? "JavaScript" : sentenceWords(language, vscode.l10n.t);
}

function dateText(time: string | number | undefined): string | undefined {
  return typeof time === "number" ? new Date(time).toISOString() : time;
}
