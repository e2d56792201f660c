import assert from "node:assert/strict";
import { acceptsBody, type JsonSchema, schemaOf } from "../../src/api/catalogue/body-schema.ts";
import { catalogue } from "../../src/api/catalogue/operations/catalogue.ts";
import { listAccounts } from "../../src/api/catalogue/operations/data.ts";
import { dialects, pathTemplateOf } from "../../src/api/http/dialects.ts";
import { anyInputOf } from "./inputs.ts";
import { perDialect, wrongPlatformToken } from "./tenant.ts";

interface Bad {
  readonly body: unknown;
  /** The field that the error must name. */
  readonly field: RegExp;
}

/** Bodies with a wrong type, a wrong member, an additional member, or a missing one, derived from the schema. */
function badBodies(schema: JsonSchema, first: unknown): readonly Bad[] {
  const whole = ["text", 7, true].filter((body) => !accepts(schema, body)).map((body) => ({ body, field: /^body\b/ }));
  if (schema.type !== "object" || typeof first !== "object" || first === null) {
    return whole;
  }
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const wrong = typeof member === "object" ? wrongValueFor(member) : undefined;
    return wrong === undefined ? [] : [{ body: { ...first, [name]: wrong }, field: new RegExp(`^body\\.${name}\\b`) }];
  });
  const missing = (schema.required ?? []).map((name) => ({
    body: Object.fromEntries(Object.entries(first).filter(([one]) => one !== name)),
    field: new RegExp(`^body\\.${name}\\b`),
  }));
  const surplus =
    schema.additionalProperties === false ? [{ body: { ...first, surplus: 1 }, field: /^body\b.*surplus/s }] : [];
  return [...whole, ...members, ...missing, ...surplus];
}

function accepts(schema: JsonSchema, value: unknown): boolean {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    return choices.some((choice) => typeof choice === "boolean" || accepts(choice, value));
  }
  if (Array.isArray(schema.type)) {
    return schema.type.some((type) => accepts({ type }, value));
  }
  return schema.type === undefined || schema.type === typeof value || (schema.type === "integer" && value === 7);
}

function wrongValueFor(schema: JsonSchema): unknown {
  return ["text", 7, true].find((value) => !accepts(schema, value));
}

const operations = catalogue.filter(acceptsBody);

perDialect("bad input", `${operations.length} operations with a body`, (current) => {
  for (const operation of operations) {
    it(`${operation.id} rejects an invalid body before a request, and names the field`, async () => {
      const tenant = current();
      const input = anyInputOf(operation);
      const cases = badBodies(schemaOf(operation.body), input.body);
      assert.ok(cases.length > 0, "there is no body that it refuses");
      const before = tenant.proxyOf(operation).requests.length;
      for (const { body, field } of cases) {
        const failure = await tenant.failure(tenant.rawCall(operation, { ...input, body }));
        assert.deepEqual([failure.kind, failure.operationId], ["request", operation.id]);
        const cause = failure.failureCause;
        assert.ok(cause.type === "input", JSON.stringify(cause));
        assert.match(`${cause.field} ${failure.message}`, field, `${JSON.stringify(body)}: ${failure.message}`);
        assert.ok(failure.message.includes(cause.field), failure.message);
      }
      assert.equal(tenant.proxyOf(operation).requests.length, before, "a request was sent");
    });
  }

  // Proves 4.1: Path parameters are strings, each a single segment
  it("rejects an invalid parameter by name", async () => {
    for (const operation of catalogue) {
      const template = pathTemplateOf(operation, dialects[current().dialect]);
      for (const name of Object.keys(operation.pathParameters).filter((one) => template.includes(`{${one}`))) {
        const before = current().proxyOf(operation).requests.length;
        const failure = await current().failure(
          current().rawCall(operation, { ...anyInputOf(operation), [name]: { not: "a text" } }),
        );
        assert.deepEqual([failure.kind, failure.failureCause.type], ["request", "input"], operation.id);
        assert.ok(failure.message.includes(name), failure.message);
        assert.equal(current().proxyOf(operation).requests.length, before);
      }
    }
  });

  it("sends valid input", async () => {
    assert.equal((await current().platform().raw(listAccounts, {})).status, 200);
    await current().failure(current().platform(wrongPlatformToken).call(listAccounts, {}));
  });
});
