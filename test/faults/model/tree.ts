import { parentOf } from "../../../src/api/catalogue/content-path.ts";
import { comparableBytes } from "./contents.ts";
import { isBelow } from "./paths.ts";

export type Node =
  | { readonly type: "directory" }
  /** `content`: in its comparable form. `revision`: changes with each write. */
  | { readonly type: "file"; readonly content: string; readonly revision: number };

/** The expected content of the server. Changes are those that were reported as successful. */
export class ModelTree {
  #nodes = new Map<string, Node>();
  #revision = 0;
  /** The states of each path, the newest last, each with the time (a count of changes) since when. */
  readonly #history = new Map<string, { readonly since: number; readonly node: Node | undefined }[]>();
  #time = 0;

  get time(): number {
    return this.#time;
  }

  get(path: string): Node | undefined {
    return path === "" ? { type: "directory" } : this.#nodes.get(path);
  }

  paths(): readonly string[] {
    return [...this.#nodes.keys()];
  }

  entries(): readonly (readonly [string, Node])[] {
    return [...this.#nodes];
  }

  below(path: string): readonly string[] {
    return this.paths().filter((other) => isBelow(other, path));
  }

  hasParent(path: string): boolean {
    return this.get(parentOf(path))?.type === "directory";
  }

  write(path: string, bytes: Uint8Array): void {
    this.#revision += 1;
    this.#change([[path, { type: "file", content: comparableBytes(bytes), revision: this.#revision }]]);
  }

  createDirectory(path: string): void {
    this.#change([[path, { type: "directory" }]]);
  }

  delete(path: string): void {
    this.#change([path, ...this.below(path)].map((gone) => [gone, undefined]));
  }

  move(from: string, to: string): void {
    const moved = this.#copies(from, to, (node) => node);
    if (this.get(to) !== undefined) this.delete(to);
    this.#change([...[from, ...this.below(from)].map((gone) => [gone, undefined] as const), ...moved]);
  }

  copy(from: string, to: string): void {
    const copied = this.#copies(from, to, (node) => {
      this.#revision += 1;
      return node.type === "file" ? { ...node, revision: this.#revision } : node;
    });
    if (this.get(to) !== undefined) this.delete(to);
    this.#change(copied);
  }

  /** The states of the path since then, including the one at that time. */
  since(path: string, time: number): readonly (Node | undefined)[] {
    const all = this.#history.get(path) ?? [{ since: 0, node: undefined }];
    const before = all.filter(({ since }) => since <= time).at(-1);
    return [before?.node, ...all.filter(({ since }) => since > time).map(({ node }) => node)];
  }

  #copies(from: string, to: string, as: (node: Node) => Node): readonly (readonly [string, Node])[] {
    return [from, ...this.below(from)].flatMap((path) => {
      const node = this.get(path);
      return node === undefined ? [] : [[to + path.slice(from.length), as(node)] as const];
    });
  }

  #change(changes: readonly (readonly [string, Node | undefined])[]): void {
    this.#time += 1;
    for (const [path, node] of changes) {
      if (node === undefined) this.#nodes.delete(path);
      else this.#nodes.set(path, node);
      const history = this.#history.get(path) ?? [{ since: 0, node: undefined }];
      history.push({ since: this.#time, node });
      this.#history.set(path, history);
    }
  }
}
