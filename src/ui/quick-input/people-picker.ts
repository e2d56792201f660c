import * as vscode from "vscode";
import type { Principal } from "../../api/families/people.ts";
import { displayedItem } from "./displayed-items.ts";
import { ListSelection } from "./list-selection.ts";
import { showInput } from "./show-input.ts";

/** A user or group that already has access. */
export interface PrincipalWithAccess extends Principal {
  /** The kind of access as a word: "owner". */
  readonly access?: string;
}

export interface PeoplePickOptions {
  readonly title: string;
  readonly placeholder: string;
  /** People who already have access. They are shown first, and can't be selected. */
  readonly withAccess?: readonly PrincipalWithAccess[];
  /** The users and groups to choose from, page by page. */
  list(signal: AbortSignal): AsyncIterable<readonly Principal[]>;
}

interface PrincipalItem extends vscode.QuickPickItem {
  readonly principal?: Principal;
}

/**
 * Lets the user choose users, and groups if the list has them, by name or address. Requires at least one without
 * access. Throws a CancellationError if canceled, and the list's error if it fails.
 */
export function pickPeople(options: PeoplePickOptions): Promise<readonly [Principal, ...Principal[]]> {
  const { withAccess = [] } = options;
  const locked = new Set(withAccess.map(principalKey));
  const pick = vscode.window.createQuickPick<PrincipalItem>();
  pick.title = options.title;
  pick.placeholder = options.placeholder;
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  pick.keepScrollPosition = true;
  const listed = new Map<string, Principal>();

  const showRows = (): void => {
    const others = [...listed.values()].filter((principal) => !locked.has(principalKey(principal)));
    const known = withAccess.map(itemOf);
    const rows = others.map(itemOf);
    pick.items =
      withAccess.length === 0
        ? rows
        : [
            separator(vscode.l10n.t("already have access")),
            ...known,
            separator(vscode.l10n.t("other people")),
            ...rows,
          ];
  };
  const select = (keys: ReadonlySet<string>): void => {
    pick.selectedItems = pick.items.filter(
      ({ principal }) => principal !== undefined && keys.has(principalKey(principal)),
    );
  };
  const selection = new ListSelection({ locked, showRows, select });

  return showInput(pick, ({ signal, finish, fail }) => {
    const load = async (): Promise<void> => {
      pick.busy = true;
      for await (const page of options.list(signal)) {
        for (const principal of page) {
          listed.set(principalKey(principal), principal);
        }
        if (signal.aborted) {
          return;
        }
        selection.replaceRows();
      }
      pick.busy = false;
    };
    signal.addEventListener("abort", () => selection.close());
    pick.onDidChangeSelection((items) => {
      selection.report(
        new Set(items.flatMap(({ principal }) => (principal === undefined ? [] : [principalKey(principal)]))),
      );
    });
    pick.onDidAccept(async () => {
      const [first, ...others] = [...(await selection.chosen())].flatMap((key) => listed.get(key) ?? []);
      if (first !== undefined) {
        finish([first, ...others]);
      }
    });
    selection.replaceRows();
    load().catch(fail);
  });
}

function itemOf(principal: PrincipalWithAccess): PrincipalItem & { readonly principal: Principal } {
  const { type, name, email = "", access } = principal;
  return displayedItem({
    label: name,
    description: [access, email].filter(Boolean).join(" · "),
    iconPath: new vscode.ThemeIcon(type === "GROUP" ? "organization" : "person"),
    principal,
  });
}

function separator(label: string): PrincipalItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function principalKey({ type, id }: Principal): string {
  return `${type}/${id}`;
}

/** A list of names in a sentence: "Ada, Ben, and Clara". */
export function namesOf(principals: readonly Pick<Principal, "name">[]): string {
  return new Intl.ListFormat(vscode.env.language, { type: "conjunction" }).format(principals.map(({ name }) => name));
}
