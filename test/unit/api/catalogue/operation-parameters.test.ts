import assert from "node:assert/strict";
import * as z from "zod/mini";
import { acceptsBody, bodySchemaOf, firstBodyOf } from "../../../../src/api/catalogue/body-schema.ts";
import type { AnyOperation } from "../../../../src/api/catalogue/operation.ts";
import { parametersOf, shapeOf, valueFromText } from "../../../../src/api/catalogue/operation-parameters.ts";
import { catalogue } from "../../../../src/api/catalogue/operations/catalogue.ts";
import { getContent, updateContent } from "../../../../src/api/catalogue/operations/contents.ts";
import { listDesigns } from "../../../../src/api/catalogue/operations/designs.ts";
import { listUsers } from "../../../../src/api/catalogue/operations/users.ts";
import { getWorkspace, searchWorkspaces } from "../../../../src/api/catalogue/operations/workspaces.ts";
import { type Dialect, dialects } from "../../../../src/api/http/dialects.ts";

const all: readonly AnyOperation[] = catalogue;

describe("descriptions of parameters", () => {
  it("have a place, a default, a format, and whether they are required", () => {
    assert.deepEqual(parametersOf(getWorkspace), [
      {
        name: "workspaceId",
        place: "path",
        required: true,
        standard: undefined,
        choices: undefined,
        form: "text",
      },
    ]);
    const design = new Map(parametersOf(listDesigns).map((parameter) => [parameter.name, parameter]));
    assert.deepEqual([design.get("withPermission")?.standard, design.get("search")?.standard], ["ADMIN", ""]);
    assert.deepEqual(design.get("deleted")?.choices, ["true", "false"]);
    const content = new Map(parametersOf(getContent).map((parameter) => [parameter.name, parameter]));
    assert.deepEqual(content.get("content")?.choices, ["0", "1"]);
    assert.equal(content.get("type")?.form, "one of notebook, file, directory");
  });

  it("omit queries that a dialect doesn't send", () => {
    const names = (dialect?: Dialect) => parametersOf(listUsers, dialect).map(({ name }) => name);
    assert.deepEqual(
      [names(), names(dialects.documented), names(dialects.domo)],
      [["limit", "offset"], [], ["limit", "offset"]],
    );
  });

  const values: readonly (readonly [z.ZodMiniType, string, unknown])[] = [
    [z.string(), "12", "12"],
    [z.string(), "true", "true"],
    [z.optional(z.int()), "12", 12],
    [z.boolean(), "false", false],
    [z.union([z.literal(0), z.literal(1)]), "1", 1],
    [z.int(), "twelve", "twelve"],
    [z.int(), "", ""],
    [z.number(), "Infinity", "Infinity"],
    [z.number(), "0x1", 1],
  ];
  for (const [shape, text, value] of values) {
    it(`read ${JSON.stringify(text)} as ${JSON.stringify(value)}`, () =>
      assert.equal(valueFromText(shape, text), value));
  }

  it("convert each of their choices and defaults to a value that the operation accepts", () => {
    let tried = 0;
    for (const operation of all) {
      for (const { name, choices, standard } of parametersOf(operation)) {
        const shape = shapeOf(operation, name) ?? assert.fail(name);
        for (const text of [...(choices ?? []), ...(standard === undefined ? [] : [standard])]) {
          assert.ok(z.safeParse(shape, valueFromText(shape, text)).success, `${operation.id} ${name}=${text}`);
          tried += 1;
        }
      }
    }
    assert.ok(tried > 20, `only ${tried} choices and defaults`);
  });
});

describe("sample bodies", () => {
  it("have a schema and a first version, and contain only JSON values", () => {
    for (const operation of all.filter(acceptsBody)) {
      const schema = bodySchemaOf(operation);
      assert.equal(schema.title, operation.id);
      assert.deepEqual(JSON.parse(JSON.stringify(schema)), schema, operation.id);
      const first = firstBodyOf(operation);
      assert.deepEqual(JSON.parse(JSON.stringify(first)), first, operation.id);
    }
    assert.equal(acceptsBody(getWorkspace), false);
  });

  it("start with the defaults of the API description", () => {
    assert.deepEqual(firstBodyOf(searchWorkspaces), {
      limit: 50,
      offset: 0,
      sortFieldMap: { LAST_RUN: "DESC" },
      searchFieldMap: {},
      filters: [],
    });
    assert.equal(acceptsBody(updateContent), true);
  });
});
