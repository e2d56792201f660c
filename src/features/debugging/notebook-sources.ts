import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { EditorSource, EditorSources } from "../../api/debugging/editor-sources.ts";
import type { CompanionPlace } from "../../tenants/companions.ts";
import { WorkspaceSources } from "./workspace-sources.ts";

/** Maximum number of codes of cells that are remembered, because they may still run after the cell was edited. */
const maxCodes = 1000;

/** The sources of a notebook's session: its cells, and those of any session. */
export class NotebookSources extends WorkspaceSources {
  readonly #notebook: vscode.NotebookDocument;
  /** The cells by codes that they have or had. */
  readonly #cells = new Map<string, vscode.NotebookCell>();
  readonly #hashes = new Map<string, string>();

  constructor(notebook: vscode.NotebookDocument, place: CompanionPlace) {
    super(place);
    this.#notebook = notebook;
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

  override find(address: string): EditorSource | undefined {
    const cell = this.#notebook.getCells().find(({ document }) => document.uri.toString() === address);
    return cell === undefined ? super.find(address) : { kind: "cell", code: cell.document.getText() };
  }

  override addressOf(
    ...[source, hashOf]: Parameters<EditorSources["addressOf"]>
  ): ReturnType<EditorSources["addressOf"]> {
    if (source.kind !== "cell") {
      return super.addressOf(source, hashOf);
    }
    this.remember();
    const cell = [...this.#cells].findLast(([code]) => this.#hashOf(code, hashOf) === source.hash)?.[1];
    const name = cell && vscode.l10n.t("{0}, cell {1}", nameOf(cell.notebook.uri.path), cell.index + 1);
    return cell && name !== undefined ? { path: cell.document.uri.toString(), name } : undefined;
  }

  #hashOf(code: string, hashOf: (code: string) => string): string {
    const known = this.#hashes.get(code) ?? hashOf(code);
    this.#hashes.set(code, known);
    return known;
  }
}
