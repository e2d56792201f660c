import * as vscode from "vscode";
import type { AppSummary, AppView } from "../../api/catalogue/models/app-studio.ts";
import { appPageSize, readAppAccess, readApps, readAppViews } from "../../api/families/app-studio.ts";
import type { Principal } from "../../api/families/people.ts";
import { codeOf } from "../../ui/details/values.ts";
import { relativeDate } from "../../ui/format/dates.ts";
import { nonBlank } from "../../ui/format/labels.ts";
import { type PlatformResource, unknownId } from "../../ui/resources/resource.ts";
import type { Branch, TreeRow } from "../../ui/tree/definition.ts";
import { cardDate } from "../../ui/tree/presentation.ts";
import type { ResourceKind, RowKind } from "../../ui/tree/row-kind.ts";
import { listKind } from "../../ui/tree/row-list.ts";

const { Collapsed } = vscode.TreeItemCollapsibleState;

interface AppRow extends TreeRow {
  readonly type: "studioApp";
  readonly app: AppSummary;
  readonly resource: PlatformResource;
}

interface AppListRow extends TreeRow {
  readonly type: "appViews" | "appAccess";
  readonly app: PlatformResource;
  readonly count: number | undefined;
}

interface ViewRow extends TreeRow {
  readonly type: "appView";
  readonly view: AppView;
}

interface CardRow extends TreeRow {
  readonly type: "appCard";
  readonly resource: PlatformResource;
}

interface PrincipalRow extends TreeRow {
  readonly type: "appPrincipal";
  readonly principal: Principal;
}

export const accessKey = (appId: string): string => `app/${appId}/access`;

/** The apps of a tenant that the user can see as an administrator. */
export function appsBranch(tenantId: string): Branch<AppRow> {
  return {
    key: "apps",
    pageSize: appPageSize,
    words: {
      things: vscode.l10n.t("App Studio apps"),
      empty: vscode.l10n.t("No App Studio apps yet"),
      nothingFits: vscode.l10n.t("No matching App Studio apps"),
    },
    read: async ({ client, filter, offset, signal }) => {
      const { apps, hasMore, total, hasOperation } = await readApps(client, { text: filter, offset }, { signal });
      return {
        rows: apps.map((app) => appRow(tenantId, app)),
        hasMore,
        total,
        remark: hasOperation ? undefined : vscode.l10n.t("The API of this platform doesn't list App Studio apps."),
      };
    },
  };
}

function appRow(tenantId: string, app: AppSummary): AppRow {
  const id = app.dataAppId === null || app.dataAppId === undefined ? unknownId : String(app.dataAppId);
  const name = nonBlank(app.title) ?? vscode.l10n.t("Unnamed app");
  return { type: "studioApp", tenantId, key: `app/${id}`, app, resource: { type: "studioApp", tenantId, id, name } };
}

export const studioApp: ResourceKind<AppRow> = {
  type: "studioApp",
  item: ({ app, resource }) => {
    const updated = relativeDate(timeText(app.lastUpdated), vscode.env.language);
    const facts = [
      viewCount(app.viewCount),
      app.locked === true ? vscode.l10n.t("locked") : "",
      updated === undefined ? "" : vscode.l10n.t("updated {0}", updated),
    ];
    return {
      label: resource.name,
      description: facts.filter((fact) => fact !== "").join(" · "),
      icon: app.locked === true ? "lock" : "preview",
      state: Collapsed,
    };
  },
  card: ({ app, resource }) => ({
    name: resource.name,
    lines: [
      [vscode.l10n.t("Owner"), (app.owners ?? []).map(({ displayName, id }) => displayName ?? String(id)).join(", ")],
      [vscode.l10n.t("Views"), app.viewCount?.toString()],
      [vscode.l10n.t("Locked"), app.locked === true ? vscode.l10n.t("yes") : vscode.l10n.t("no")],
      [vscode.l10n.t("Updated"), cardDate(app.lastUpdated ?? undefined)],
      [vscode.l10n.t("ID"), resource.id],
    ],
  }),
  below: ({ tenantId, key, resource, app }): readonly AppListRow[] => [
    { type: "appViews", tenantId, key: `${key}/views`, app: resource, count: app.viewCount ?? undefined },
    { type: "appAccess", tenantId, key: accessKey(resource.id), app: resource, count: undefined },
  ],
  details: async ({ client, resource }) => {
    const { tenantId, id } = resource;
    const [views, people] = await Promise.all([readAppViews(client, id), readAppAccess(client, id)]);
    return {
      kind: vscode.l10n.t("App Studio app"),
      lines: [[vscode.l10n.t("ID"), codeOf(id)]],
      sections: [
        {
          type: "table",
          title: vscode.l10n.t("Views"),
          columns: [vscode.l10n.t("Title"), vscode.l10n.t("Cards"), vscode.l10n.t("ID")],
          rows: views.map((view) => [viewTitle(view), cardText(view), codeOf(String(view.viewId ?? ""))]),
          empty: vscode.l10n.t("No views."),
        },
        {
          type: "table",
          title: vscode.l10n.t("Access"),
          columns: [vscode.l10n.t("Name"), vscode.l10n.t("Type")],
          rows: people.map((principal) => [
            principal.type === "USER"
              ? { type: "resource", resource: { type: "user", tenantId, id: principal.id, name: principal.name } }
              : principal.name,
            principalWord(principal),
          ]),
          empty: vscode.l10n.t("No users or groups."),
        },
      ],
      raw: { views, access: people },
    };
  },
};

export const appViews = listKind<AppListRow>("appViews", {
  label: vscode.l10n.t("Views"),
  icon: "browser",
  things: vscode.l10n.t("views"),
  empty: vscode.l10n.t("No views yet"),
  count: ({ count }) => count,
  read: async ({ tenantId, key, app }, { client, signal }) =>
    (await readAppViews(client, app.id, { signal })).map(
      (view, index): ViewRow => ({ type: "appView", tenantId, key: `${key}/${view.viewId ?? index}`, view }),
    ),
});

export const appAccess = listKind<AppListRow>("appAccess", {
  label: vscode.l10n.t("Access"),
  icon: "organization",
  things: vscode.l10n.t("users and groups"),
  empty: vscode.l10n.t("No users or groups"),
  read: async ({ tenantId, key, app }, { client, signal }) =>
    (await readAppAccess(client, app.id, { signal })).map(
      (principal): PrincipalRow => ({
        type: "appPrincipal",
        tenantId,
        key: `${key}/${principal.type}/${principal.id}`,
        principal,
      }),
    ),
});

export const appView: RowKind<ViewRow> = {
  type: "appView",
  item: ({ view }) => ({
    label: viewTitle(view),
    description: cardCount(view),
    icon: "browser",
    state: (view.cardTitles ?? []).length === 0 ? vscode.TreeItemCollapsibleState.None : Collapsed,
  }),
  below: ({ tenantId, key, view }) =>
    (view.cardTitles ?? []).flatMap(({ cardId, title }): readonly CardRow[] => {
      const id = cardId?.toString();
      return id === undefined
        ? []
        : [
            {
              type: "appCard",
              tenantId,
              key: `${key}/card/${id}`,
              resource: { type: "card", tenantId, id, name: nonBlank(title) ?? id },
            },
          ];
    }),
};

export const appCard: RowKind<CardRow> = {
  type: "appCard",
  item: ({ resource }) => ({ label: resource.name, icon: "graph" }),
};

export const appPrincipal: RowKind<PrincipalRow> = {
  type: "appPrincipal",
  item: ({ principal }) => ({
    label: principal.name,
    description: principalWord(principal),
    icon: principal.type === "GROUP" ? "organization" : "person",
  }),
};

function viewTitle({ viewTitle: title, viewId }: AppView): string {
  return nonBlank(title) ?? String(viewId ?? vscode.l10n.t("Unnamed view"));
}

function viewCount(count: number | null | undefined): string {
  return count === null || count === undefined
    ? ""
    : count === 1
      ? vscode.l10n.t("1 view")
      : vscode.l10n.t("{0} views", count);
}

function cardCount({ cardTitles }: AppView): string {
  const count = (cardTitles ?? []).length;
  return count === 1 ? vscode.l10n.t("1 card") : vscode.l10n.t("{0} cards", count);
}

function cardText({ cardTitles }: AppView): string {
  return (cardTitles ?? []).map(({ title, cardId }) => nonBlank(title) ?? String(cardId ?? "")).join(", ");
}

function principalWord({ type }: Principal): string {
  return type === "GROUP" ? vscode.l10n.t("group") : vscode.l10n.t("user");
}

function timeText(time: string | number | null | undefined): string | undefined {
  return typeof time === "number" ? new Date(time).toISOString() : (time ?? undefined);
}
