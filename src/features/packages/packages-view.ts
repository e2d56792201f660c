import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { InstalledPackage } from "../../api/companion/operations/packages.ts";
import { errorText } from "../../tenants/error-text.ts";
import { showInformation, withoutLinks } from "../../tenants/messages.ts";
import type { StableRow } from "../../ui/tree/elements.ts";
import { StableRows } from "../../ui/tree/stable-rows.ts";
import { displayedRow } from "../../ui/tree/tree-items.ts";
import type { PackageServices } from "./package-services.ts";
import { kernelTarget, PackageSession, type PackagesTarget } from "./package-session.ts";
import { normalizedName } from "./requirements.ts";

const viewId = "platformWorkbench.packages";

/** The row of an installed package. Menus pass it to commands. */
interface PackageRow extends InstalledPackage {
  readonly type: "package";
  /** The newer version that the index has, as far as that is known. */
  readonly latest: string | undefined;
}

interface NoticeRow {
  readonly type: "notice";
  readonly text: string;
  readonly icon: string;
  readonly canRetry: boolean;
}

type Row = PackageRow | NoticeRow;

type State =
  | { readonly type: "none" }
  | { readonly type: "reading"; readonly session: Promise<PackageSession>; readonly abort: AbortController }
  | { readonly type: "listed"; readonly session: PackageSession; readonly failure?: string }
  | { readonly type: "failed"; readonly error: unknown };

/**
 * The Packages view. Shows the environment of the notebook's kernel that was active last, or of a workspace's companion.
 * Nothing is requested while nobody sees it.
 */
export class PackagesView implements vscode.TreeDataProvider<StableRow<Row>>, vscode.Disposable {
  readonly #services: PackageServices;
  readonly #view: vscode.TreeView<StableRow<Row>>;
  readonly #changed = new vscode.EventEmitter<StableRow<Row>[] | undefined>();
  readonly #listeners: readonly vscode.Disposable[];
  readonly #rows = new StableRows<Row>((row) => (row.type === "package" ? row.name : "notice"));
  #target: PackagesTarget | undefined;
  #state: State = { type: "none" };
  /** Newer versions by normalized name. */
  #latest: ReadonlyMap<string, string> = new Map();
  /** The package that was asked for last, until its row is shown with another version. */
  #awaited: { readonly name: string; readonly version: string | undefined } | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(services: PackageServices) {
    this.#services = services;
    this.#view = vscode.window.createTreeView(viewId, { treeDataProvider: this });
    this.#listeners = [
      this.#view.onDidChangeVisibility(() => this.#update()),
      vscode.window.onDidChangeActiveNotebookEditor((editor) => this.#follow(editor?.notebook)),
      services.openKernels.onEvent(({ kernel, event }) => {
        const isShown = kernel.notebook === this.#target?.kernel?.notebook;
        if (isShown && event.type !== "cellEnded") {
          this.#update();
        } else if (kernel.notebook === vscode.window.activeNotebookEditor?.notebook) {
          this.#follow(kernel.notebook);
        }
      }),
      services.secrets.onDidSignOut((tenantId) => {
        if (this.#target?.place.tenantId === tenantId) {
          this.#hide();
        }
      }),
    ];
  }

  get target(): PackagesTarget | undefined {
    return this.#target;
  }

  /** Shows the packages of an environment, and gives the view the focus. */
  async show(target: PackagesTarget): Promise<void> {
    this.#setTarget(target);
    await vscode.commands.executeCommand("setContext", "platformWorkbench.showsPackages", true);
    await vscode.commands.executeCommand(`${viewId}.focus`);
  }

  /** The packages that are shown, which are read if they aren't yet. Rejects if they can't be read. */
  async session(): Promise<PackageSession> {
    if (this.#state.type === "listed" && this.#state.session.isOpen) {
      return this.#state.session;
    }
    return this.#state.type === "reading" ? this.#state.session : this.#read();
  }

  /** Reads the packages again. */
  async refresh(): Promise<void> {
    const state = this.#state;
    const work = state.type === "listed" && state.session.isOpen ? this.#refresh(state.session) : this.#read();
    await vscode.window.withProgress({ location: { viewId } }, async () => work);
  }

  /** Shows newer versions in an environment, by the names of packages, unless another one is shown by now. */
  setLatest(target: PackagesTarget, latest: ReadonlyMap<string, string>): void {
    if (isSame(this.#target, target)) {
      this.#latest = latest;
      this.#redraw();
    }
  }

  /** Scrolls to a package as soon as another version of it than now is installed. */
  revealOnceInstalled(name: string): void {
    const wanted = normalizedName(name);
    this.#awaited = { name: wanted, version: this.#installed(wanted)?.version };
  }

  getParent(): undefined {
    return undefined;
  }

  getTreeItem({ row }: StableRow<Row>): vscode.TreeItem {
    return row.type === "package" ? displayedRow(packageItem(row)) : noticeItem(row);
  }

  getChildren(element?: StableRow<Row>): StableRow<Row>[] {
    return element === undefined ? this.#rows.elements : [];
  }

  dispose(): void {
    this.#setState({ type: "none" });
    vscode.Disposable.from(...this.#listeners, this.#view, this.#changed).dispose();
  }

  #listed(): readonly Row[] {
    switch (this.#state.type) {
      case "none":
        return [];
      case "reading":
        return [
          notice(vscode.l10n.t("Reading packages. A busy kernel replies when its cell has ended."), "loading~spin"),
        ];
      case "failed":
        return [notice(vscode.l10n.t("Can't read the packages: {0}", errorText(this.#state.error)), "error", true)];
      case "listed": {
        const rows = this.#state.session.packages.map((installed) => this.#rowOf(installed));
        return rows.length === 0
          ? [notice(vscode.l10n.t("No packages are installed"), "info")]
          : [
              ...rows.filter(({ latest }) => latest !== undefined),
              ...rows.filter(({ latest }) => latest === undefined),
            ];
      }
    }
  }

  #rowOf(installed: InstalledPackage): PackageRow {
    const latest = this.#latest.get(normalizedName(installed.name));
    return { ...installed, type: "package", latest: latest === installed.version ? undefined : latest };
  }

  #installed(wanted: string): InstalledPackage | undefined {
    const packages = this.#state.type === "listed" ? this.#state.session.packages : [];
    return packages.find(({ name }) => normalizedName(name) === wanted);
  }

  #revealAwaited(): void {
    const awaited = this.#awaited;
    const installed = awaited && this.#installed(awaited.name);
    const element = this.#rows.elements.find(({ row }) => row.type === "package" && row.name === installed?.name);
    if (element !== undefined && installed?.version !== awaited?.version) {
      this.#awaited = undefined;
      // It may be removed again meanwhile.
      this.#view.reveal(element, { select: true, focus: false }).then(undefined, () => {});
    }
  }

  /** Shows the environment of a notebook that becomes active, if its kernel runs and the view is in use. */
  #follow(notebook: vscode.NotebookDocument | undefined): void {
    const target = notebook && kernelTarget(this.#services, notebook);
    if (
      this.#target !== undefined &&
      target !== undefined &&
      target.kernel?.notebook !== this.#target.kernel?.notebook
    ) {
      this.#setTarget(target);
    }
  }

  #setTarget(target: PackagesTarget): void {
    const { place, kernel } = target;
    const isOther = !isSame(this.#target, target);
    this.#target = target;
    const workspace = this.#services.connections.nameOf(place.tenantId, place.workspaceId);
    this.#view.description =
      kernel === undefined ? workspace : vscode.l10n.t("kernel of {0}", nameOf(kernel.notebook.uri.path));
    if (isOther) {
      this.#awaited = undefined;
      this.#latest = new Map();
      this.#setState({ type: "none" });
    }
    this.#update();
  }

  #hide(): void {
    this.#target = undefined;
    this.#awaited = undefined;
    this.#latest = new Map();
    this.#setState({ type: "none" });
    void vscode.commands.executeCommand("setContext", "platformWorkbench.showsPackages", false);
  }

  /** Reads what is in sight, and stops when it no longer is. */
  #update(): void {
    const state = this.#state;
    if (!this.#view.visible || this.#target === undefined) {
      if (state.type === "reading" || state.type === "listed") {
        this.#setState({ type: "none" });
      }
    } else if (state.type === "none" || (state.type === "listed" && !state.session.isOpen)) {
      // The view shows why it fails.
      this.#read().catch(() => {});
    }
  }

  #read(): Promise<PackageSession> {
    const target = this.#target;
    if (target === undefined) {
      return Promise.reject(new vscode.CancellationError());
    }
    const abort = new AbortController();
    const session = PackageSession.open(this.#services, target, abort.signal);
    const reading: State = { type: "reading", session, abort };
    this.#setState(reading);
    session.then(
      (opened) => {
        if (this.#state !== reading) {
          opened.dispose();
          return;
        }
        this.#setState({ type: "listed", session: opened });
        if (this.#view.visible) {
          void this.#watch(opened);
        }
      },
      (error: unknown) => {
        if (this.#state === reading) {
          this.#setState({ type: "failed", error });
        }
      },
    );
    return session;
  }

  /** Follows what is installed. Never rejects. */
  async #watch(session: PackageSession): Promise<void> {
    const failed = (error: unknown): void => this.#setFailure(session, error);
    try {
      await session.watch(() => void this.#refresh(session).catch(failed), failed);
    } catch (error) {
      failed(error);
    }
  }

  async #refresh(session: PackageSession): Promise<void> {
    const loaded = await session.refresh();
    if (this.#state.type === "listed" && this.#state.session === session) {
      this.#setState({ type: "listed", session });
      this.#revealAwaited();
      if (loaded.length > 0) {
        void offerRestart(session, loaded);
      }
    }
  }

  #setFailure(session: PackageSession, error: unknown): void {
    if (this.#state.type === "listed" && this.#state.session === session) {
      this.#setState({ type: "listed", session, failure: errorText(error) });
    }
  }

  #setState(state: State): void {
    const before = this.#state;
    this.#state = state;
    if (before.type === "reading") {
      before.abort.abort(new vscode.CancellationError());
    } else if (before.type === "listed" && (state.type !== "listed" || state.session !== before.session)) {
      before.session.dispose();
    }
    this.#view.message = state.type === "listed" ? withoutLinks(messageOf(state.session, state.failure)) : "";
    this.#redraw();
  }

  #redraw(): void {
    const changed = this.#rows.replace(this.#listed());
    if (changed?.length !== 0) {
      this.#changed.fire(changed);
    }
  }
}

function isSame(one: PackagesTarget | undefined, other: PackagesTarget): boolean {
  return (
    one?.place.tenantId === other.place.tenantId &&
    one.place.workspaceId === other.place.workspaceId &&
    one.kernel?.notebook === other.kernel?.notebook
  );
}

/** Says which environment it is, and whether its packages can be changed. */
function messageOf({ environment, packages }: PackageSession, failure: string | undefined): string {
  const { python, prefix, isManaged } = environment;
  const count = packages.length === 1 ? vscode.l10n.t("1 package") : vscode.l10n.t("{0} packages", packages.length);
  return [
    vscode.l10n.t("Python {0} in {1}, {2}", python, prefix, count),
    ...(isManaged ? [vscode.l10n.t("The operating system manages this environment, so pip doesn't change it.")] : []),
    ...(failure === undefined ? [] : [vscode.l10n.t("The packages may have changed since: {0}", failure)]),
  ].join("\n");
}

/** Says that the kernel still uses the earlier versions of packages that it has imported. */
async function offerRestart({ target: { kernel } }: PackageSession, names: readonly string[]): Promise<void> {
  const restart = vscode.l10n.t("Restart Kernel…");
  const text = vscode.l10n.t(
    "{0} changed, but this kernel has already imported the earlier version. It uses the new one after a restart.",
    names.join(", "),
  );
  if ((await showInformation(text, restart)) === restart && kernel !== undefined) {
    await vscode.commands.executeCommand("platformWorkbench.restartKernel", kernel.notebook.uri);
  }
}

function packageItem({ name, version, latest, summary, installer }: PackageRow): vscode.TreeItem {
  const item = new vscode.TreeItem(name);
  const newer = vscode.l10n.t("{0} → {1}", version, latest ?? "");
  item.id = name;
  item.description = latest === undefined ? version : newer;
  item.iconPath =
    latest === undefined
      ? new vscode.ThemeIcon("package")
      : new vscode.ThemeIcon("arrow-up", new vscode.ThemeColor("charts.blue"));
  item.tooltip = [
    `${name} ${version}`,
    ...(latest === undefined ? [] : [vscode.l10n.t("Version {0} is available.", latest)]),
    ...(installer === "" ? [] : [vscode.l10n.t("Installed by {0}", installer)]),
    ...(summary === "" ? [] : ["", summary]),
  ].join("\n");
  item.contextValue = latest === undefined ? "package" : "package;outdated";
  item.accessibilityInformation = {
    label:
      latest === undefined
        ? `${name}, ${version}`
        : vscode.l10n.t("{0}, {1}. Version {2} is available.", name, version, latest),
  };
  return item;
}

function notice(text: string, icon: string, canRetry = false): NoticeRow {
  return { type: "notice", text, icon, canRetry };
}

function noticeItem({ text, icon, canRetry }: NoticeRow): vscode.TreeItem {
  const item = new vscode.TreeItem(text);
  item.id = "notice";
  item.iconPath = new vscode.ThemeIcon(icon);
  item.tooltip = text;
  if (canRetry) {
    item.description = vscode.l10n.t("Select to retry");
    item.command = { command: "platformWorkbench.refreshPackages", title: vscode.l10n.t("Select to retry") };
  }
  return item;
}
