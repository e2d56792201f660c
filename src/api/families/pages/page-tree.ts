import { containedList } from "../../client/contained-list.ts";
import { isRecord, type Members } from "../../records.ts";

/** A page in the hierarchy. `fields` contains everything that the platform returned for it. */
export interface PageNode {
  readonly id: string;
  readonly title: string;
  readonly children: readonly PageNode[];
  readonly fields: Members;
}

interface GrowingNode extends PageNode {
  readonly children: GrowingNode[];
}

/**
 * The page tree of a navigation response: an array of pages, or an object that contains one. Pages are nested, or they
 * are a flat list in which they name their parents. An entry without an id, such as a heading, is replaced by its
 * children. Uses no recursion, because the server determines the depth.
 */
export function pageTree(response: unknown): readonly PageNode[] {
  const contained = containedList(response);
  const entries = contained.type === "list" ? contained.items : [];
  const top: GrowingNode[] = [];
  const levels: { readonly entries: Iterator<unknown>; readonly nodes: GrowingNode[] }[] = [];
  const enter = (list: unknown, nodes: GrowingNode[]): void => {
    if (Array.isArray(list) && list.length > 0) {
      levels.push({ entries: list.values(), nodes });
    }
  };
  enter(entries, top);
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { done, value } = level.entries.next();
    if (done === true) {
      levels.pop();
    } else if (isRecord(value)) {
      const node = nodeOf(value);
      if (node !== undefined) {
        level.nodes.push(node);
      }
      enter(value.children, node?.children ?? level.nodes);
    }
  }
  return top.some(({ children }) => children.length > 0) ? top : nested(top);
}

function nodeOf(fields: Members): GrowingNode | undefined {
  const id = idOf(fields.id) ?? idOf(fields.pageId);
  if (id === undefined) {
    return undefined;
  }
  const title = optionalText(fields.title) ?? optionalText(fields.pageTitle) ?? optionalText(fields.pageName) ?? id;
  return { id, title, children: [], fields };
}

/** Puts the pages of a flat list below their parents. Of pages that are below each other, one stays at the top. */
function nested(flat: readonly GrowingNode[]): readonly PageNode[] {
  const nodes = new Map(flat.toReversed().map((node) => [node.id, node]));
  const parentOf = ({ fields }: GrowingNode): GrowingNode | undefined =>
    nodes.get(idOf(fields.parent) ?? idOf(fields.parentId) ?? idOf(fields.parentPageId) ?? "");
  const top = new Set<GrowingNode>();
  const reachingTop = new Set<GrowingNode>();
  for (const node of flat) {
    const path = new Set<GrowingNode>();
    let last = node;
    let next: GrowingNode | undefined = node;
    while (next !== undefined && !path.has(next) && !reachingTop.has(next)) {
      path.add(next);
      last = next;
      next = parentOf(next);
    }
    const above = parentOf(last);
    if (path.size > 0 && (above === undefined || path.has(above))) {
      top.add(last);
    }
    for (const one of path) {
      reachingTop.add(one);
    }
  }
  for (const node of flat) {
    if (!top.has(node)) {
      parentOf(node)?.children.push(node);
    }
  }
  return flat.filter((node) => top.has(node));
}

function idOf(value: unknown): string | undefined {
  return typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : undefined;
}

function optionalText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
