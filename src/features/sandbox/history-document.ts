import * as vscode from "vscode";
import * as z from "zod/mini";
import type { CommitRequest, Promotion } from "../../api/catalogue/models/sandbox.ts";
import { allCommitRequests, allPromotions } from "../../api/families/sandbox.ts";
import type { Connections } from "../../tenants/connections.ts";
import { fullDate } from "../../ui/details/full-date.ts";
import { code, escaped } from "../../ui/details/markdown.ts";
import { type DocumentAddress, documentUri } from "../../ui/documents/document-address.ts";
import { constantWords } from "../../ui/format/labels.ts";
import { periodText } from "../../ui/quick-input/period-input.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import {
  fitsDates,
  type HistorySearch,
  type HistorySort,
  historyDates,
  historyQuery,
  historySearch,
  trimmed,
} from "./history-search.ts";

/** Maximum number of rows in one document. */
const maxRows = 1000;

/** The document of a search in the history of repositories. */
export function historyUri(tenantId: string, search: HistorySearch): vscode.Uri {
  const { kind, filters } = search;
  const title = kind === "promotions" ? vscode.l10n.t("Promotions") : vscode.l10n.t("Commit requests");
  const names = filters.repositoryName ?? [];
  const name = names.length === 0 ? title : vscode.l10n.t("{0} of {1}", title, names.join(", "));
  const key = JSON.stringify(trimmed(search));
  return documentUri({ kind: "sandbox-history", tenantId, workspaceId: "", key, title: name }, { isPreview: true });
}

/** Returns the results of a search as a Markdown table. */
export async function readHistory(
  connections: Pick<Connections, "platform">,
  { tenantId, key, title }: DocumentAddress,
): Promise<string> {
  const search = z.parse(historySearch, JSON.parse(key));
  const { kind, filters } = search;
  const client = await connections.platform(tenantId);
  const all: (CommitRequest | Promotion)[] = [];
  const query = historyQuery(search);
  const pages = kind === "promotions" ? allPromotions(client, query) : allCommitRequests(client, query);
  let isWhole = true;
  for await (const page of pages) {
    all.push(...page.filter((one) => fitsDates(one, search)));
    // An extra result shows that there are more.
    if (all.length > maxRows) {
      isWhole = false;
      break;
    }
  }
  const shown = inOrderOfVersions(all.slice(0, maxRows), search);
  const people = await userNames(client, [...shown.map((one) => userOf(one)), ...(filters.userId ?? [])]);
  const nameOf = (id: string): string => people.get(id) ?? vscode.l10n.t("User {0}", id);
  // A single repository is in the title. A platform that ignores the filter returns others, too.
  const [single, ...others] = filters.repositoryName ?? [];
  const hasRepositories =
    single === undefined || others.length > 0 || shown.some(({ repositoryName }) => repositoryName !== single);
  const columns = [
    ...(hasRepositories ? [vscode.l10n.t("Repository")] : []),
    vscode.l10n.t("Commit"),
    ...(kind === "promotions" ? [vscode.l10n.t("Started by")] : [vscode.l10n.t("Summary")]),
    vscode.l10n.t("State"),
    vscode.l10n.t("Started"),
    vscode.l10n.t("Completed"),
    vscode.l10n.t("ID"),
  ];
  const rows = shown.map((one) =>
    [
      ...(hasRepositories ? [one.repositoryName ?? ""] : []),
      one.commitName ?? "",
      kind === "promotions" ? nameOf(userOf(one)) : String(one.summary ?? ""),
      constantWords(one.status ?? "", vscode.l10n.t),
      fullDate(one.started) ?? "",
      fullDate(one.completed) ?? "",
    ]
      .map(escaped)
      .concat(code(String(one.id ?? ""))),
  );
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const facts = Object.entries(filters).map(([name, values]) => {
    const read =
      name === "userId"
        ? values.map(nameOf)
        : name === "status"
          ? values.map((one) => constantWords(one, vscode.l10n.t))
          : values;
    return [filterWord(name), read.join(", ")] as const;
  });
  const filterLines = [...facts, ...dateFacts(search), ...sortFacts(search)].map(
    ([name, value]) => `- ${escaped(name)}: ${escaped(value)}`,
  );
  return [
    `# ${escaped(title.replace(/\.md$/, ""))}`,
    ...(filterLines.length === 0 ? [] : [filterLines.join("\n")]),
    rows.length === 0
      ? vscode.l10n.t("No results.")
      : [line(columns.map(escaped)), line(columns.map(() => ":--")), ...rows.map(line)].join("\n"),
    ...(isWhole ? [] : [vscode.l10n.t("Only the first {0} results are shown.", maxRows)]),
    "",
  ].join("\n\n");
}

/** Sorts `v10` after `v9`, because platforms sort alphabetically. Other sort orders are the platform's. */
function inOrderOfVersions<Entry extends CommitRequest | Promotion>(
  entries: readonly Entry[],
  { sort, order }: HistorySearch,
): readonly Entry[] {
  if (sort !== "commitName") {
    return entries;
  }
  const { compare } = new Intl.Collator(vscode.env.language, { numeric: true });
  const sign = order === "asc" ? 1 : -1;
  return entries.toSorted((one, other) => sign * compare(one.commitName ?? "", other.commitName ?? ""));
}

function userOf(one: CommitRequest | Promotion): string {
  return "userId" in one && one.userId !== null && one.userId !== undefined ? String(one.userId) : "";
}

type Fact = readonly [name: string, value: string];

function dateFacts({ dates }: HistorySearch): readonly Fact[] {
  return historyDates.flatMap((name) => {
    const period = dates[name];
    return period === undefined ? [] : [[filterWord(name), periodText(period)]];
  });
}

/** Describes the sort order, unless it is the default. */
function sortFacts({ sort, order }: HistorySearch): readonly Fact[] {
  return sort === "completed" && order === "desc" ? [] : [[vscode.l10n.t("Sorted by"), sortText(sort, order)]];
}

/** For example, `Started, newest first`. */
export function sortText(sort: HistorySort, order: "asc" | "desc"): string {
  const isTime = sort === "completed" || sort === "started";
  const [descending, ascending] = isTime
    ? [vscode.l10n.t("newest first"), vscode.l10n.t("oldest first")]
    : [vscode.l10n.t("Z to A"), vscode.l10n.t("A to Z")];
  return `${filterWord(sort)}, ${order === "desc" ? descending : ascending}`;
}

/** The display name of a filter or column. */
export function filterWord(name: string): string {
  switch (name) {
    case "started":
      return vscode.l10n.t("Started");
    case "completed":
      return vscode.l10n.t("Completed");
    case "repositoryName":
      return vscode.l10n.t("Repository");
    case "commitName":
      return vscode.l10n.t("Commit");
    case "status":
      return vscode.l10n.t("State");
    case "userId":
      return vscode.l10n.t("Started by");
    default:
      return name;
  }
}
