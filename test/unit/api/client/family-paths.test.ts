import assert from "node:assert/strict";
import fc from "fast-check";
import * as z from "zod/mini";
import type { AnyOperation } from "../../../../src/api/catalogue/operation.ts";
import * as designs from "../../../../src/api/catalogue/operations/designs.ts";
import * as pages from "../../../../src/api/catalogue/operations/pages.ts";
import * as sandbox from "../../../../src/api/catalogue/operations/sandbox.ts";
import * as workflows from "../../../../src/api/catalogue/operations/workflows.ts";
import { dialects, pathTemplateOf } from "../../../../src/api/http/dialects.ts";
import { failureOf, fakePlatform, json, origin } from "../fake-platform.ts";

type PlatformOperation = AnyOperation & { readonly credential: "platform" };
const operations: readonly PlatformOperation[] = [pages, workflows, designs, sandbox]
  .flatMap((family): readonly AnyOperation[] => Object.values(family))
  .map((operation) => operation as PlatformOperation);
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    "..",
    ".",
    "../..",
    "%2e%2e",
    "a/../b",
    "a\\b",
    "//evil.example.com",
    "?x=1",
    "#f",
    "@x:9",
    "a;b",
    "%",
  ),
  fc.array(fc.constantFrom("..", "/", "\\", "?", "#", "%2F", "a", "\0", "\ud800", "é", " ")).map((all) => all.join("")),
);

/** The values of required query parameters. */
const query = { modelId: "m" };
/** A parameter with listed values accepts no other text. */
const words: Readonly<Record<string, string>> = { type: "user" };
const bodies: Readonly<Record<string, unknown>> = {
  "designs.admins.add": [1],
  "sandbox.repositories.access.update": ["acme.example.com"],
  "sandbox.repositories.commitRequests.create": { summary: "s" },
  "sandbox.repositories.permissions.update": [{ userId: "1", groupId: "", permission: "EDIT" }],
  "sandbox.promotions.promoteAndSeed": { commitId: "c", mapping: [] },
  "workflows.versions.createFirst": { version: "1.0.0", savedJson: "{}" },
};

describe("addresses of operations on pages, workflows, app designs, and the sandbox", () => {
  for (const dialect of Object.values(dialects)) {
    for (const operation of operations.filter(({ pathParameters }) => Object.keys(pathParameters).length > 0)) {
      const names = [...pathTemplateOf(operation, dialect).matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      it(`${operation.id} (${dialect.id}) encodes any Unicode, or rejects it before sending`, async () => {
        const fake = fakePlatform(() => json(200, {}), dialect);
        const template = pathTemplateOf(operation, dialect).split("/");
        await fc.assert(
          fc.asyncProperty(fc.array(text, { minLength: names.length, maxLength: names.length }), async (values) => {
            const before = fake.requests.length;
            const parameters = Object.fromEntries(
              names.map((name, index) => [name, words[name] ?? values[index] ?? ""]),
            );
            const given = { ...("modelId" in operation.queryParameters ? query : {}), ...parameters };
            try {
              await fake.platform.raw(operation, { ...given, ...bodyFor(operation) } as never);
            } catch (error) {
              const failure = await failureOf(Promise.reject(error));
              assert.deepEqual([failure.kind, failure.failureCause.type], ["request", "input"]);
              assert.equal(fake.requests.length, before, "a refused input was sent");
              return;
            }
            assert.equal(fake.requests.length, before + 1, "one call sent more than one request");
            const sent = fake.requests.at(-1);
            assert.equal(sent?.origin, origin);
            const url = new URL(`${sent.origin}${sent.path}`);
            assert.equal(`${url.pathname}${url.search}`, sent.path, "the path is not in its final form");
            const parts = url.pathname.split("/");
            assert.equal(parts.length, template.length, `${sent.path} left its path`);
            for (const [index, part] of template.entries()) {
              const name = /^\{(\w+)\}$/.exec(part)?.[1];
              const expected = name === undefined ? part : parameters[name];
              assert.equal(decodeURIComponent(parts[index] ?? ""), expected);
            }
          }),
          { numRuns: 100 },
        );
        assert.ok(
          fake.requests.length > 30,
          `only ${fake.requests.length} of 100 were sent: the test tries too little`,
        );
      });
    }
  }

  it("encode any text in a query", async () => {
    const fake = fakePlatform(() => json(200, []));
    await fc.assert(
      fc.asyncProperty(
        text.filter((one) => one !== "" && one.isWellFormed()),
        async (entityId) => {
          await fake.platform.raw(workflows.getWorkflowUsage, { entityId });
          const url = new URL(`${origin}${fake.requests.at(-1)?.path}`);
          assert.equal(url.pathname, "/api/workflow/v2/models/usage");
          assert.deepEqual([...url.searchParams], [["entityId", entityId]]);
        },
      ),
      { numRuns: 200 },
    );
  });
});

function bodyFor(operation: AnyOperation): { readonly body?: unknown } {
  const body = bodies[operation.id];
  return body === undefined || !z.safeParse(operation.body, body).success ? {} : { body };
}
