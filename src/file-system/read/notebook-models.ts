import { isNotebookPath } from "../../api/catalogue/content-path.ts";
import type { CallOptions, ContentCaller } from "../../api/client/client.ts";
import { isNotebookText, textOf } from "../../api/content-server/content-types.ts";
import { type ContentRead, readFileContent } from "../../api/content-server/file-content.ts";
import { isPairedNotebook } from "../../api/content-server/notebook-pairs.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import { withVersionOf } from "../versions/content-version.ts";

/**
 * The notebooks of a workspace that the server may present differently from their files. A server with jupytext writes
 * a paired notebook to two files, and reads the newer cells from the script. What its API presents as the notebook is
 * what a save replaces, so that is what the user sees, and its version is that of both files. Any other server presents
 * the file.
 */
export class NotebookModels {
  readonly #cache: Pick<ListingCache, "hasScriptNotebooks">;
  readonly #paired = new Set<string>();

  constructor(cache: Pick<ListingCache, "hasScriptNotebooks">) {
    this.#cache = cache;
  }

  /** True if the version of this path is that of the presented notebook. */
  includes(path: string): boolean {
    return isNotebookPath(path) && (this.#cache.hasScriptNotebooks || this.#paired.has(path));
  }

  /** Records the content of a file. Returns true if the server may present another one. */
  learn(path: string, bytes: Uint8Array): boolean {
    if (isNotebookPath(path)) {
      if (isPairedNotebook(bytes)) {
        this.#paired.add(path);
      } else {
        this.#paired.delete(path);
      }
    }
    return this.includes(path);
  }

  /**
   * Reads a file. For a notebook that the server may present differently, takes a second request, and returns what it
   * presents, with the version of that; but its original JSON if that is the same notebook. Throws a PlatformError.
   */
  async read(client: ContentCaller, path: string, options: CallOptions = {}): Promise<ContentRead> {
    const file = await readFileContent(client, path, options);
    if (file.type !== "file" || !this.learn(path, file.bytes) || !isNotebookText(textOf(file.bytes) ?? "")) {
      return file;
    }
    const model = await readFileContent(client, path, { ...options, as: "notebook" });
    if (model.type !== "file") {
      return model;
    }
    const [{ isSameContent }, { indentedJson }] = await Promise.all([
      import("../../api/content-server/write-verification.ts"),
      import("../../api/http/json-layout.ts"),
    ]);
    const item = withVersionOf(model.bytes, model.item);
    const isSame = isSameContent(path, file.bytes, model.bytes);
    return { ...model, item, bytes: isSame ? file.bytes : indentedJson(model.bytes) };
  }
}
