import assert from "node:assert/strict";
import { CancellationError } from "vscode";
import { dialects } from "../../../../src/api/http/dialects.ts";
import {
  definitionDocuments,
  definitionUri,
  editDefinition,
} from "../../../../src/features/workflows/definition-document.ts";
import { documentAddressOf } from "../../../../src/ui/documents/document-address.ts";
import { nextMessage } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

const version = { tenantId: "acme", modelId: "m/1", name: "Nightly load", version: "2.0.0" };
const uri = definitionUri(version);
const address = documentAddressOf(uri) ?? assert.fail("no address");
const step = (id: string) => ({ id, type: "task", data: { title: id } });
const before = { version: 2, designElements: [step("a"), step("b")], custom: { kept: [1, 2] } };

describe("the definition of a workflow version as a document", () => {
  let onPlatform: object;
  let failure: number | undefined;
  let fake: ReturnType<typeof fakePlatform>;
  let documents: ReturnType<typeof definitionDocuments>;

  beforeEach(() => {
    onPlatform = before;
    failure = undefined;
    fake = fakePlatform(({ method, path }) => {
      if (method === "PUT") {
        return failure === undefined ? json(200, {}) : json(failure, { message: "The step b has no function." });
      }
      return path.endsWith("/definition")
        ? json(200, onPlatform)
        : json(200, { id: "m/1", versions: [{ version: "2.0.0", deployedOn: "2026-01-01T00:00:00Z" }] });
    }, dialects.domo);
    documents = definitionDocuments({ platform: async () => fake.platform });
  });
  afterEach(() => documents.dispose());

  const sent = () =>
    fake.requests.filter(({ method }) => method === "PUT").map(({ path, body }) => [path, JSON.parse(String(body))]);

  it("is sent as it was edited, after a confirmation that names the version and counts its steps", async () => {
    const text = await documents.source.read(address, uri);
    assert.deepEqual(JSON.parse(String(text)), before);
    const edited = { ...before, designElements: [...before.designElements, step("c")] };
    for (const choice of [undefined, "Send"] as const) {
      const asked = nextMessage();
      const written = documents.source.write(address, JSON.stringify(edited), uri);
      const { text: question, detail = "", choose } = await asked;
      assert.equal(question, "Replace the definition Nightly load v2.0.0 (definition).json?");
      assert.match(detail, /^Steps now: 2\nSteps afterward: 3\ndesignElements: /);
      assert.deepEqual(sent(), []);
      choose(choice);
      await (choice === undefined ? assert.rejects(written, CancellationError) : written);
    }
    assert.deepEqual(sent(), [["/api/workflow/v2/models/m%2F1/versions/2.0.0/definition", edited]]);
  });

  it("says what someone else has changed meanwhile, and what the platform refuses", async () => {
    await documents.source.read(address, uri);
    onPlatform = { ...before, custom: { kept: [3] } };
    failure = 400;
    const asked = nextMessage();
    const written = documents.source.write(address, JSON.stringify({ ...before, name: "mine" }), uri);
    const { detail = "", choose } = await asked;
    assert.match(detail, /Someone else has changed it .*:\ncustom\.kept: \[1,2\] → \[3\]$/s);
    choose("Send Anyway");
    await assert.rejects(written, /The step b has no function\./);
  });

  it("that isn't a JSON object, or is unchanged, causes no request and no question", async () => {
    await documents.source.read(address, uri);
    await assert.rejects(
      documents.source.write(address, "[1]", uri),
      /^Error: Nightly load v2\.0\.0 \(definition\)\.json wasn't sent: it must be a JSON object in braces\.$/,
    );
    await documents.source.write(address, JSON.stringify(before), uri);
    assert.deepEqual(sent(), []);
  });

  it("isn't opened for a released version", async () => {
    await assert.rejects(
      editDefinition({ ...version, client: fake.platform }),
      /^Error: Nightly load v2\.0\.0 is released, so its definition can't be changed\. Create a new version/,
    );
  });
});
