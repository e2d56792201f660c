import * as vscode from "vscode";
import type { Companions } from "../../tenants/companions.ts";
import { typedKeys } from "../../tenants/stored-account-state.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import { uriOf } from "../../tenants/workspace-uri.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { filesText } from "../../ui/format/counts.ts";
import type { WorkspaceChoiceParts } from "../../ui/quick-input/workspace-choice.ts";
import type { Search } from "./search-input.ts";
import { SearchResults } from "./search-results.ts";
import { maxMatches, searchTexts, type TextSearchEnd } from "./text-search.ts";

export interface SearchParts extends WorkspaceChoiceParts {
  readonly secrets: TenantSecrets;
  readonly companions: Companions;
  readonly state: vscode.Memento;
  readonly subscriptions: vscode.Disposable[];
}

/** The searches of a window, whose results the same view shows. */
export class SearchSession {
  readonly parts: SearchParts;
  #results: SearchResults | undefined;
  #last: Search | undefined;

  constructor(parts: SearchParts) {
    this.parts = parts;
  }

  /** The last search, unless its results were cleared because the user signed out. */
  get last(): Search | undefined {
    return this.#last;
  }

  /** The view of the results, if there was a search. */
  get results(): SearchResults | undefined {
    return this.#results;
  }

  /**
   * Searches, and shows the results as they are found. Resolves with undefined if the user cancels, and if the results are no
   * longer shown.
   */
  async search(search: Search, { isToReplace = false } = {}): Promise<TextSearchEnd | undefined> {
    this.#last = search;
    this.#results ??= this.#createResults();
    const results = this.#results;
    const { state, connections } = this.parts;
    const { query, workspace } = search;
    const { tenantId, workspaceId } = workspace;
    await state.update(typedKeys.lastSearch, query);
    const name = connections.nameOf(tenantId, workspaceId);
    const replaced = await results.begin(query.text, name);
    return withCancellableProgress(
      vscode.l10n.t('Searching {0} for "{1}"', name, query.text),
      async (cancelled, report) => {
        const signal = AbortSignal.any([cancelled, replaced]);
        const ifShown = (work: () => void): void => (replaced.aborted ? undefined : work());
        const end = await searchTexts(
          this.parts,
          search,
          {
            onSearched: (files) => report(vscode.l10n.t("{0} read", filesText(files))),
            onFound: (path, matches) =>
              ifShown(() => results.add({ uri: uriOf(tenantId, workspaceId, path), path, matches })),
            onRestart: () => ifShown(() => results.restart()),
          },
          { isToReplace, signal },
        );
        ifShown(() => results.end({ ...end, isCancelled: signal.aborted, max: maxMatches }));
        return signal.aborted ? undefined : end;
      },
    );
  }

  /** Creates the view of the results. It is cleared when the user signs out of the searched tenant. */
  #createResults(): SearchResults {
    const { registry, secrets, subscriptions } = this.parts;
    const results = new SearchResults();
    const clearIfSignedOut = async (tenantId: string): Promise<void> => {
      const tenant = registry.get(tenantId);
      if (tenant === undefined || (await secrets.credential(tenant)) === undefined) {
        this.#last = undefined;
        await results.clearAndClosePanel();
      }
    };
    subscriptions.push(
      results,
      secrets.onDidChange(({ tenantId, workspaceId }) => {
        if (workspaceId === undefined && tenantId === this.#last?.workspace.tenantId) {
          void clearIfSignedOut(tenantId);
        }
      }),
    );
    return results;
  }
}
