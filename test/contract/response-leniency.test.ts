import assert from "node:assert/strict";
import * as z from "zod/mini";
import type { AnyOperation } from "../../src/api/catalogue/operation.ts";
import { catalogue } from "../../src/api/catalogue/operations/catalogue.ts";
import { getSettings } from "../../src/api/catalogue/operations/workspaces.ts";
import { type OperationOutcome, runOperation } from "../../src/api/families/operation-outcome.ts";
import { anyInputOf } from "./inputs.ts";
import { type ContractTenant, perDialect } from "./tenant.ts";

/** The fields that the API description shows in a response and without which the operation has no use. */
const shown: Readonly<Record<string, readonly string[]>> = {
  "contents.checkpoints.create": ["id"],
  "contents.create": ["name", "path", "type"],
  "contents.get": ["name", "path", "type"],
  "contents.rename": ["name", "path", "type"],
  "contents.update": ["name", "path", "type"],
  "designs.get": ["id"],
  "workspaces.get": ["id"],
  "workspaces.namespace.get": ["name"],
};

/** The fields of entries of lists that the API description shows and without which an entry has no use. */
const shownInEntries: Readonly<Record<string, readonly string[]>> = {
  "contents.checkpoints.list": ["id"],
  "designs.list": ["id"],
  "designs.versions.list": ["version"],
  "workspaces.search": ["id"],
};

const parsed = catalogue.filter(({ responseFormat }) => responseFormat === "json");
const nothing: readonly (readonly [status: number, body: string])[] = [
  ...([
    [200, "{}"],
    [200, "[]"],
    [200, "null"],
    [200, ""],
    [204, ""],
    [201, '{"undescribed":"x"}'],
  ] as const),
];

function isList({ response }: AnyOperation): boolean {
  return response instanceof z.ZodMiniArray;
}

async function call(tenant: ContractTenant, operation: AnyOperation, status: number, body: string): Promise<unknown> {
  const action = { kind: "response", status, body } as const;
  return tenant.broken(action, () => tenant.call(operation, anyInputOf(operation)));
}

async function run(tenant: ContractTenant, operation: AnyOperation, body: string): Promise<OperationOutcome> {
  const client = tenant.clientOf(operation);
  const action = { kind: "response", status: 200, body } as const;
  return tenant.broken(action, () => runOperation(client, operation, anyInputOf(operation)));
}

perDialect("responses without what the description doesn't show", `${parsed.length} operations`, (current) => {
  for (const operation of parsed) {
    const { id } = operation;
    const required = shown[id];

    // Proves 2.11: nothing is required of a response that the description doesn't show
    it(`${id} requires ${required === undefined ? "no fields" : required.join(", ")}`, async () => {
      for (const [status, body] of nothing) {
        const response = call(current(), operation, status, body);
        if (required === undefined) {
          const isUndescribedEntry = isList(operation) && body.includes("undescribed");
          await (isUndescribedEntry ? assert.rejects(response) : response);
          continue;
        }
        const { failureCause } = await current().failure(response);
        assert.deepEqual(failureCause, { type: "unexpectedResponse", fields: required }, body);
      }
    });

    it(`${id} is shown in any format`, async () => {
      for (const body of ["{}", "[]", '{"undescribed":[{"a":1}]}', "[[1]]", '"text"', "5", '[{"id":{"a":1}}]']) {
        const outcome = await run(current(), operation, body);
        assert.equal(outcome.successful, true);
        assert.deepEqual(outcome.successful && outcome.value, JSON.parse(body), body);
      }
    });
  }

  for (const operation of parsed.filter(isList)) {
    const { id } = operation;
    const required = shownInEntries[id] ?? [];

    // Proves 2.11: a list is found in a container that the description doesn't show
    it(`${id} is found in an unknown container`, async () => {
      const entry = Object.fromEntries(required.map((name) => [name, "x"]));
      const entries = [{ ...entry, undescribed: 1 }, entry];
      for (const container of [{ undescribed: entries }, { count: 2, data: { undescribed: entries, errors: [] } }]) {
        assert.deepEqual(await call(current(), operation, 200, JSON.stringify(container)), entries);
      }
      const byId = { one: { ...entry, undescribed: 1 }, two: { ...entry, undescribed: 2 } };
      assert.deepEqual(await call(current(), operation, 200, JSON.stringify(byId)), Object.values(byId));
    });

    it(`${id} calls a wrong type a wrong type`, async () => {
      for (const [body, type] of [
        ["5", "number"],
        ['"text"', "string"],
        ['{"a":"b"}', "object"],
      ] as const) {
        const failure = await current().failure(call(current(), operation, 200, body));
        assert.match(failure.message, new RegExp(`has the wrong type \\(${type}\\)`), body);
        assert.doesNotMatch(failure.message, /missing/);
      }
    });
  }

  it("are requested from a tenant that responds otherwise", async () => {
    assert.equal((await current().platform().call(getSettings, {})).isEnabled, true);
  });

  it("have no declared fields of an operation that doesn't exist", () => {
    const ids: readonly string[] = catalogue.map(({ id }) => id);
    assert.deepEqual(
      [...Object.keys(shown), ...Object.keys(shownInEntries)].filter((id) => !ids.includes(id)),
      [],
    );
  });
});
