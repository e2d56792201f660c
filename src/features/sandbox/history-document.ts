import * as vscode from "vscode";
import * as z from "zod/mini";
import type { CommitRequest, Promotion } from "../../api/catalogue/models/sandbox.ts";
import { allCommitRequests, allPromotions } from "../../api/families/sandbox.ts";
import type { Connections } from "../../tenants/connections.ts";
import { fullDate } from "../../ui/details/full-date.ts";
import { escaped } from "../../ui/details/markdown.ts";
import { type DocumentAddress, documentUri } from "../../ui/documents/document-address.ts";
import { constantWords } from "../../ui/format/constant-words.ts";
import { userNames } from "../../ui/resources/user-names.ts";

export type HistoryKind = "commitRequests" | "promotions";

const historySearch = z.object({
  kind: z.enum(["commitRequests", "promotions"]),
  filters: z.record(z.string(), z.array(z.string())),
  order: z.enum(["asc", "desc"]),
});

/** More are not shown in one document. */
const mostRows = 1000;

/** The document of a search in the history of repositories. */
export function historyUri(
  tenantId: string,
  kind: HistoryKind,
  search: { readonly filters: Readonly<Record<string, readonly string[]>>; readonly order: "asc" | "desc" },
): vscode.Uri {
  const set = Object.entries(search.filters).filter(([, values]) => values.length > 0);
  const key = JSON.stringify({ kind, filters: Object.fromEntries(set), order: search.order });
  const title = kind === "promotions" ? vscode.l10n.t("Promotions") : vscode.l10n.t("Commit requests");
  const names = search.filters.repositoryName ?? [];
  const name = names.length === 0 ? title : vscode.l10n.t("{0} of {1}", title, names.join(", "));
  return documentUri({ kind: "sandbox-history", tenantId, workspaceId: "", key, title: `${name}.md` });
}

/** What such a search finds, as a table. */
export async function readHistory(
  connections: Connections,
  { tenantId, key, title }: DocumentAddress,
): Promise<string> {
  const { kind, filters, order } = z.parse(historySearch, JSON.parse(key));
  const client = await connections.platform(tenantId);
  const all: (CommitRequest | Promotion)[] = [];
  const pages =
    kind === "promotions" ? allPromotions(client, { filters, order }) : allCommitRequests(client, { filters, order });
  let isWhole = true;
  for await (const page of pages) {
    all.push(...page);
    if (all.length >= mostRows) {
      isWhole = false;
      break;
    }
  }
  const shown = all.slice(0, mostRows);
  const people = await userNames(client, tenantId, [...shown.map((one) => userOf(one)), ...(filters.userId ?? [])]);
  const nameOf = (id: string): string => people.get(id) ?? id;
  const columns = [
    vscode.l10n.t("Repository"),
    vscode.l10n.t("Commit"),
    ...(kind === "promotions" ? [vscode.l10n.t("Started by")] : [vscode.l10n.t("Summary")]),
    vscode.l10n.t("State"),
    vscode.l10n.t("Started"),
    vscode.l10n.t("Completed"),
    vscode.l10n.t("Id"),
  ];
  const rows = shown.map((one) =>
    [
      one.repositoryName ?? "",
      one.commitName ?? "",
      kind === "promotions" ? nameOf(userOf(one)) : String(one.summary ?? ""),
      constantWords(one.status ?? ""),
      fullDate(one.started) ?? "",
      fullDate(one.completed) ?? "",
    ]
      .map(escaped)
      .concat(`\`${String(one.id ?? "").replaceAll("`", "")}\``),
  );
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const filterLines = Object.entries(filters).map(([name, values]) => {
    const read = name === "userId" ? values.map(nameOf) : name === "status" ? values.map(constantWords) : values;
    return `- ${escaped(filterWord(name))}: ${escaped(read.join(", "))}`;
  });
  return [
    `# ${escaped(title.replace(/\.md$/, ""))}`,
    ...(filterLines.length === 0 ? [] : [filterLines.join("\n")]),
    rows.length === 0
      ? vscode.l10n.t("Nothing fits.")
      : [line(columns.map(escaped)), line(columns.map(() => ":--")), ...rows.map(line)].join("\n"),
    ...(isWhole ? [] : [vscode.l10n.t("Only the first {0} are shown.", mostRows)]),
    "",
  ].join("\n\n");
}

function userOf(one: CommitRequest | Promotion): string {
  return "userId" in one && one.userId !== null && one.userId !== undefined ? String(one.userId) : "";
}

function filterWord(name: string): string {
  switch (name) {
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
