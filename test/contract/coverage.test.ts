import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dialects } from "../../src/api/dialects.ts";
import { type CatalogueOperation, catalogue } from "../../src/api/operations/catalogue.ts";

interface Endpoint {
  readonly section: string;
  readonly method: string;
  readonly path: string;
}

/** The path as the API description writes it: no word of the parameters' spelling, no leading slash. */
function comparable(path: string): string {
  return path
    .replace("{content-server prefix}", "")
    .replace(/\{[^}]*\}/g, "{}")
    .replace(/^\/+/, "");
}

function described(operation: CatalogueOperation): string {
  const path = operation.path.replace("<services>", dialects.documented.segments.services);
  return `${operation.section} ${operation.method} ${comparable(path)}`;
}

describe("catalogue", () => {
  it("has every endpoint of the API description, 4.1 and 4.2, once, and no other in these sections", async () => {
    const endpoints: readonly Endpoint[] = JSON.parse(
      await readFile(new URL("endpoints.json", import.meta.url), "utf8"),
    );
    assert.equal(endpoints.length, 13);
    const wanted = endpoints.map(({ section, method, path }) => `${section} ${method} ${comparable(path)}`);
    const declared = catalogue.filter(({ section }) => section !== "beyond").map(described);
    assert.deepEqual(declared.toSorted(), wanted.toSorted());
  });

  it("has no id and no method with path twice", () => {
    assert.equal(new Set(catalogue.map(({ id }) => id)).size, catalogue.length);
    assert.equal(new Set(catalogue.map(({ method, path }) => `${method} ${path}`)).size, catalogue.length);
  });

  it("declares each path parameter that its template names, and no other", () => {
    for (const { id, path, pathParameters } of catalogue) {
      const named = [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => name);
      assert.deepEqual(Object.keys(pathParameters).toSorted(), named.toSorted(), id);
    }
  });

  it("gives content-server operations the notebook token and all others the platform credential", () => {
    for (const { id, path, credential } of catalogue) {
      assert.equal(credential, path.startsWith("/") ? "platform" : "notebook", id);
    }
  });

  it("names failure and entity by parameters that there are", () => {
    for (const { id, failure, entity, pathParameters } of catalogue) {
      for (const [, name] of `${failure} ${entity}`.matchAll(/\{(\w+)\}/g)) {
        assert.equal(name !== undefined && name in pathParameters, true, `${id}: {${name}}`);
      }
    }
  });

  it("marks what changes something as such", () => {
    for (const { id, method, effect } of catalogue) {
      const reads = method === "GET" || id.endsWith(".search");
      assert.equal(effect === "read", reads, id);
    }
  });
});
