import { symlinkSync, unlinkSync } from "node:fs";
import type * as vscode from "vscode";
import { registerServerVersions } from "../../../src/file-system/merge/server-version.ts";
import { editDelayMs } from "../../../src/file-system/session/open-documents.ts";
import { EditorWindow } from "../../harness/editor-stand-in/vscode.ts";
import { PersonalTime } from "../../harness/personal-time.ts";
import { type ClientOptions, type ContentPlace, FilesClient } from "../client.ts";
import { type EditorKind, Person } from "../person.ts";
import { withSortedMembers } from "./contents.ts";
import type { FaultyConnection } from "./server.ts";

/** What a content in an editor is based on. */
export interface Basis {
  /** The server's content; undefined if it is unknown. */
  readonly content: string | undefined;
  /**
   * True if the extension may ask although nobody has changed the file: the base wasn't stored before the window ended, or
   * its version is unknown. An unseen version is never replaced without a question.
   */
  readonly isUnsure: boolean;
  /** The read, save, or merge that it comes from. A save makes all contents with its origin based on it. */
  readonly origin: symbol;
}

export function basisOf(content: string | undefined, isUnsure: boolean): Basis {
  return { content, isUnsure, origin: Symbol("basis") };
}

/** An editor's copy of a file, and what the person who works in it knows. */
export interface Copy {
  readonly path: string;
  readonly kind: EditorKind;
  /** That of the current content. */
  basis: Basis;
  /** Those of the contents to which the person can return, by `contentOf`. */
  readonly bases: Map<string, Basis>;
  /**
   * Contents of the server that a save may replace without another question: those after saves with an unknown outcome, and
   * those that the person has decided to replace. `undefined`: the file may be created again.
   */
  readonly replaceable: Set<string | undefined>;
  /** Contents of the server that failed saves have written, with the origin of the basis of what was saved. */
  readonly own: Map<string | undefined, symbol>;
  /** The marks that the person has typed. */
  readonly typed: Set<string>;
  /** False if the disk has been full while the copy was open. */
  isStored: boolean;
  /** True if the person was told about a conflict. */
  isConflict: boolean;
}

/** A text of a copy in a form that is the same for all texts with the same content. */
export function contentOf({ kind }: Pick<Copy, "kind">, text: string): string {
  return kind === "notebook" ? withSortedMembers(text) : text;
}

export interface WindowOptions extends Omit<ClientOptions, "transport" | "storage" | "retryTime"> {
  readonly place: ContentPlace;
  readonly connection: FaultyConnection;
  /** A path for a link to the storage, which all windows share. */
  readonly storageLink: string;
  readonly storage: string;
}

/** A window of the editor. It ends when it is reloaded. */
export class Window {
  readonly connection: FaultyConnection;
  readonly copies = new Map<string, Copy>();
  readonly #options: WindowOptions;
  readonly #editor: EditorWindow;
  readonly #client: FilesClient;
  readonly #person: Person;
  readonly #provider: vscode.Disposable;

  private constructor(
    options: WindowOptions,
    editor: EditorWindow,
    parts: { readonly client: FilesClient; readonly person: Person; readonly provider: vscode.Disposable },
  ) {
    this.#options = options;
    this.#editor = editor;
    this.connection = options.connection;
    this.#client = parts.client;
    this.#person = parts.person;
    this.#provider = parts.provider;
  }

  static async open(options: WindowOptions): Promise<Window> {
    const { connection, place, storage, storageLink, ...others } = options;
    symlinkSync(storage, storageLink);
    const editor = new EditorWindow();
    const parts = await editor.run(async () => {
      // People save by themselves. An automatic save between two steps would be one that nobody expects.
      const retryTime = new PersonalTime();
      const client = await FilesClient.connect(place, {
        ...others,
        transport: connection,
        storage: storageLink,
        retryTime,
      });
      return { client, person: new Person(client), provider: registerServerVersions(client.files) };
    });
    return new Window(options, editor, parts);
  }

  /** Runs what the person does in this window. */
  run<T>(work: (person: Person, client: FilesClient) => T): T {
    return this.#editor.run(() => work(this.#person, this.#client));
  }

  /** Lets the time pass in which the editor reports the state of a document that it has just opened. Users act later. */
  settle(): void {
    this.#client.time.pass(editDelayMs);
  }

  /** Resolves when what must survive a reload is stored. */
  stored(): Promise<void> {
    return this.#client.files.stored();
  }

  /** Ends the window at once, as if its process were killed: what it would still store goes elsewhere. */
  kill(): void {
    const { storageLink, storage } = this.#options;
    unlinkSync(storageLink);
    symlinkSync(`${storage}-nowhere`, storageLink);
    this.run((_, client) => {
      this.#editor.documents.clear();
      client.dispose();
      this.#provider.dispose();
    });
  }
}
