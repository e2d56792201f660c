import * as vscode from "vscode";
import type { CommitRequest, Promotion } from "../../../api/catalogue/models/sandbox.ts";
import { getRepository } from "../../../api/catalogue/operations/sandbox.ts";
import type { PlatformClient } from "../../../api/client/client.ts";
import { displayedName, displayedTooltip, nameWithoutIcons } from "../../../api/displayed-text.ts";
import { errorMessage } from "../../../api/error-message.ts";
import { commitRequestsOf, readPromotionPage } from "../../../api/families/sandbox.ts";
import { LatestRequest } from "../../../api/latest-request.ts";
import { isSignedOut } from "../../../tenants/access-obstacle.ts";
import type { ExtensionLog } from "../../../tenants/extension-log.ts";
import { detailsUri } from "../../../ui/details/details-address.ts";
import { isoDate, relativeDate } from "../../../ui/format/dates.ts";
import type { PlatformResource } from "../../../ui/resources/resource.ts";
import { Poller } from "../../../ui/tree/row-poller.ts";
import { isCut } from "../cut-lists.ts";
import { type ContentItemRow, contentIcon, contentItems, contentRows } from "../rows/content.ts";
import { type RepositoryRow, repositoryRow } from "../rows/repository-row.ts";
import { isUnderWay, type Work, workLooks, workState, workWord } from "../states.ts";

const sourceControlId = "platformWorkbench.repository";
const promotionsRead = 20;

interface RepositorySourceControlParts {
  readonly repository: PlatformResource;
  connect(): Promise<PlatformClient>;
  readonly log: Pick<ExtensionLog, "warn">;
}

/** An item of the next commit, with the name of its kind: `Pages`. */
interface NamedItem {
  readonly kind: string;
  readonly item: ContentItemRow;
}

/** The last named content, with the ids for which the names were read. */
interface NamedContent {
  readonly ids: string;
  readonly items: readonly NamedItem[];
}

/**
 * A repository in Source Control. The input box contains the summary of the next commit; the lists show the work in
 * progress on the platform and the content of the next commit. Work in progress is polled while the window has the
 * focus.
 */
export class RepositorySourceControl implements vscode.Disposable {
  /** Identifies the repository; it can't be opened. */
  readonly root: vscode.Uri;
  readonly #parts: RepositorySourceControlParts;
  readonly #control: vscode.SourceControl;
  readonly #waiting: vscode.SourceControlResourceGroup;
  readonly #content: vscode.SourceControlResourceGroup;
  readonly #polling: Poller<RepositorySourceControl>;
  readonly #listeners: readonly vscode.Disposable[];
  #named: NamedContent | undefined;
  readonly #updates = new LatestRequest();
  #isDisposed = false;

  constructor(parts: RepositorySourceControlParts) {
    const { repository } = parts;
    this.#parts = parts;
    this.root = detailsUri(repository, "details");
    this.#control = vscode.scm.createSourceControl(sourceControlId, nameWithoutIcons(repository.name), this.root);
    this.#control.inputBox.placeholder = vscode.l10n.t("Summary of the commit to {0}", repository.name);
    this.#control.acceptInputCommand = {
      command: "platformWorkbench.commitPinned",
      title: vscode.l10n.t("Commit"),
      arguments: [repository],
    };
    this.#waiting = this.#control.createResourceGroup("waiting", vscode.l10n.t("Pending on the Platform"));
    this.#waiting.hideWhenEmpty = true;
    this.#content = this.#control.createResourceGroup("content", vscode.l10n.t("In the Next Commit"));
    this.#polling = new Poller<RepositorySourceControl>({
      isWatched: () => vscode.window.state.focused,
      changing: () => (this.#waiting.resourceStates.length === 0 ? [] : [this]),
      read: (one) => one.#update(),
    });
    this.#listeners = [
      this.#control,
      this.#polling,
      vscode.window.onDidChangeWindowState(() => this.#polling.schedule()),
    ];
  }

  get repository(): PlatformResource {
    return this.#parts.repository;
  }

  /** The text of the input box: the summary of the next commit. */
  get summary(): string {
    return this.#control.inputBox.value;
  }

  set summary(text: string) {
    this.#control.inputBox.value = text;
  }

  /**
   * Reads the work in progress, the content, and its names again. A failure is logged and leaves the lists unchanged,
   * except that they are empty if the user is signed out.
   */
  async refresh(): Promise<void> {
    this.#named = undefined;
    await this.#update();
  }

  /** Like `refresh`, but reads the names only if the content has changed. Ends silently if it begins again meanwhile. */
  async #update(): Promise<void> {
    if (this.#isDisposed) {
      return;
    }
    const { repository, connect, log } = this.#parts;
    const signal = this.#updates.begin();
    try {
      const client = await connect();
      const [whole, requests, promotions] = await Promise.all([
        client.call(getRepository, { repositoryId: repository.id }, { signal }),
        commitRequestsOf(client, repository.id, { signal }),
        readPromotionPage(
          client,
          { filters: { repositoryName: [repository.name] }, limit: promotionsRead, offset: 0 },
          { signal },
        ),
      ]);
      if (signal.aborted) {
        return;
      }
      const row = repositoryRow(repository.tenantId, whole, false);
      this.#waiting.label = isCut(requests)
        ? vscode.l10n.t(
            "Pending on the Platform ({0} of {1} commit requests read)",
            requests.items.length,
            requests.total ?? 0,
          )
        : vscode.l10n.t("Pending on the Platform");
      // Hiding an empty group would conceal that some requests were not read.
      this.#waiting.hideWhenEmpty = !isCut(requests);
      this.#waiting.resourceStates = [
        ...requests.items.filter(isUnderWay).map((one) => this.#request(one)),
        ...promotions.items
          .filter((one) => isUnderWay(one) && (one.repositoryId ?? repository.id) === repository.id)
          .map((one) => this.#promotion(one)),
      ];
      this.#control.count = this.#waiting.resourceStates.length;
      const named = await this.#namedContent(row, client, signal);
      if (!signal.aborted) {
        this.#named = named;
        this.#content.resourceStates = named.items.map((one) => this.#item(one));
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (isSignedOut(error)) {
        this.#named = undefined;
        this.#waiting.resourceStates = [];
        this.#content.resourceStates = [];
        this.#control.count = 0;
      }
      log.warn(`source control of ${repository.name}: ${errorMessage(error)}`);
    }
    this.#polling.schedule();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#updates.cancel();
    vscode.Disposable.from(...this.#listeners).dispose();
  }

  async #namedContent(row: RepositoryRow, client: PlatformClient, signal: AbortSignal): Promise<NamedContent> {
    const kinds = contentRows(row);
    const ids = JSON.stringify(kinds.map(({ contentType, ids }) => [contentType, ids]));
    if (this.#named?.ids === ids) {
      return this.#named;
    }
    const items = await Promise.all(
      kinds.map(async (kind) => (await contentItems(kind, client, signal)).map((item) => ({ kind: kind.name, item }))),
    );
    return { ids, items: items.flat() };
  }

  #item({ kind, item }: NamedItem): vscode.SourceControlResourceState {
    return {
      resourceUri: contentUri(item.name, kind),
      decorations: {
        tooltip: displayedTooltip(vscode.l10n.t("{0} (ID {1})", item.name, item.id)),
        iconPath: new vscode.ThemeIcon(contentIcon(item.contentType)),
      },
      command: this.#details(item.resource ?? this.repository),
    };
  }

  #request(request: CommitRequest): vscode.SourceControlResourceState {
    const { tenantId, id: parentId } = this.repository;
    const name = request.commitName ?? request.summary ?? String(request.id ?? "");
    const id = String(request.id ?? "");
    return this.#work(`${name} · ${request.summary ?? ""}`, request, {
      type: "commitRequest",
      tenantId,
      id,
      parentId,
      name: `${this.repository.name} ${name}`,
    });
  }

  #promotion(promotion: Promotion): vscode.SourceControlResourceState {
    const id = String(promotion.id ?? "");
    const name = vscode.l10n.t("promotion of {0}", promotion.commitName ?? id);
    return this.#work(name, promotion, { type: "promotion", tenantId: this.repository.tenantId, id, name });
  }

  #work(label: string, work: Work, resource: PlatformResource): vscode.SourceControlResourceState {
    const state = workState(work);
    const { icon, color } = workLooks[state];
    const age = relativeDate(isoDate(work.started), vscode.env.language) ?? "";
    const word = workWord(state);
    return {
      resourceUri: contentUri(label),
      decorations: {
        tooltip: displayedTooltip([label, word, age].filter((part) => part !== "").join(" · ")),
        iconPath: new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color)),
      },
      command: this.#details(resource),
    };
  }

  #details(resource: PlatformResource): vscode.Command {
    return { command: "platformWorkbench.showDetails", title: vscode.l10n.t("Show Details"), arguments: [resource] };
  }
}

/** The list shows the last segment of a URI and its folder, so each becomes a single segment. */
function contentUri(label: string, folder = ""): vscode.Uri {
  const path = [folder, label]
    .filter((segment) => segment !== "")
    .map((segment) => displayedName(segment).replaceAll("/", "-"));
  return vscode.Uri.from({ scheme: "platform-content", path: path.join("/") });
}
