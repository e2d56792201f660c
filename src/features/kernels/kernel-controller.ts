import * as vscode from "vscode";
import type { KernelSpec } from "../../api/kernels/models.ts";
import { authorityOf } from "../../tenants/workspace-uri.ts";
import type { WorkspaceAddress } from "./kernel-services.ts";
import { notebookType } from "./notebook-metadata.ts";

/** What a kernel of the editor's list does with a notebook. */
export interface ControllerActions {
  run(controller: KernelController, notebook: vscode.NotebookDocument, cells: readonly vscode.NotebookCell[]): void;
  interrupt(notebook: vscode.NotebookDocument): Promise<void>;
  selected(controller: KernelController, notebook: vscode.NotebookDocument): void;
}

/** One kernel spec of one workspace, as the editor's list of kernels has it. Its id stays the same across windows. */
export class KernelController implements vscode.Disposable {
  readonly address: WorkspaceAddress;
  readonly controller: vscode.NotebookController;
  /** URIs of the notebooks that it is selected for. The editor keeps the selection while a notebook is closed. */
  readonly #selectedFor = new Set<string>();
  #spec: KernelSpec;
  #isFollowing = false;

  constructor(address: WorkspaceAddress, workspaceName: string, spec: KernelSpec, actions: ControllerActions) {
    this.address = address;
    this.#spec = spec;
    const id = `${authorityOf(address.tenantId, address.workspaceId)}/${spec.name}`;
    this.controller = vscode.notebooks.createNotebookController(id, notebookType, spec.displayName, (cells, notebook) =>
      actions.run(this, notebook, cells),
    );
    this.controller.description = workspaceName;
    this.controller.detail = vscode.l10n.t("Runs in the workspace {0}", workspaceName);
    this.controller.supportsExecutionOrder = true;
    this.controller.interruptHandler = (notebook) => actions.interrupt(notebook);
    this.controller.onDidChangeSelectedNotebooks(({ notebook, selected }) => {
      const uri = notebook.uri.toString();
      if (selected) {
        this.#selectedFor.add(uri);
        actions.selected(this, notebook);
      } else {
        this.#selectedFor.delete(uri);
      }
    });
    this.spec = spec;
  }

  get spec(): KernelSpec {
    return this.#spec;
  }

  /** The spec as the server has it, once that is known. */
  set spec(spec: KernelSpec) {
    this.#spec = spec;
    this.#label();
    if (spec.language !== "") {
      this.controller.supportedLanguages = [...languageNames(spec.language), "raw"];
    }
  }

  /** Whether the notebooks that show on it only follow their kernels. */
  set isFollowing(isFollowing: boolean) {
    if (isFollowing !== this.#isFollowing) {
      this.#isFollowing = isFollowing;
      this.#label();
    }
  }

  /** Whether the editor runs the notebook on it. */
  isSelectedFor({ uri }: vscode.NotebookDocument): boolean {
    return this.#selectedFor.has(uri.toString());
  }

  dispose(): void {
    this.controller.dispose();
  }

  #label(): void {
    const { displayName } = this.#spec;
    this.controller.label = this.#isFollowing ? vscode.l10n.t("{0} (Following)", displayName) : displayName;
  }
}

const languageIds: Readonly<Record<string, string>> = {
  bash: "shellscript",
  "c#": "csharp",
  "c++": "cpp",
  "c++11": "cpp",
  "c++14": "cpp",
  "c++17": "cpp",
  "c++20": "cpp",
  "f#": "fsharp",
  "q#": "qsharp",
};

/**
 * What cells in a language that Jupyter names may have as their language: the editor's id first, which new cells get, then what
 * the editor's reader of notebooks keeps of Jupyter's name. The editor runs no cell of another language.
 */
function languageNames(language: string): readonly string[] {
  const name = language.toLowerCase();
  const id = languageIds[name] ?? name;
  return [...new Set([id, name, ...(id === "cpp" ? ["c++"] : [])])];
}
