import * as vscode from "vscode";
import { showInformation, showWarning, withoutLinks } from "../../tenants/messages.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { filesText } from "../../ui/format/counts.ts";
import { showInput } from "../../ui/quick-input/show-input.ts";
import type { SkippedFile } from "./matches.ts";
import { type LeftFile, planReplacements, type ReplacementPlan } from "./replacement-plan.ts";
import { applyWithPreview, saveReplaced } from "./replacement-run.ts";
import { replacementFor } from "./replacement-text.ts";
import { askForQuery, askForSearch, type Search } from "./search-input.ts";
import type { SearchSession } from "./search-session.ts";
import { maxBytes } from "./text-search.ts";

/** Maximum number of files that are changed at once: the editor opens each of them for its preview. */
const maxFiles = 500;
/** Maximum number of files that the details name. */
const maxNamed = 30;

/**
 * `Replace in Workspace…`: asks for the text, unless `begun` has it, and for its replacement, searches, and shows the changes
 * in the editor's preview. Then saves the changed documents, and says what was replaced and what wasn't.
 */
export async function replaceInWorkspace(
  session: SearchSession,
  command: CommandRun,
  argument: unknown,
  begun?: Search,
): Promise<void> {
  const { search, replacement } = await ask(session, command, argument, begun);
  const end = await session.search(search, { isToReplace: true });
  const { results } = session;
  if (end === undefined || results === undefined || results.count === 0) {
    return;
  }
  const found = results.files;
  const beyond = found.slice(maxFiles);
  const rest = {
    matches: end.rest.matches + beyond.reduce((sum, { matches }) => sum + matches.length, 0),
    files: end.rest.files + beyond.length,
  };
  if (rest.matches > 0) {
    const count = results.count + end.rest.matches - rest.matches;
    await confirm({
      question: vscode.l10n.t("Replace only the first {0}?", matchesText(count)),
      consequence: vscode.l10n.t(
        "{0} in {1} remain, because there are too many to replace at once. Replace again for those.",
        matchesText(rest.matches),
        filesText(rest.files),
      ),
      action: vscode.l10n.t("Show Changes"),
    });
  }
  const plan = await openFiles(found.slice(0, maxFiles), search, replacement);
  const skipped = end.skippedFiles.map(({ path, reason }) => ({ path, reason: skippedReason(reason) }));
  if (plan.count === 0) {
    await report(vscode.l10n.t("Nothing was replaced."), { unsaved: [], left: plan.left, skipped });
    return;
  }
  if (!(await applyWithPreview(plan.files, vscode.l10n.t("Replace in Workspace")))) {
    vscode.window.setStatusBarMessage(vscode.l10n.t("Nothing was replaced."), 5000);
    return;
  }
  const replaced = await withCancellableProgress(vscode.l10n.t("Saving"), () => saveReplaced(plan.files));
  const summary = vscode.l10n.t(
    "Replaced {0} in {1}.",
    matchesText(replaced.matches),
    filesText(replaced.files.length),
  );
  // Otherwise, another search is shown by now.
  if (results.files === found) {
    results.replaced(new Set(replaced.files.map(({ path }) => path)), summary);
  }
  await report(summary, { unsaved: replaced.unsaved, left: plan.left, skipped });
}

/** Asks for the text and its replacement. The user can go back to the text. */
async function ask(
  { parts }: SearchSession,
  command: CommandRun,
  argument: unknown,
  begun: Search | undefined,
): Promise<{ readonly search: Search; readonly replacement: string }> {
  const title = vscode.l10n.t("Replace in Workspace");
  let search = begun ?? (await askForSearch(parts, command, argument, title));
  for (;;) {
    const replacement = await askForReplacement(title, search);
    if (replacement !== undefined) {
      return { search, replacement };
    }
    search = await askForQuery(parts, search, title);
  }
}

/** Undefined if the user goes back. */
function askForReplacement(title: string, { query }: Search): Promise<string | undefined> {
  const input = vscode.window.createInputBox();
  input.title = title;
  input.placeholder = vscode.l10n.t("Replacement");
  input.prompt = withoutLinks(
    query.isRegularExpression
      ? vscode.l10n.t(
          'Replace "{0}" with this text. $1 stands for the first group. Leave empty to delete it.',
          query.text,
        )
      : vscode.l10n.t('Replace "{0}" with this text. Leave empty to delete it.', query.text),
  );
  input.ignoreFocusOut = true;
  input.buttons = [vscode.QuickInputButtons.Back];
  return showInput<string | undefined>(input, ({ finish }) => {
    input.onDidTriggerButton(() => finish(undefined));
    input.onDidAccept(() => finish(input.value));
  });
}

/** Opens the files with matches. Throws a CancellationError if canceled. */
async function openFiles(
  found: Parameters<typeof planReplacements>[0],
  { query }: Search,
  replacement: string,
): Promise<ReplacementPlan> {
  const title = vscode.l10n.t("Opening {0}", filesText(found.length));
  return withCancellableProgress(title, async (signal, progress) => {
    try {
      return await planReplacements(found, {
        replacement: replacementFor(replacement, query),
        signal,
        onOpened: (files) => progress(vscode.l10n.t("{0} opened", filesText(files)), files / found.length),
      });
    } catch (error) {
      throw signal.aborted ? new vscode.CancellationError() : error;
    }
  });
}

interface Others {
  /** Files that are not saved. */
  readonly unsaved: readonly LeftFile[];
  /** Files that were not changed, or only in part. */
  readonly left: readonly LeftFile[];
  /** Files that were not searched. */
  readonly skipped: readonly LeftFile[];
}

/** Says what was replaced, and how many files weren't. The details have their names, and why. */
async function report(summary: string, { unsaved, left, skipped }: Others): Promise<void> {
  const sentences = [
    summary,
    ...(unsaved.length === 0 ? [] : [notSavedText(unsaved.length)]),
    ...(left.length === 0 ? [] : [leftText(left.length)]),
    ...(skipped.length === 0 ? [] : [notSearchedText(skipped.length)]),
  ];
  const files = [...unsaved, ...left, ...skipped];
  const show = unsaved.length + left.length > 0 ? showWarning : showInformation;
  const details = vscode.l10n.t("Show Details");
  const chosen = await show(sentences.join(" "), ...(files.length === 0 ? [] : [details]));
  if (chosen === details) {
    const lines = files.slice(0, maxNamed).map(({ path, reason }) => `${path}: ${reason}`);
    const more = files.length > maxNamed ? [vscode.l10n.t("and {0} more", files.length - maxNamed)] : [];
    await showInformation(summary, { modal: true, detail: [...lines, ...more].join("\n") });
  }
}

function notSavedText(count: number): string {
  return count === 1 ? vscode.l10n.t("1 file is not saved.") : vscode.l10n.t("{0} files are not saved.", count);
}

function leftText(count: number): string {
  return count === 1 ? vscode.l10n.t("1 file was skipped.") : vscode.l10n.t("{0} files were skipped.", count);
}

function notSearchedText(count: number): string {
  return count === 1 ? vscode.l10n.t("1 file was not searched.") : vscode.l10n.t("{0} files were not searched.", count);
}

function skippedReason(reason: SkippedFile["reason"]): string {
  switch (reason) {
    case "binary":
      return vscode.l10n.t("Not searched, because it isn't text.");
    case "large":
      return vscode.l10n.t("Not searched, because it is larger than {0} MB.", maxBytes / 1_000_000);
    case "slow":
      return vscode.l10n.t("Not searched, because the regular expression takes too long.");
    case "unreadable":
      return vscode.l10n.t("Not searched, because it can't be read.");
  }
}

function matchesText(count: number): string {
  return count === 1 ? vscode.l10n.t("1 match") : vscode.l10n.t("{0} matches", count);
}
