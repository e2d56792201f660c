import type { ServerSource } from "./server-paths.ts";

/** What the editor has for a source: the code of a cell, a file of the workspace, or one of a library on the server. */
export type EditorSource =
  | { readonly kind: "cell"; readonly code: string }
  | { readonly kind: "workspace" | "library"; readonly path: string };

/** The editor's sources, by the text of their addresses. */
export interface EditorSources {
  /** Undefined for a source that the kernel doesn't have. */
  find(address: string): EditorSource | undefined;
  /** The address and the name of a source on the server. `hashOf`: the hash of a cell's code, as in its file's name. */
  addressOf(
    source: ServerSource,
    hashOf: (code: string) => string,
  ): { readonly path: string; readonly name: string } | undefined;
}
