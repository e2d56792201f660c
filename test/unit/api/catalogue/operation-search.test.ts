import assert from "node:assert/strict";
import { bestMatch, operationsWithWords, similarIds } from "../../../../src/api/catalogue/operation-search.ts";
import { catalogue } from "../../../../src/api/catalogue/operations/catalogue.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";

function found(typed: string, dialect = dialects.documented): readonly string[] {
  return operationsWithWords(catalogue, typed.split(" "), dialect).map(({ id }) => id);
}

describe("the search for operations", () => {
  it("finds words in any order, across id, method, path, and summary", () => {
    assert.ok(found("list workspaces").includes("workspaces.search"));
    assert.ok(found("page collection").includes("pages.collections.list"));
    assert.ok(found("designs list").includes("designs.list"));
    assert.deepEqual(found("delete POST designs"), []);
    assert.deepEqual(found("trigger DELETE stays"), ["workflows.triggers.delete"]);
    assert.ok(found("GET analyzer named").includes("pages.filterViews.list"));
  });

  it("finds paths of the API description and of the platform", () => {
    assert.ok(found("/platformapps/designs").includes("designs.versions.list"));
    assert.ok(found("/domoapps/designs", dialects.domo).includes("designs.versions.list"));
    assert.deepEqual(found("/domoapps/designs"), []);
  });

  it("finds all of them without words", () => {
    assert.equal(found("").length, catalogue.length);
  });

  it("prefers the operation that has exactly the typed name", () => {
    const best = (typed: string): string | undefined => bestMatch(catalogue, typed.split(" "))?.id;
    assert.equal(best("designs list"), "designs.list");
    assert.equal(best("list designs"), "designs.list");
    assert.equal(best("designs.list"), "designs.list");
    assert.equal(best("designs versions list"), "designs.versions.list");
    assert.equal(best("workflows create"), "workflows.create");
    assert.equal(best("card of a page"), undefined);
    assert.equal(best(""), undefined);
  });

  it("suggests the operations whose names are close to a mistyped one, the closest first", () => {
    const first = (typed: string): string | undefined => similarIds(catalogue, typed)[0];
    assert.equal(first("designs.lst"), "designs.list");
    assert.equal(first("design.list"), "designs.list");
    assert.equal(first("Designs.List"), "designs.list");
    assert.equal(first("workspace.serch"), "workspaces.search");
    assert.equal(first("workflow.triggers.delte"), "workflows.triggers.delete");
    for (const { id } of catalogue) assert.equal(first(`${id}x`), id);
  });

  it("suggests operations of the family otherwise, and never more than five", () => {
    const family = similarIds(catalogue, "designs.somethingEntirelyDifferent");
    assert.ok(family.length > 0 && family.every((id) => id.startsWith("designs.")), family.join());
    assert.deepEqual(similarIds(catalogue, "xyzzy"), []);
    for (const typed of ["designs", "designs.list", "pages.x.y", "x".repeat(100_000)]) {
      assert.ok(similarIds(catalogue, typed).length <= 5);
    }
  });
});
