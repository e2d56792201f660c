import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import { withoutLinks } from "../../tenants/messages.ts";
import { typedKeys } from "../../tenants/stored-account-state.ts";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { showInput } from "../../ui/quick-input/show-input.ts";
import {
  type WorkspaceChoiceParts,
  type WorkspaceReference,
  workspaceInView,
} from "../../ui/quick-input/workspace-choice.ts";
import { askForListing, filesButton, type ListingChoices, listingChoices, listingWords } from "./listing-choices.ts";
import { patternOf, type SearchQuery } from "./matches.ts";

interface SearchInputParts extends WorkspaceChoiceParts {
  readonly state: vscode.Memento;
}

/** What to search for, and where. */
export interface Search {
  readonly workspace: WorkspaceReference;
  readonly query: SearchQuery;
  readonly choices: ListingChoices;
}

/**
 * Asks for the workspace and the text. After the user changes the set of files, asks for the text again. The folder of a
 * menu is searched only this time.
 */
export async function askForSearch(
  parts: SearchInputParts,
  command: CommandRun,
  argument: unknown,
  title: string,
): Promise<Search> {
  const workspace = await workspaceInView(parts, command, argument, title);
  const folder = folderOf(argument);
  const choices = { ...listingChoices(parts.state, workspace), ...(folder === undefined ? {} : { folder }) };
  return askForQuery(parts, { workspace, choices, query: undefined }, title);
}

/** Asks for the text of a search, beginning with its last one. */
export async function askForQuery(
  parts: SearchInputParts,
  { workspace, ...begun }: Omit<Search, "query"> & { readonly query: SearchQuery | undefined },
  title: string,
): Promise<Search> {
  let { choices, query: last } = begun;
  for (;;) {
    const { query, isToSearch } = await askForText(parts, workspace, choices, title, last);
    if (isToSearch) {
      return { workspace, query, choices };
    }
    last = query;
    choices = await askForListing(parts.state, workspace);
  }
}

/** The content path of the folder of a menu. */
function folderOf(argument: unknown): string | undefined {
  return argument instanceof vscode.Uri && argument.scheme === scheme ? addressOf(argument).path : undefined;
}

/** The typed text, for a search, or to continue with after the user changes the set of files. */
interface Asked {
  readonly query: SearchQuery;
  readonly isToSearch: boolean;
}

/** Asks for the text, with buttons for its options, and for the set of files. */
async function askForText(
  parts: SearchInputParts,
  workspace: WorkspaceReference,
  choices: ListingChoices,
  title: string,
  last: SearchQuery | undefined,
): Promise<Asked> {
  const narrowed = listingWords(choices);
  const name = parts.connections.nameOf(workspace.tenantId, workspace.workspaceId);
  const input = vscode.window.createInputBox();
  let query = last ?? suggestedQuery(parts.state);
  const button = (icon: string, tooltip: string, isOn: boolean): vscode.QuickInputButton => ({
    iconPath: new vscode.ThemeIcon(icon, isOn ? new vscode.ThemeColor("inputOption.activeForeground") : undefined),
    tooltip: isOn ? vscode.l10n.t("{0} (on)", tooltip) : vscode.l10n.t("{0} (off)", tooltip),
  });
  let switched: ReadonlyMap<vscode.QuickInputButton, Partial<SearchQuery>>;
  const files = filesButton(narrowed !== "");
  const draw = (): void => {
    const { isCaseSensitive, isWholeWord, isRegularExpression } = query;
    switched = new Map<vscode.QuickInputButton, Partial<SearchQuery>>([
      [button("case-sensitive", vscode.l10n.t("Match Case"), isCaseSensitive), { isCaseSensitive: !isCaseSensitive }],
      [button("whole-word", vscode.l10n.t("Match Whole Word"), isWholeWord), { isWholeWord: !isWholeWord }],
      [
        button("regex", vscode.l10n.t("Use Regular Expression"), isRegularExpression),
        { isRegularExpression: !isRegularExpression },
      ],
    ]);
    input.buttons = [...switched.keys(), files];
    const switches = [
      ...(narrowed === "" ? [] : [narrowed]),
      ...(query.isCaseSensitive ? [vscode.l10n.t("matching case")] : []),
      ...(query.isWholeWord ? [vscode.l10n.t("whole words only")] : []),
      ...(query.isRegularExpression ? [vscode.l10n.t("as a regular expression")] : []),
    ];
    const searched = vscode.l10n.t("Search the text files and notebooks of {0}", name);
    input.prompt = withoutLinks([searched, ...switches].join(", "));
  };
  input.title = title;
  input.placeholder = vscode.l10n.t("Text to find");
  input.value = query.text;
  input.ignoreFocusOut = true;
  const isUsable = (): boolean => {
    query = { ...query, text: input.value };
    input.validationMessage = problemOf(query);
    return input.value !== "" && input.validationMessage === undefined;
  };
  draw();
  return showInput<Asked>(input, ({ finish }) => {
    input.onDidTriggerButton((pressed) => {
      if (pressed === files) {
        finish({ query: { ...query, text: input.value }, isToSearch: false });
        return;
      }
      query = { ...query, ...switched.get(pressed) };
      draw();
      isUsable();
    });
    input.onDidChangeValue(isUsable);
    input.onDidAccept(() => {
      if (isUsable()) {
        finish({ query, isToSearch: true });
      }
    });
  });
}

/** The text that is selected in an editor, or that was searched for the last time, with the options of that search. */
function suggestedQuery(state: vscode.Memento): SearchQuery {
  const before = state.get<Partial<SearchQuery>>(typedKeys.lastSearch, {});
  return {
    text: selectedText() ?? before.text ?? "",
    isCaseSensitive: before.isCaseSensitive ?? false,
    isRegularExpression: before.isRegularExpression ?? false,
    isWholeWord: before.isWholeWord ?? false,
  };
}

function problemOf(query: SearchQuery): string | undefined {
  try {
    patternOf(query);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

function selectedText(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  const text = editor?.document.getText(editor.selection) ?? "";
  return text === "" || text.includes("\n") ? undefined : text;
}
