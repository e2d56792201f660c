import { isContentPath } from "../catalogue/content-path.ts";

/** Where the kernel has the files of the content server, and the code of cells. Absolute paths on the server. */
export interface ServerLayout {
  /** The directory of the content server, by each of its names if it is reached through a link. */
  readonly roots: readonly string[];
  /** Start of the paths of files with the code of cells. */
  readonly cellPrefix: string;
  readonly cellSuffix: string;
}

/** A file on the server, by what the editor can open. `hash`: that of the cell's code. */
export type ServerSource =
  | { readonly kind: "cell"; readonly hash: string }
  | { readonly kind: "workspace"; readonly path: string }
  | { readonly kind: "library"; readonly path: string };

/** What a path of the debugger is. Undefined for code without a file, such as `<string>`. */
export function serverSource(path: string, { roots, cellPrefix, cellSuffix }: ServerLayout): ServerSource | undefined {
  const file = slashed(path);
  const prefix = slashed(cellPrefix);
  if (prefix !== "" && file.startsWith(prefix) && file.endsWith(cellSuffix)) {
    return { kind: "cell", hash: file.slice(prefix.length, file.length - cellSuffix.length) };
  }
  for (const root of roots) {
    const start = withSlash(slashed(root));
    const relative = file.startsWith(start) ? file.slice(start.length) : "";
    if (relative !== "" && isContentPath(relative)) {
      return { kind: "workspace", path: relative };
    }
  }
  return /^(?:\/|[a-z]:\/)/i.test(file) ? { kind: "library", path } : undefined;
}

/** The path on the server of a file of the workspace; undefined if its directory isn't known. */
export function serverPath(contentPath: string, { roots: [root] }: ServerLayout): string | undefined {
  if (root === undefined) {
    return undefined;
  }
  const path = `${withSlash(slashed(root))}${contentPath}`;
  return root.includes("\\") ? path.replaceAll("/", "\\") : path;
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}
