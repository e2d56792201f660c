import * as vscode from "vscode";
import * as z from "zod/mini";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { type CellChange, outputChanges } from "../../api/runs/output-changes.ts";
import { readContent } from "../../api/runs/run-list.ts";
import { shortened } from "../../api/text.ts";
import type { Connections } from "../../tenants/connections.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import { code, escaped } from "../../ui/details/markdown.ts";
import { type DocumentAddress, documentUri } from "../../ui/documents/document-address.ts";

/** Maximum length of a cell's code and of a label, in characters. */
const maxCodeLength = 60;

const pair = z.tuple([z.string().check(z.minLength(1)), z.string().check(z.minLength(1))]);

/** The document that lists what has changed from one executed notebook to another one of the same workspace. */
export function changesUri(before: vscode.Uri, after: vscode.Uri): vscode.Uri {
  const { tenantId, workspaceId, path } = addressOf(after);
  const key = JSON.stringify([addressOf(before).path, path]);
  const title = `${vscode.l10n.t("Changes in {0}", nameOf(path))}.md`;
  return documentUri({ kind: "run-changes", tenantId, workspaceId, key, title });
}

/** Reads both notebooks and lists their changes as Markdown. */
export async function readChanges(
  connections: Pick<Connections, "content">,
  { tenantId, workspaceId, key }: DocumentAddress,
): Promise<string> {
  const [before, after] = z.parse(pair, JSON.parse(key));
  const client = await connections.content(tenantId, workspaceId);
  const changes = outputChanges(await readContent(client, before), await readContent(client, after));
  if (changes === undefined) {
    throw new Error(vscode.l10n.t("One of the files isn't a notebook."));
  }
  return changesMarkdown(nameOf(before), nameOf(after), changes);
}

/** Lists the changes of all cells. */
export function changesMarkdown(before: string, after: string, changes: readonly CellChange[]): string {
  const count = changes.filter(({ change, pictures }) => change.type !== "same" || pictures > 0).length;
  const summary =
    count === 0
      ? vscode.l10n.t("All outputs are the same.")
      : vscode.l10n.t("Code cells with other outputs: {0} of {1}.", count, changes.length);
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const overview = [
    line([vscode.l10n.t("Cell"), vscode.l10n.t("Code"), vscode.l10n.t("Outputs")].map(escaped)),
    "|--:|:--|:--|",
    ...changes.map((one) => line([String(one.cell), codeOf(one.code), escaped(changeText(one))])),
  ];
  const details = changes.flatMap(({ cell, code: source, change }) =>
    change.type !== "numbers"
      ? []
      : [
          `## ${escaped(vscode.l10n.t("Numbers of Cell {0}", cell))}`,
          codeOf(source),
          [
            line([vscode.l10n.t("Number"), vscode.l10n.t("Before"), vscode.l10n.t("After")].map(escaped)),
            "|:--|--:|--:|",
            ...change.numbers.map((one) => line([codeOf(one.label), code(one.before), code(one.after)])),
          ].join("\n"),
          ...(change.hidden > 0 ? [escaped(vscode.l10n.t("{0} more numbers have changed.", change.hidden))] : []),
        ],
  );
  return [
    `# ${escaped(vscode.l10n.t("Changes Between Runs"))}`,
    escaped(vscode.l10n.t("From {0} to {1}", before, after)),
    escaped(summary),
    overview.join("\n"),
    ...details,
    "",
  ].join("\n\n");
}

function codeOf(source: string): string {
  return source.trim() === "" ? "" : code(shortened(source.trim(), maxCodeLength));
}

function changeText({ change, pictures }: CellChange): string {
  const picture =
    pictures === 0
      ? []
      : [
          pictures === 1
            ? vscode.l10n.t("1 picture has changed")
            : vscode.l10n.t("{0} pictures have changed", pictures),
        ];
  return [...textChange(change), ...picture].join(", ") || vscode.l10n.t("same");
}

function textChange(change: CellChange["change"]): readonly string[] {
  switch (change.type) {
    case "same":
      return [];
    case "numbers": {
      const count = change.numbers.length + change.hidden;
      return [count === 1 ? vscode.l10n.t("1 number has changed") : vscode.l10n.t("{0} numbers have changed", count)];
    }
    case "text":
      return [vscode.l10n.t("text has changed")];
    case "added":
      return [vscode.l10n.t("new cell")];
    case "removed":
      return [vscode.l10n.t("cell was removed")];
  }
}
