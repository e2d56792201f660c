import * as vscode from "vscode";
import type { PageSummary } from "../../api/catalogue/models/pages.ts";
import { allPageSummaries, pageIdOnWire, type SummaryFilter } from "../../api/families/pages/pages.ts";
import type { Connections } from "../../tenants/connections.ts";
import { detailsUri } from "../../ui/details/details-address.ts";
import { fullDate } from "../../ui/details/full-date.ts";
import { escaped } from "../../ui/details/markdown.ts";
import { type DocumentAddress, documentUri } from "../../ui/documents/document-address.ts";

const summaryColumns = ["page", "below", "owner", "cards", "changed", "locked"] as const;
type Column = (typeof summaryColumns)[number];

/** The pages of the summary and their order. */
interface SummaryQuery {
  readonly tenantId: string;
  /** Part of the pages' titles; empty for all. */
  readonly text: string;
  /** Ids of the parent pages; empty for all pages. */
  readonly below: readonly string[];
  readonly column: Column;
  readonly descending: boolean;
}

/** More rows make the editor's preview slow. The summary shows how many are omitted. */
const maxRows = 2000;
const retentionMs = 60_000;

export function summaryUri({ tenantId, text, below, column, descending }: SummaryQuery): vscode.Uri {
  const key = [column, descending ? "down" : "up", below.join(","), text].map(encodeURIComponent).join("/");
  const title = vscode.l10n.t("Pages (summary)");
  return documentUri({ kind: "page-summary", tenantId, workspaceId: "", key, title }, { isPreview: true });
}

/** Parses the query of a summary's address. Invalid parts become the defaults. */
function summaryQuery({ tenantId, key }: Pick<DocumentAddress, "tenantId" | "key">): SummaryQuery {
  const [column, direction, below = "", text = ""] = key.split("/").map(decodeURIComponent);
  return {
    tenantId,
    text,
    below: below.split(",").filter((id) => id !== ""),
    column: summaryColumns.find((one) => one === column) ?? "page",
    descending: direction === "down",
  };
}

interface Summary {
  readonly pages: readonly PageSummary[];
  readonly isCut: boolean;
}

/** The admin summary of pages as a Markdown table (API description, 4.4), sorted by any of its columns. */
export class PageSummaries {
  readonly #connections: Connections;
  /** A recently read summary is sorted again without a request. */
  #last: { readonly key: string; readonly until: number; readonly summary: Promise<Summary> } | undefined;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async read(address: DocumentAddress): Promise<string> {
    const query = summaryQuery(address);
    const { pages, isCut } = await this.#summary(query);
    return summaryMarkdown(query, pages, isCut);
  }

  #summary(query: SummaryQuery): Promise<Summary> {
    const key = JSON.stringify([query.tenantId, query.text, query.below]);
    if (this.#last?.key === key && this.#last.until > Date.now()) {
      return this.#last.summary;
    }
    const summary = this.#fetch(query);
    this.#last = { key, until: Date.now() + retentionMs, summary };
    summary.catch(() => {
      this.#last = undefined;
    });
    return summary;
  }

  async #fetch({ tenantId, text, below }: SummaryQuery): Promise<Summary> {
    const client = await this.#connections.platform(tenantId);
    const filter: SummaryFilter = {
      ...(text === "" ? {} : { pageTitleSearchText: text }),
      ...(below.length === 0 ? {} : { parentPageIds: below.map(pageIdOnWire) }),
    };
    let pages: readonly PageSummary[] = [];
    for await (const page of allPageSummaries(client, filter)) {
      pages = [...pages, ...page];
      if (pages.length > maxRows) {
        return { pages: pages.slice(0, maxRows), isCut: true };
      }
    }
    return { pages, isCut: false };
  }
}

function summaryMarkdown(query: SummaryQuery, pages: readonly PageSummary[], isCut: boolean): string {
  const { column, descending, text, below, tenantId } = query;
  const titles = columnTitles();
  const headings = summaryColumns.map((one) => {
    const isSorted = one === column;
    const target = relativeTo(summaryUri({ ...query, column: one, descending: isSorted && !descending }));
    const mark = isSorted ? (descending ? " ▼" : " ▲") : "";
    return `[${escaped(titles[one])}${mark}](${target})`;
  });
  const rows = sorted(pages, column, descending).map((page) => `| ${cells(page, tenantId).join(" | ")} |`);
  const order = descending ? vscode.l10n.t("descending") : vscode.l10n.t("ascending");
  const facts = [
    pages.length === 1 ? vscode.l10n.t("1 page") : vscode.l10n.t("{0} pages", pages.length),
    ...(text === "" ? [] : [vscode.l10n.t('with "{0}" in the title', text)]),
    ...(below.length === 0 ? [] : [belowText(below.length)]),
    vscode.l10n.t("by {0}, {1}", titles[column], order),
  ];
  return [
    `# ${escaped(vscode.l10n.t("Pages"))}`,
    `${escaped(facts.join(", "))}\\. ${escaped(vscode.l10n.t("Select a heading to sort; select it again to reverse the order."))}`,
    ...(isCut
      ? [escaped(vscode.l10n.t("Some pages aren't shown. To narrow the list, run Platform: Show Page Summary…"))]
      : []),
    ...(pages.length === 0
      ? [escaped(vscode.l10n.t("No matching pages."))]
      : [[`| ${headings.join(" | ")} |`, "|:--|:--|:--|--:|:--|:--|", ...rows].join("\n")]),
    "",
  ].join("\n\n");
}

function cells(page: PageSummary, tenantId: string): readonly string[] {
  const { parentPageId, parentPageTitle, pageId, lastModified, locked, cardCount } = page;
  const link = (id: string, name: string): string =>
    `[${escaped(name)}](${relativeTo(detailsUri({ type: "page", tenantId, id, name }, "details"))})`;
  const parent = isKnown(parentPageId) ? String(parentPageId) : undefined;
  return [
    isKnown(pageId) ? link(String(pageId), titleOf(page)) : escaped(titleOf(page)),
    parent === undefined ? "" : link(parent, parentPageTitle ?? parent),
    escaped(ownersOf(page)),
    String(cardCount ?? ""),
    escaped(fullDate(lastModified) ?? ""),
    locked === true ? escaped(vscode.l10n.t("locked")) : "",
  ];
}

function columnTitles(): Readonly<Record<Column, string>> {
  return {
    page: vscode.l10n.t("Page"),
    below: vscode.l10n.t("Parent page"),
    owner: vscode.l10n.t("Owners"),
    cards: vscode.l10n.t("Cards"),
    changed: vscode.l10n.t("Updated"),
    locked: vscode.l10n.t("Locked"),
  };
}

/** The pages sorted by a column, then by title. */
function sorted(pages: readonly PageSummary[], column: Column, descending: boolean): readonly PageSummary[] {
  const sign = descending ? -1 : 1;
  return pages.toSorted((one, other) => {
    const difference = compared(one, other, column);
    return difference === 0 ? titleOf(one).localeCompare(titleOf(other)) : sign * difference;
  });
}

function compared(one: PageSummary, other: PageSummary, column: Column): number {
  switch (column) {
    case "page":
      return titleOf(one).localeCompare(titleOf(other));
    case "below":
      return (one.parentPageTitle ?? "").localeCompare(other.parentPageTitle ?? "");
    case "owner":
      return ownersOf(one).localeCompare(ownersOf(other));
    case "cards":
      return (one.cardCount ?? 0) - (other.cardCount ?? 0);
    case "changed":
      return Number(one.lastModified ?? 0) - Number(other.lastModified ?? 0);
    case "locked":
      return Number(one.locked === true) - Number(other.locked === true);
  }
}

function isKnown(id: string | number | null | undefined): id is string | number {
  return id !== null && id !== undefined;
}

function titleOf({ pageTitle, pageId }: PageSummary): string {
  return pageTitle ?? (isKnown(pageId) ? String(pageId) : vscode.l10n.t("Unnamed page"));
}

function belowText(count: number): string {
  return count === 1 ? vscode.l10n.t("inside 1 page") : vscode.l10n.t("inside any of {0} pages", count);
}

function ownersOf({ owners, ownerName }: PageSummary): string {
  const names = (owners ?? []).flatMap(({ displayName }) => displayName ?? []);
  return names.length > 0 ? names.join(", ") : (ownerName ?? "");
}

/** The relative link from one of a tenant's documents, `/<kind>/<key>/<title>`, to another. */
function relativeTo({ path }: vscode.Uri): string {
  return `../..${path.split("/").map(encodeURIComponent).join("/")}`;
}
