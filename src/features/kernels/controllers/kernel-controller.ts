import * as vscode from "vscode";
import { nameWithoutIcons } from "../../../api/displayed-text.ts";
import type { KernelSpec } from "../../../api/kernels/models.ts";
import { authorityOf } from "../../../tenants/workspace-uri.ts";
import type { WorkspaceAddress } from "../kernel-services.ts";
import { notebookType } from "../notebook-metadata.ts";

/** What the user does with a kernel in the editor. */
export type ControllerEvent = {
  readonly controller: KernelController;
  readonly notebook: vscode.NotebookDocument;
} & (
  | { readonly type: "run"; readonly cells: readonly vscode.NotebookCell[] }
  | { readonly type: "interrupt" }
  | { readonly type: "selected" }
);

/** One kernel spec of one workspace in the editor's list of kernels. Its id is the same in all windows. */
export class KernelController implements vscode.Disposable {
  readonly address: WorkspaceAddress;
  readonly controller: vscode.NotebookController;
  /** URIs of the notebooks that it is selected for. The editor keeps the selection while a notebook is closed. */
  readonly #selectedFor = new Set<string>();
  #spec: KernelSpec;
  #isFollowing = false;

  constructor(
    address: WorkspaceAddress,
    workspaceName: string,
    spec: KernelSpec,
    events: Pick<vscode.EventEmitter<ControllerEvent>, "fire">,
  ) {
    this.address = address;
    this.#spec = spec;
    const id = `${authorityOf(address.tenantId, address.workspaceId)}/${spec.name}`;
    this.controller = vscode.notebooks.createNotebookController(
      id,
      notebookType,
      nameWithoutIcons(spec.displayName),
      (cells, notebook) => events.fire({ type: "run", controller: this, notebook, cells }),
    );
    this.controller.description = nameWithoutIcons(workspaceName);
    this.controller.detail = vscode.l10n.t("Runs in the workspace {0}", nameWithoutIcons(workspaceName));
    this.controller.supportsExecutionOrder = true;
    this.controller.interruptHandler = (notebook) => events.fire({ type: "interrupt", controller: this, notebook });
    this.controller.onDidChangeSelectedNotebooks(({ notebook, selected }) => {
      const uri = notebook.uri.toString();
      if (selected) {
        this.#selectedFor.add(uri);
        events.fire({ type: "selected", controller: this, notebook });
      } else {
        this.#selectedFor.delete(uri);
      }
    });
    this.spec = spec;
  }

  get spec(): KernelSpec {
    return this.#spec;
  }

  /** The server's current data about the spec. Updates the label and the languages. */
  set spec(spec: KernelSpec) {
    this.#spec = spec;
    this.#label();
    if (spec.language !== "") {
      this.controller.supportedLanguages = [...languageNames(spec.language), "raw"];
    }
  }

  /** True if all visible notebooks on this controller only follow their kernels. Changes the label. */
  set isFollowing(isFollowing: boolean) {
    if (isFollowing !== this.#isFollowing) {
      this.#isFollowing = isFollowing;
      this.#label();
    }
  }

  /** True if the editor has selected this controller for the notebook. */
  isSelectedFor({ uri }: vscode.NotebookDocument): boolean {
    return this.#selectedFor.has(uri.toString());
  }

  dispose(): void {
    this.controller.dispose();
  }

  #label(): void {
    const displayName = nameWithoutIcons(this.#spec.displayName);
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
 * The language ids that the cells of a Jupyter language can have. The first one is the editor's id, which new cells
 * get. The others are the ids to which the editor converts Jupyter's name when it reads a notebook. The editor doesn't
 * run cells in other languages.
 */
function languageNames(language: string): readonly string[] {
  const name = language.toLowerCase();
  const id = languageIds[name] ?? name;
  return [...new Set([id, name, ...(id === "cpp" ? ["c++"] : [])])];
}
