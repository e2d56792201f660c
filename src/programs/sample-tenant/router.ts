import { type CatalogueOperation, catalogue } from "../../api/catalogue/operations/catalogue.ts";
import { type Dialect, pathTemplateOf } from "../../api/http/dialects.ts";

/** The operation of a request, with its path parameters decoded; a content path keeps its leading slash. */
type Match =
  | {
      readonly kind: "operation";
      readonly operation: CatalogueOperation;
      readonly parameters: ReadonlyMap<string, string>;
    }
  | { readonly kind: "methodNotAllowed" }
  | { readonly kind: "unknown" };

/** The path has an invalid percent-encoding. */
export class PathEncodingError extends Error {}

interface Route {
  readonly operation: CatalogueOperation;
  readonly names: readonly string[];
  readonly pattern: RegExp;
  /** Length of the fixed text in the template. Longer ones are tried first. */
  readonly fixed: number;
}

/** Finds operations of the catalog by method and path. */
export class Router {
  readonly #routes: readonly Route[];

  /** Serves operations of one credential kind; the dialect provides the parts that templates name as `<name>`. */
  constructor(
    credential: CatalogueOperation["credential"],
    dialect: Dialect,
    isServed: (operation: CatalogueOperation) => boolean = () => true,
  ) {
    this.#routes = catalogue
      .filter((operation) => operation.credential === credential && isServed(operation))
      .map((operation) => compile(operation, dialect))
      .sort((left, right) => right.fixed - left.fixed);
  }

  /** Matches an encoded path without a leading slash. Throws a PathEncodingError. */
  match(method: string, path: string): Match {
    const routes = this.#routes.filter((candidate) => candidate.pattern.test(path));
    const [first] = routes;
    if (first === undefined) {
      return { kind: "unknown" };
    }
    // The platform finds a route by path and method, a content server by the path alone.
    const route = routes.find(
      ({ operation, pattern }) =>
        operation.method === method && (operation.credential === "platform" || pattern.source === first.pattern.source),
    );
    if (route === undefined) {
      return { kind: "methodNotAllowed" };
    }
    const values = route.pattern.exec(path)?.slice(1) ?? [];
    const parameters = new Map(route.names.map((name, index) => [name, decodePath(values[index] ?? "")]));
    return { kind: "operation", operation: route.operation, parameters };
  }
}

function compile(operation: CatalogueOperation, dialect: Dialect): Route {
  const template = pathTemplateOf(operation, dialect).replace(/^\//, "");
  const names: string[] = [];
  const source = template.replace(/\/\{(\w+)\*\}|\{(\w+)\}|[^\w/]/g, (text, many?: string, one?: string) => {
    const name = many ?? one;
    if (name === undefined) {
      return `\\${text}`;
    }
    names.push(name);
    return many === undefined ? "([^/]+)" : "((?:/[^/]+)+|/?)";
  });
  return { operation, names, pattern: new RegExp(`^${source}$`), fixed: template.replace(/\{[^{}]*\}/g, "").length };
}

/** Decodes percent-encoded text. A percent sign that doesn't start a code stays unchanged. */
export function decodePath(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    const bytes = Buffer.from(codes.replaceAll("%", ""), "hex");
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new PathEncodingError(codes);
    }
  });
}
