import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { type CatalogueOperation, catalogue } from "../../src/api/catalogue/operations/catalogue.ts";
import { dialects, pathTemplateOf } from "../../src/api/http/dialects.ts";

interface Endpoint {
  readonly section: string;
  readonly method: string;
  readonly path: string;
}

/**
 * The path in the spelling of the API description, without the names of parameters and without the prefixes that it
 * leaves open.
 */
function comparable(path: string): string {
  return path
    .replace("{content-server prefix}", "")
    .replace("{internal_base_url}", "")
    .replace(/^\.\.\.\//, `${dialects.documented.segments.sandbox}/`)
    .replace(/\{[^}]*\}/g, "{}")
    .replace(/^\/+/, "");
}

function described(operation: CatalogueOperation): string {
  const path = pathTemplateOf(operation, dialects.documented);
  return `${operation.section} ${operation.method} ${comparable(path)}`;
}

const endpoints: readonly Endpoint[] = JSON.parse(await readFile(new URL("endpoints.json", import.meta.url), "utf8"));

describe("catalogue", () => {
  // Proves 4.3: Rule 1: no operation removes a principal of a design
  // Proves 9: The version is a segment of the path, by family; Workflow reads, deletion, locks, and permissions are v1
  // Proves 9: Creation, versions, executions, triggers, usage, and forms are v2; A first version can be created in v1
  // Proves 9: Pages are v1, v2, or v3 by endpoint; The sandbox is v1
  it(`has every endpoint of the API description, 4.1 to 4.8, exactly once, and no others in these sections`, () => {
    assert.equal(endpoints.length, 92);
    const wanted = endpoints.map(({ section, method, path }) => `${section} ${method} ${comparable(path)}`);
    const declared = catalogue.filter(({ section }) => section !== "beyond").map(described);
    const missing = wanted.filter((one) => !declared.includes(one));
    console.log(`      ${wanted.length - missing.length} of ${wanted.length} endpoints`);
    assert.deepEqual(missing, [], `${missing.length} endpoints have no operation`);
    assert.deepEqual(declared.toSorted(), wanted.toSorted());
  });

  it("has no catch-all paths: parameters are single segments, except for content paths", () => {
    for (const { id, path, section } of catalogue) {
      const text = path.replace(/\{\w+\}/g, "").replace(/<\w+>/g, "");
      const isContentPath = section === "4.2" || id.startsWith("contents.");
      assert.match(isContentPath ? text.replace(/\{\w+\*\}/, "") : text, /^[\w/-]+$/, id);
      const whole = pathTemplateOf({ id, path }, dialects.documented);
      assert.ok(whole.split("/").filter((segment) => /^[\w-]+$/.test(segment)).length >= 2, `${id}: ${whole}`);
    }
  });

  it("has unique ids, and unique methods and paths", () => {
    assert.equal(new Set(catalogue.map(({ id }) => id)).size, catalogue.length);
    assert.equal(new Set(catalogue.map(({ method, path }) => `${method} ${path}`)).size, catalogue.length);
  });

  it("declares exactly the path parameters of its templates", () => {
    for (const { id, path, pathParameters } of catalogue) {
      const templates = Object.values(dialects).map((dialect) => pathTemplateOf({ id, path }, dialect));
      const named = templates.flatMap((template) => [...template.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => name));
      assert.deepEqual(Object.keys(pathParameters).toSorted(), [...new Set(named)].toSorted(), id);
    }
  });

  // Proves 4.1: The standard authentication applies everywhere
  it("uses the notebook token for content servers, the internal secret for the front door, and the platform's credential for all others", () => {
    for (const { id, path, section, credential } of catalogue) {
      const others = section === "4.8" ? "internal" : "platform";
      assert.equal(credential, path.startsWith("/") ? others : "notebook", id);
    }
  });

  it("uses only declared parameters in failures and entities", () => {
    for (const { id, failure, entity, pathParameters, queryParameters } of catalogue) {
      for (const [, name] of `${failure} ${entity}`.matchAll(/\{(\w+)\}/g)) {
        const names = [...Object.keys(pathParameters), ...Object.keys(queryParameters)];
        assert.equal(name !== undefined && names.includes(name), true, `${id}: {${name}}`);
      }
    }
  });

  it("marks operations that change something", () => {
    for (const { id, method, effect } of catalogue) {
      const reads = method === "GET" || /\.(?:search|validate|query)$/.test(id);
      assert.equal(effect === "read", reads, id);
    }
  });
});
