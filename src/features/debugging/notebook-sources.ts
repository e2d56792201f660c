import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { EditorSource, EditorSources } from "../../api/debugging/debug-session.ts";
import type { CompanionPlace } from "../../tenants/companions.ts";
import { libraryOf, libraryScheme, libraryUri } from "../../tenants/library-uri.ts";
import { addressOf, scheme, uriOf } from "../../tenants/workspace-uri.ts";

/** Maximum number of codes of cells that are remembered, because they may still run after the cell was edited. */
const maxCodes = 1000;

/** The sources of a notebook's session: its cells, the files of its workspace, and the libraries of the server. */
export class NotebookSources implements EditorSources {
  readonly #notebook: vscode.NotebookDocument;
  readonly #place: CompanionPlace;
  /** The cells by codes that they have or had. */
  readonly #cells = new Map<string, vscode.NotebookCell>();
  readonly #hashes = new Map<string, string>();

  constructor(notebook: vscode.NotebookDocument, place: CompanionPlace) {
    this.#notebook = notebook;
    this.#place = place;
    this.remember();
  }

  /** Remembers the code of all cells. Call this when cells start. */
  remember(): void {
    for (const cell of this.#notebook.getCells()) {
      const code = cell.document.getText();
      this.#cells.delete(code);
      this.#cells.set(code, cell);
    }
    for (const code of [...this.#cells.keys()].slice(0, -maxCodes)) {
      this.#cells.delete(code);
    }
  }

  find(address: string): EditorSource | undefined {
    const cell = this.#notebook.getCells().find(({ document }) => document.uri.toString() === address);
    if (cell !== undefined) {
      return { kind: "cell", code: cell.document.getText() };
    }
    const uri = vscode.Uri.parse(address);
    if (uri.scheme === scheme) {
      const { path, ...place } = addressOf(uri);
      return this.#isHere(place) ? { kind: "workspace", path } : undefined;
    }
    const library = uri.scheme === libraryScheme ? libraryOf(uri) : undefined;
    return library !== undefined && this.#isHere(library.place) ? { kind: "library", path: library.path } : undefined;
  }

  addressOf(...[source, hashOf]: Parameters<EditorSources["addressOf"]>): ReturnType<EditorSources["addressOf"]> {
    const { tenantId, workspaceId } = this.#place;
    switch (source.kind) {
      case "cell": {
        this.remember();
        const cell = [...this.#cells].findLast(([code]) => this.#hashOf(code, hashOf) === source.hash)?.[1];
        const name = cell && vscode.l10n.t("{0}, cell {1}", nameOf(cell.notebook.uri.path), cell.index + 1);
        return cell && name !== undefined ? { path: cell.document.uri.toString(), name } : undefined;
      }
      case "workspace":
        return { path: uriOf(tenantId, workspaceId, source.path).toString(), name: nameOf(source.path) };
      case "library": {
        const uri = libraryUri(this.#place, source.path);
        return { path: uri.toString(), name: nameOf(uri.path) };
      }
    }
  }

  #hashOf(code: string, hashOf: (code: string) => string): string {
    const known = this.#hashes.get(code) ?? hashOf(code);
    this.#hashes.set(code, known);
    return known;
  }

  #isHere({ tenantId, workspaceId }: CompanionPlace): boolean {
    return tenantId === this.#place.tenantId && workspaceId === this.#place.workspaceId;
  }
}
