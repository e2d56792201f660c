import { isNotebookPath } from "../../api/catalogue/content-path.ts";
import type { CallOptions, ContentCaller } from "../../api/client/client.ts";
import { type ContentRead, readFileContent } from "../../api/content-server/file-content.ts";
import { isPairedNotebook } from "../../api/content-server/notebook-pairs.ts";
import { type NotebookProblem, notebookProblemOf } from "../../api/content-server/notebook-problem.ts";
import { isSameContent } from "../../api/content-server/write-verification.ts";
import { hasStatus } from "../../api/http/errors.ts";
import { indentedJson } from "../../api/http/json-layout.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import { withVersionOf } from "../versions/content-version.ts";

/** A problem of a notebook's file. `isConverted`: the server presents it in the current format anyway. */
export interface FoundProblem {
  readonly problem: NotebookProblem;
  readonly isConverted: boolean;
}

/**
 * The notebooks of a workspace that the server may present differently from their files. A server with jupytext writes
 * a paired notebook to two files, and reads the newer cells from the script. Many servers convert notebooks of older
 * formats. What the API presents as the notebook is what a save replaces, so that is what the user sees, and its version
 * is the version of that. Any other server presents the file.
 */
export class NotebookModels {
  readonly #cache: Pick<ListingCache, "hasScriptNotebooks">;
  readonly #hasNotebookEditor: (path: string) => boolean;
  readonly #paired = new Set<string>();
  readonly #problems = new Map<string, FoundProblem>();

  /** `hasNotebookEditor`: whether a notebook editor shows a path. Any other reader gets files of older formats as stored. */
  constructor(
    cache: Pick<ListingCache, "hasScriptNotebooks">,
    hasNotebookEditor: (path: string) => boolean = () => false,
  ) {
    this.#cache = cache;
    this.#hasNotebookEditor = hasNotebookEditor;
  }

  /** True if the version of this path is that of the presented notebook. */
  includes(path: string): boolean {
    return isNotebookPath(path) && (this.#cache.hasScriptNotebooks || this.#paired.has(path));
  }

  /** The problem of a notebook when it was read or written last. */
  problemOf(path: string): FoundProblem | undefined {
    return this.#problems.get(path);
  }

  /** Records the content of a file. Returns true if the server may present another one. */
  record(path: string, bytes: Uint8Array): boolean {
    if (isNotebookPath(path)) {
      const problem = notebookProblemOf(bytes);
      if (problem === undefined) {
        this.#problems.delete(path);
      } else {
        this.#problems.set(path, { problem, isConverted: false });
      }
      if (problem === undefined && isPairedNotebook(bytes)) {
        this.#paired.add(path);
      } else {
        this.#paired.delete(path);
      }
    }
    const type = this.#problems.get(path)?.problem.type;
    return (type === "oldFormat" && this.#hasNotebookEditor(path)) || (type === undefined && this.includes(path));
  }

  /**
   * Reads a file. For a notebook that the server may present differently, takes a second request, and returns what it
   * presents, with the version of that; but its original JSON if that is the same notebook. Throws a PlatformError.
   */
  async read(client: ContentCaller, path: string, options: CallOptions = {}): Promise<ContentRead> {
    const file = await readFileContent(client, path, options);
    if (file.type !== "file" || !this.record(path, file.bytes)) {
      return file;
    }
    const { problem } = this.#problems.get(path) ?? {};
    const model = await readFileContent(client, path, { ...options, as: "notebook" }).catch((error: unknown) => {
      if (problem !== undefined && hasStatus(error, 400)) {
        return file;
      }
      throw error;
    });
    if (model.type !== "file") {
      return model;
    }
    if (isSameContent(path, file.bytes, model.bytes)) {
      return { ...model, item: withVersionOf(model.bytes, model.item), bytes: file.bytes };
    }
    if (problem !== undefined) {
      this.#problems.set(path, { problem, isConverted: notebookProblemOf(model.bytes) === undefined });
    }
    return { ...model, item: withVersionOf(model.bytes, model.item), bytes: indentedJson(model.bytes) };
  }
}
