// Replaces the editor's API, so that the file system can run in plain Node. Implements the values that it needs, and
// records what the editor was asked to show or do.
import { AsyncLocalStorage } from "node:async_hooks";
import { URI, Utils } from "vscode-uri";
import { notebookIn, Position, type WorkspaceEdit } from "./edits.ts";

export {
  NotebookCellData,
  NotebookEdit,
  NotebookRange,
  Position,
  Range,
  WorkspaceEdit,
} from "./edits.ts";

export {
  CompletionItem,
  CompletionItemKind,
  CompletionList,
  Diagnostic,
  DiagnosticSeverity,
  DocumentSymbol,
  Location,
  languages,
  SymbolKind,
} from "./languages.ts";

export const Uri = Object.assign(URI, { joinPath: Utils.joinPath });

type Listener<T> = (event: T) => unknown;

export class Disposable {
  readonly #dispose: () => unknown;
  constructor(dispose: () => unknown) {
    this.#dispose = dispose;
  }
  static from(...all: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const one of all) one.dispose();
    });
  }
  dispose(): unknown {
    return this.#dispose();
  }
}

let listeners = 0;
/** Number of listeners of all emitters that were not disposed. */
export function listenerCount(): number {
  return listeners;
}

export class EventEmitter<T> {
  readonly #listeners = new Set<Listener<T>>();
  readonly event = (listener: Listener<T>, thisArgument?: unknown): Disposable =>
    this.listen((event) => listener.call(thisArgument, event));
  protected listen(listener: Listener<T>): Disposable {
    this.#listeners.add(listener);
    listeners += 1;
    return new Disposable(() => {
      listeners -= this.#listeners.delete(listener) ? 1 : 0;
    });
  }
  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
  dispose(): void {
    listeners -= this.#listeners.size;
    this.#listeners.clear();
  }
}

interface RegisteredFileSystem {
  readFile(uri: URI): Uint8Array | Promise<Uint8Array>;
  writeFile?(
    uri: URI,
    bytes: Uint8Array,
    options: { readonly create: boolean; readonly overwrite: boolean },
  ): void | Promise<void>;
}

/**
 * A window. A test has one, unless it creates others, which see neither each other's documents and tabs nor the events of
 * them.
 */
export class EditorWindow {
  readonly documents = new Set<StandInDocument>();
  /** The file systems that the extension registered, by scheme. */
  readonly fileSystems = new Map<string, RegisteredFileSystem>();
  readonly tabGroups: { readonly all: readonly [{ tabs: readonly StandInTab[] }] } = { all: [{ tabs: [] }] };

  /** Runs what happens in this window, with everything that follows from it. */
  run<T>(work: () => T): T {
    return currentWindow.run(this, work);
  }
}

const currentWindow = new AsyncLocalStorage<EditorWindow>();
const firstWindow = new EditorWindow();

function here(): EditorWindow {
  return currentWindow.getStore() ?? firstWindow;
}

/** Fires only in the window in which it is called. */
class WindowEventEmitter<T> extends EventEmitter<T> {
  override readonly event = (listener: Listener<T>, thisArgument?: unknown): Disposable => {
    const window = here();
    return this.listen((event) => (here() === window ? listener.call(thisArgument, event) : undefined));
  };
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };
  cancel(): void {
    if (!this.token.isCancellationRequested) {
      this.token.isCancellationRequested = true;
      this.#cancelled.fire();
    }
  }
  dispose(): void {
    this.#cancelled.dispose();
  }
}

export class CancellationError extends Error {}

export class FileSystemError extends Error {
  readonly code: string;
  constructor(messageOrUri?: string | URI, code = "Unknown") {
    super(URI.isUri(messageOrUri) ? messageOrUri.toString(true) : messageOrUri);
    this.code = code;
    this.name = `${code} (FileSystemError)`;
  }
  static readonly FileNotFound = (about?: string | URI): FileSystemError => new FileSystemError(about, "FileNotFound");
  static readonly FileExists = (about?: string | URI): FileSystemError => new FileSystemError(about, "FileExists");
  static readonly FileNotADirectory = (about?: string | URI): FileSystemError =>
    new FileSystemError(about, "FileNotADirectory");
  static readonly FileIsADirectory = (about?: string | URI): FileSystemError =>
    new FileSystemError(about, "FileIsADirectory");
  static readonly NoPermissions = (about?: string | URI): FileSystemError =>
    new FileSystemError(about, "NoPermissions");
  static readonly Unavailable = (about?: string | URI): FileSystemError => new FileSystemError(about, "Unavailable");
}

export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as const;
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 } as const;
export const FilePermission = { Readonly: 1 } as const;
export const EndOfLine = { LF: 1, CRLF: 2 } as const;
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 } as const;
export const QuickInputButtons = { Back: { tooltip: "Back" } } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 } as const;
export class ThemeIcon {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}
export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}
export class TreeItem {
  label: unknown;
  readonly collapsibleState: number;
  constructor(label: unknown, collapsibleState: number = TreeItemCollapsibleState.None) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}
/** Markdown, with the text that was appended as text. */
export class MarkdownString {
  value: string;
  constructor(value = "") {
    this.value = value;
  }
  appendText(text: string): this {
    this.value += text.replace(/[\\`*_{}[\]()#+\-!~<]/g, "\\$&");
    return this;
  }
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}
export class TabInputText {
  readonly uri: URI;
  constructor(uri: URI) {
    this.uri = uri;
  }
}
export class TabInputNotebook {
  readonly uri: URI;
  constructor(uri: URI) {
    this.uri = uri;
  }
}
export class TabInputCustom {
  readonly uri: URI;
  constructor(uri: URI) {
    this.uri = uri;
  }
}
class TabInputDiff {
  readonly original: URI;
  readonly modified: URI;
  constructor(original: URI, modified: URI) {
    this.original = original;
    this.modified = modified;
  }
}
export class TabInputTextDiff extends TabInputDiff {}
export class TabInputNotebookDiff extends TabInputDiff {}
export const TextDocumentChangeReason = { Undo: 1, Redo: 2 } as const;

export class NotebookCellOutputItem {
  readonly data: Uint8Array;
  readonly mime: string;
  constructor(data: Uint8Array, mime: string) {
    this.data = data;
    this.mime = mime;
  }
  static readonly stdout = (text: string): NotebookCellOutputItem =>
    new NotebookCellOutputItem(new TextEncoder().encode(text), "application/vnd.code.notebook.stdout");
  static readonly stderr = (text: string): NotebookCellOutputItem =>
    new NotebookCellOutputItem(new TextEncoder().encode(text), "application/vnd.code.notebook.stderr");
}
let createdOutputs = 0;
export class NotebookCellOutput {
  /** As the editor has it, although it doesn't declare it. */
  readonly id: string;
  readonly items: readonly NotebookCellOutputItem[];
  readonly metadata: Readonly<Record<string, unknown>>;
  constructor(items: readonly NotebookCellOutputItem[], metadata: Readonly<Record<string, unknown>>) {
    createdOutputs += 1;
    this.id = String(createdOutputs);
    this.items = items;
    this.metadata = metadata;
  }
}

export const NotebookCellKind = { Markup: 1, Code: 2 } as const;
export const StatusBarAlignment = { Left: 1, Right: 2 } as const;
export const UIKind = { Desktop: 1, Web: 2 } as const;

const openedOutside: string[] = [];
let clipboardText = "";
export const env: {
  language: string;
  uriScheme: string;
  uiKind: (typeof UIKind)[keyof typeof UIKind];
  readonly clipboard: { writeText(text: string): Promise<void>; readText(): Promise<string> };
  asExternalUri(uri: URI): Promise<URI>;
  openExternal(uri: URI): Promise<boolean>;
} = {
  language: "en",
  uriScheme: "vscode",
  uiKind: UIKind.Desktop,
  clipboard: {
    writeText: async (text) => {
      clipboardText = text;
    },
    readText: async () => clipboardText,
  },
  asExternalUri: async (uri) => uri,
  openExternal: async (uri) => {
    openedOutside.push(uri.toString());
    return true;
  },
};

/** Translations of messages, by the message. */
const translations = new Map<string, string>();

export const l10n = {
  t(message: string | { readonly message: string }, ...values: readonly unknown[]): string {
    const text = typeof message === "string" ? message : message.message;
    return (translations.get(text) ?? text).replace(/\{(\d+)\}/g, (_, index: string) => String(values[Number(index)]));
  },
};

/** A document as the editor represents it, for text files and notebooks. A notebook has no text. */
export class StandInDocument {
  /** Only for text files. The member distinguishes the two kinds. */
  declare readonly getText?: () => string;
  readonly encoding = "utf8";
  readonly uri: URI;
  readonly isNotebook: boolean;
  isDirty = false;
  bytes: Uint8Array;
  /** The contents to which Undo returns, the last one last. */
  readonly undone: { readonly bytes: Uint8Array; readonly state: object }[] = [];
  /** Identifies the state of the content, to which Undo returns. */
  state: object = {};
  /** The state without unsaved changes. */
  saved: object | undefined = this.state;
  version = 1;
  /** Called for a save, because the API doesn't define how the editor saves. */
  save: () => Promise<boolean> = async () => false;

  constructor(uri: URI, bytes: Uint8Array, isNotebook: boolean) {
    this.uri = uri;
    this.bytes = bytes;
    this.isNotebook = isNotebook;
    if (isNotebook) Object.defineProperty(this, "cellCount", { get: () => this.getCells().length });
    else this.getText = () => new TextDecoder().decode(this.bytes);
  }

  get isClosed(): boolean {
    return !here().documents.has(this);
  }
  get lineCount(): number {
    return new TextDecoder().decode(this.bytes).split("\n").length;
  }
  lineAt(line: number): { readonly range: { readonly end: Position } } {
    return { range: { end: new Position(line, 0) } };
  }
  get metadata(): Readonly<Record<string, unknown>> {
    return notebookIn(this.bytes).metadata;
  }
  getCells(): readonly unknown[] {
    return notebookIn(this.bytes).cells;
  }
  cellAt(index: number): unknown {
    return this.getCells()[index];
  }
  /** Only for notebooks. The member distinguishes them from texts. */
  declare readonly cellCount?: number;
}

const opened = { text: new WindowEventEmitter<StandInDocument>(), notebook: new WindowEventEmitter<StandInDocument>() };
const changed = {
  text: new WindowEventEmitter<{
    readonly document: StandInDocument;
    readonly reason: number | undefined;
    readonly contentChanges: readonly object[];
  }>(),
  notebook: new WindowEventEmitter<{ readonly notebook: StandInDocument }>(),
};
const closed = { text: new WindowEventEmitter<StandInDocument>(), notebook: new WindowEventEmitter<StandInDocument>() };
const saved = { text: new WindowEventEmitter<StandInDocument>(), notebook: new WindowEventEmitter<StandInDocument>() };
const announcedSaves = new WindowEventEmitter<{ readonly document: StandInDocument; readonly reason: number }>();
const announcedNotebookSaves = new WindowEventEmitter<{
  readonly notebook: StandInDocument;
  readonly reason: number;
}>();
const windowState = new EventEmitter<{ readonly focused: boolean; readonly active: boolean }>();
const configurationChanged = new EventEmitter<{ affectsConfiguration(section: string): boolean }>();
const foldersChanged = new EventEmitter<void>();
const announcedFiles = new EventEmitter<{ readonly files: readonly URI[] }>();
const createdFiles = new EventEmitter<{ readonly files: readonly URI[] }>();
const settings = new Map<string, unknown>();
const tabsChanged = new WindowEventEmitter<{ readonly changed: readonly StandInTab[] }>();

/** A tab with an editor of a file. */
export interface StandInTab {
  readonly input: TabInputText | TabInputNotebook | TabInputCustom;
  readonly isDirty: boolean;
}

async function openDocument(uri: URI, isNotebook: boolean): Promise<StandInDocument> {
  const found = [...here().documents].find((document) => document.uri.toString() === uri.toString());
  const provider = here().fileSystems.get(uri.scheme);
  if (found === undefined && provider === undefined) throw FileSystemError.FileNotFound(uri);
  return found ?? new StandInDocument(uri, (await provider?.readFile(uri)) ?? new Uint8Array(), isNotebook);
}

/** Fires the event of a changed content, or, with no change in `contentChanges`, of the unsaved state alone. */
function change(document: StandInDocument, contentChanges: readonly object[], reason?: number): void {
  document.version += 1;
  if (document.isNotebook) changed.notebook.fire({ notebook: document });
  else changed.text.fire({ document, reason, contentChanges });
}

function replaceContent(document: StandInDocument, bytes: Uint8Array): void {
  const { bytes: before, state } = document;
  document.undone.push({ bytes: before, state });
  Object.assign(document, { bytes, state: {} });
}

/** A message that the editor was asked to show. */
export interface ShownMessage {
  readonly severity: "error" | "warning" | "information";
  readonly text: string;
  readonly items: readonly string[];
  /** The second text of a dialog. */
  readonly detail?: string | undefined;
  /** Chooses a button, or dismisses the message. */
  choose(item?: string): void;
}

const messages: ShownMessage[] = [];
const messageShown = new EventEmitter<ShownMessage>();

function show(severity: ShownMessage["severity"]) {
  return (text: string, ...rest: readonly unknown[]): Promise<string | undefined> =>
    new Promise((resolve) => {
      const items = rest.filter((item) => typeof item === "string");
      const [options] = rest.filter((item) => typeof item === "object" && item !== null && "detail" in item);
      const detail = options === undefined ? undefined : String(options.detail);
      const message = { severity, text, items, detail, choose: resolve };
      messages.push(message);
      messageShown.fire(message);
    });
}

/** A list that the editor was asked to show, and the labels that a user chooses in the next lists. */
export interface ShownPick {
  readonly title: string | undefined;
  readonly items: readonly { readonly label: string; readonly description?: string }[];
}
const picks: ShownPick[] = [];

/** A quick pick or an input box that the editor was asked to show, with the user's actions. */
export class StandInInput {
  title: string | undefined;
  step: number | undefined;
  totalSteps: number | undefined;
  prompt = "";
  placeholder = "";
  value = "";
  password = false;
  busy = false;
  enabled = true;
  ignoreFocusOut = false;
  buttons: readonly unknown[] = [];
  validationMessage: string | { readonly message: string; readonly severity: number } | undefined;
  items: readonly { readonly label: string; readonly description?: string }[] = [];
  activeItems: readonly { readonly label: string }[] = [];
  selectedItems: readonly { readonly label: string }[] = [];
  readonly #valueChanged = new EventEmitter<string>();
  readonly #accepted = new EventEmitter<void>();
  readonly #hidden = new EventEmitter<void>();
  readonly #triggered = new EventEmitter<unknown>();
  readonly onDidChangeValue = this.#valueChanged.event;
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidTriggerButton = this.#triggered.event;

  #isVisible = false;

  show(): void {
    this.#isVisible = true;
    inputShown.fire(this);
  }
  dispose(): void {
    if (this.#isVisible) {
      this.#isVisible = false;
      this.#hidden.fire();
    }
  }

  /** The text below the box: the message, or the prompt if there is none. */
  get words(): string {
    const { validationMessage: message } = this;
    return typeof message === "object" ? message.message : (message ?? this.prompt);
  }
  type(text: string): void {
    this.value = text;
    this.#valueChanged.fire(text);
  }
  accept(): void {
    this.#accepted.fire();
  }
  submit(text: string): void {
    this.type(text);
    this.accept();
  }
  choose(label: string): void {
    this.selectedItems = this.items.filter((item) => item.label === label);
    this.accept();
  }
  trigger(button: unknown): void {
    this.#triggered.fire(button);
  }
}
const inputShown = new EventEmitter<StandInInput>();
const choices: string[] = [];

/** A group of an entry in Source Control. */
export interface StandInResourceGroup {
  readonly id: string;
  resourceStates: readonly unknown[];
}

/** The groups of all entries in Source Control. */
export const resourceGroups: StandInResourceGroup[] = [];

export const scm = {
  createSourceControl: () => ({
    inputBox: { value: "" },
    createResourceGroup: (id: string): StandInResourceGroup => {
      const group = { id, resourceStates: [] };
      resourceGroups.push(group);
      return group;
    },
    dispose: () => {},
  }),
};

/** The next message that the editor is asked to show. */
export function nextMessage(): Promise<ShownMessage> {
  return new Promise((resolve) => {
    const listener = messageShown.event((message) => {
      listener.dispose();
      resolve(message);
    });
  });
}

/** The next input that the editor is asked to show. */
export function nextInput(): Promise<StandInInput> {
  return new Promise((resolve) => {
    const listener = inputShown.event((input) => {
      listener.dispose();
      resolve(input);
    });
  });
}

/** A tree view that an extension created; visible until it is hidden. */
export class StandInTreeView {
  readonly #visibility = new EventEmitter<{ readonly visible: boolean }>();
  title = "";
  description: string | undefined;
  message: string | undefined;
  visible = true;
  /** The rows that it was asked to scroll to. */
  readonly revealed: unknown[] = [];
  readonly onDidChangeVisibility = this.#visibility.event;
  async reveal(row: unknown): Promise<void> {
    this.revealed.push(row);
  }
  show(visible: boolean): void {
    this.visible = visible;
    this.#visibility.fire({ visible });
  }
  dispose(): void {}
}
const treeViews: StandInTreeView[] = [];

export const TerminalExitReason = { Unknown: 0, Shutdown: 1, Process: 2, User: 3, Extension: 4 } as const;

interface StandInPseudoterminal {
  readonly onDidClose?: (listener: () => void) => Disposable;
  close(): void;
}

/** A terminal of an extension. The editor does not open it by itself. */
export class StandInTerminal {
  readonly creationOptions: { readonly name: string; readonly pty: StandInPseudoterminal };
  exitStatus: { readonly reason: number } | undefined;
  isShown = false;

  constructor(creationOptions: StandInTerminal["creationOptions"]) {
    this.creationOptions = creationOptions;
    creationOptions.pty.onDidClose?.(() => this.end(TerminalExitReason.Process));
  }

  show(): void {
    this.isShown = true;
  }

  /** Closes it for this reason. */
  end(reason: number): void {
    if (this.exitStatus === undefined) {
      this.exitStatus = { reason };
      this.creationOptions.pty.close();
      terminalClosed.fire(this);
    }
  }
}

const terminalOpened = new EventEmitter<StandInTerminal>();
const terminalClosed = new EventEmitter<StandInTerminal>();
/** All terminals that were created. */
export const createdTerminals: StandInTerminal[] = [];

export const window = {
  createTerminal: (options: StandInTerminal["creationOptions"]): StandInTerminal => {
    const terminal = new StandInTerminal(options);
    createdTerminals.push(terminal);
    terminalOpened.fire(terminal);
    return terminal;
  },
  onDidOpenTerminal: terminalOpened.event,
  onDidCloseTerminal: terminalClosed.event,
  registerTerminalLinkProvider: () => new Disposable(() => {}),
  registerFileDecorationProvider: () => new Disposable(() => {}),
  createTreeView: () => {
    const view = new StandInTreeView();
    treeViews.push(view);
    return view;
  },
  createInputBox: () => new StandInInput(),
  createQuickPick: () => new StandInInput(),
  state: { focused: true, active: true },
  onDidChangeWindowState: windowState.event,
  tabGroups: {
    get all(): readonly [{ readonly tabs: readonly StandInTab[] }] {
      return here().tabGroups.all;
    },
    onDidChangeTabs: tabsChanged.event,
    close: async () => true,
  },
  activeNotebookEditor: undefined,
  onDidChangeActiveNotebookEditor: new EventEmitter<unknown>().event,
  onDidChangeVisibleNotebookEditors: new EventEmitter<unknown>().event,
  createStatusBarItem: () => ({ show: () => {}, hide: () => {}, dispose: () => {} }),
  visibleTextEditors: [],
  visibleNotebookEditors: [],
  showErrorMessage: show("error"),
  showWarningMessage: show("warning"),
  showInformationMessage: show("information"),
  showQuickPick: async <Item extends ShownPick["items"][number]>(
    given: readonly Item[] | Promise<readonly Item[]>,
    options?: { readonly title?: string },
  ): Promise<Item | undefined> => {
    const items = await given;
    picks.push({ title: options?.title, items });
    const wanted = choices.shift();
    return items.find(({ label }) => label === wanted);
  },
  setStatusBarMessage: (): void => {},
  withProgress: (_: unknown, task: (progress: unknown, token: unknown) => unknown): unknown =>
    task(
      { report: () => {} },
      { isCancellationRequested: false, onCancellationRequested: new EventEmitter<void>().event },
    ),
};

export const TextDocumentSaveReason = { Manual: 1, AfterDelay: 2, FocusOut: 3 } as const;

export const workspace = {
  get textDocuments(): readonly StandInDocument[] {
    return [...here().documents].filter((document) => !document.isNotebook);
  },
  get notebookDocuments(): readonly StandInDocument[] {
    return [...here().documents].filter((document) => document.isNotebook);
  },
  openTextDocument: (uri: URI) => openDocument(uri, false),
  openNotebookDocument: (uri: URI) => openDocument(uri, true),
  registerFileSystemProvider: (scheme: string, provider: RegisteredFileSystem): Disposable => {
    const { fileSystems } = here();
    fileSystems.set(scheme, provider);
    return new Disposable(() => fileSystems.delete(scheme));
  },
  encode: async (text: string): Promise<Uint8Array> => new TextEncoder().encode(text),
  decode: async (bytes: Uint8Array): Promise<string> => new TextDecoder().decode(bytes),
  applyEdit: async (edit: WorkspaceEdit): Promise<boolean> => {
    for (const { uri, isNotebook, apply } of edit.changes) {
      const edited = [...here().documents].filter(
        (document) => document.uri.toString() === uri.toString() && document.isNotebook === isNotebook,
      );
      for (const document of edited) editor.edit(document, apply(document.bytes));
    }
    return true;
  },
  workspaceFolders: undefined,
  onDidOpenTextDocument: opened.text.event,
  onDidOpenNotebookDocument: opened.notebook.event,
  onDidChangeTextDocument: changed.text.event,
  onDidChangeNotebookDocument: changed.notebook.event,
  onDidCloseTextDocument: closed.text.event,
  onDidCloseNotebookDocument: closed.notebook.event,
  onWillSaveTextDocument: announcedSaves.event,
  onWillSaveNotebookDocument: announcedNotebookSaves.event,
  onDidSaveTextDocument: saved.text.event,
  onDidSaveNotebookDocument: saved.notebook.event,
  onDidChangeConfiguration: configurationChanged.event,
  onWillCreateFiles: announcedFiles.event,
  onDidCreateFiles: createdFiles.event,
  onWillRenameFiles: new EventEmitter<unknown>().event,
  onDidRenameFiles: new EventEmitter<unknown>().event,
  onDidChangeWorkspaceFolders: foldersChanged.event,
  getConfiguration: (section: string) => ({
    get: (name: string, otherwise?: unknown): unknown => settings.get(`${section}.${name}`) ?? otherwise,
  }),
};

/** A kernel in the editor's list. It is never selected. */
class StandInController {
  label = "";
  description = "";
  detail = "";
  supportsExecutionOrder = false;
  supportedLanguages: readonly string[] = [];
  interruptHandler: unknown;
  updateNotebookAffinity(): void {}
  readonly onDidChangeSelectedNotebooks = new EventEmitter<unknown>().event;
  dispose(): void {}
}
export const debug = {
  registerDebugAdapterDescriptorFactory: () => new Disposable(() => {}),
  onDidTerminateDebugSession: new EventEmitter<never>().event,
  onDidChangeBreakpoints: new EventEmitter<never>().event,
  startDebugging: async (_folder: unknown, _configuration: { readonly name: string }): Promise<boolean> => true,
};

export const notebooks = {
  createNotebookController: () => new StandInController(),
  registerNotebookCellStatusBarItemProvider: () => new Disposable(() => {}),
};
export const NotebookControllerAffinity = { Default: 1, Preferred: 2 } as const;

/** Other extensions. There are none, unless a test adds one. */
export const extensions: { getExtension(id: string): unknown } = { getExtension: () => undefined };

const executed: (readonly [id: string, ...values: readonly unknown[]])[] = [];
/** Implementations of the editor's own commands, for tests that need them. */
const ownCommands = new Map<string, () => Promise<void>>();
export const commands = {
  executeCommand: async (id: string, ...values: readonly unknown[]): Promise<undefined> => {
    executed.push([id, ...values]);
    await ownCommands.get(id)?.();
    return undefined;
  },
  registerCommand: (): Disposable => new Disposable(() => {}),
};

/** The editor's side. Fires its events, and records what it was asked to show. */
export const editor = {
  /** Calls the listener with each message that the editor is asked to show. */
  onMessage: messageShown.event,
  /** Announces a save of a text document, with a `TextDocumentSaveReason`. */
  announceSave(document: StandInDocument, reason: number): void {
    if (document.isNotebook) announcedNotebookSaves.fire({ notebook: document, reason });
    else announcedSaves.fire({ document, reason });
  },
  messages,
  translations,
  picks,
  choices,
  /** Reads from a file system that the extension registered. */
  async readFile(uri: URI): Promise<Uint8Array> {
    return (await here().fileSystems.get(uri.scheme)?.readFile(uri)) ?? new Uint8Array();
  },
  /** Writes to a file system that the extension registered. */
  async writeFile(uri: URI, bytes: Uint8Array): Promise<void> {
    await here().fileSystems.get(uri.scheme)?.writeFile?.(uri, bytes, { create: false, overwrite: true });
  },
  /** Addresses that were opened in the browser. */
  openedOutside,
  /** Tree views in the order of their creation. */
  treeViews,
  /** Commands that were run, with their arguments. */
  executed,
  ownCommands,
  open(document: StandInDocument): void {
    here().documents.add(document);
    (document.isNotebook ? opened.notebook : opened.text).fire(document);
  },
  /** Marks the document as changed, as typing does, or as saved. */
  setDirty(document: StandInDocument, isDirty: boolean): void {
    document.isDirty = isDirty;
    document.saved = isDirty ? undefined : document.state;
    change(document, []);
  },
  /** Changes the content, as typing does. */
  edit(document: StandInDocument, bytes: Uint8Array): void {
    replaceContent(document, bytes);
    // The editor reports the first change before it reports the unsaved state.
    change(document, [{}]);
    if (!document.isDirty) {
      document.isDirty = true;
      change(document, []);
    }
  },
  /** Loads a content from the file, which Undo can change back. */
  reload(document: StandInDocument, bytes: Uint8Array): void {
    if (Buffer.compare(document.bytes, bytes) !== 0) {
      // The editor can't undo the reload of a notebook. Undo would change the loaded cells, as typing does.
      replaceContent(document, bytes);
      if (document.isNotebook) document.undone.length = 0;
      change(document, [{}]);
    }
    document.isDirty = false;
    document.saved = document.state;
    change(document, []);
  },
  /** Undoes the last change. Returns false if there is none. */
  undo(document: StandInDocument): boolean {
    const before = document.undone.pop();
    if (before === undefined) return false;
    Object.assign(document, before);
    const isDirty = document.state !== document.saved;
    document.isDirty ||= isDirty;
    change(document, [{}], TextDocumentChangeReason.Undo);
    if (!isDirty) {
      // Undo has led to what was saved or loaded.
      document.isDirty = false;
      change(document, []);
    }
    return true;
  },
  /** Replaces the tabs of the window. */
  showTabs(...tabs: readonly StandInTab[]): void {
    here().tabGroups.all[0].tabs = tabs;
    tabsChanged.fire({ changed: tabs });
  },
  saved(document: StandInDocument): void {
    (document.isNotebook ? saved.notebook : saved.text).fire(document);
  },
  /**
   * Reports created files as the editor does: files that a user creates are announced before, files that Undo creates
   * are not.
   */
  created(uri: URI, { isUndo }: { readonly isUndo: boolean }): void {
    if (!isUndo) announcedFiles.fire({ files: [uri] });
    createdFiles.fire({ files: [uri] });
  },
  close(document: StandInDocument): void {
    here().documents.delete(document);
    (document.isNotebook ? closed.notebook : closed.text).fire(document);
  },
  /** Replaces the window's folders with these. */
  showFolders(...uris: readonly URI[]): void {
    Object.assign(workspace, { workspaceFolders: uris.map((uri) => ({ uri })) });
    foldersChanged.fire();
  },
  focus(focused: boolean): void {
    window.state = { focused, active: focused };
    windowState.fire(window.state);
  },
  configure(name: string, value: unknown): void {
    settings.set(name, value);
    configurationChanged.fire({ affectsConfiguration: (section) => name.startsWith(section) });
  },
};
