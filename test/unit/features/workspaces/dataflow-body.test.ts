import assert from "node:assert/strict";
import { wholeFilterView } from "../../../../src/api/catalogue/models/pages.ts";
import { AccountScope } from "../../../../src/api/client/account-scope.ts";
import { AnalyzerDocuments, settingsSchema } from "../../../../src/features/pages/analyzer-document.ts";
import { DataflowDocuments } from "../../../../src/features/workspaces/dataflow-documents.ts";
import { StandInMemento } from "../../../harness/editor-stand-in/memory.ts";
import { Uri } from "../../../harness/editor-stand-in/vscode.ts";

describe("a dataflow update that nobody has written yet", () => {
  it("starts with an example, and a schema explains each of its members", async () => {
    const account = new AccountScope();
    const documents = new DataflowDocuments(new StandInMemento(), { account: () => account });
    const address = { kind: "dataflow", tenantId: "acme", workspaceId: "w", key: "n", title: "a.json" };
    const uri = Uri.parse("platform-documents://w.acme/dataflow/n/a.json");
    const [body, schema] = await Promise.all([documents.body, documents.schema].map((one) => one.read(address, uri)));
    const example: object = JSON.parse(String(body));
    const { properties } = JSON.parse(String(schema));
    assert.ok(Object.keys(example).length > 1);
    for (const [name, value] of Object.entries(example)) {
      assert.equal(properties[name].type, typeof value);
      assert.match(properties[name].description, /\w+\.$/);
    }
  });
});

describe("analyzer settings that nobody has sent yet", () => {
  it("start with an example that has the shape of a saved filter view, which their schema completes", async () => {
    const connections = { platform: () => Promise.reject(new Error("not needed")) };
    const documents = new AnalyzerDocuments({ connections, onSaved: () => {} });
    const address = { kind: "filter-view", tenantId: "acme", workspaceId: "", key: "7", title: "a.json" };
    const example: object = JSON.parse(documents.read(address));
    assert.deepEqual(wholeFilterView.parse(example), example);
    const [view] = settingsSchema().anyOf ?? [];
    assert.ok(typeof view === "object");
    for (const name of Object.keys(example)) {
      assert.ok(name in (view.properties ?? {}), name);
    }
  });
});
