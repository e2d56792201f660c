import assert from "node:assert/strict";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { cancelChosenExecution, runChosenWorkflow } from "../../../../src/features/workflows/running.ts";
import { editTrigger } from "../../../../src/features/workflows/trigger-replacement.ts";
import type { Tenant } from "../../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { readValue } from "../../../../src/ui/quick-input/typed-values.ts";
import { CancellationError, editor, nextInput, nextMessage } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

const below = { tenantId: "acme", modelId: "m1", modelName: "Nightly load" };
const run = { setErrorContext: () => undefined };
const form = {
  sections: [
    {
      fields: [
        { alias: "amount", label: "Amount", dataType: "NUMBER" },
        { alias: "comment", label: "Comment", dataType: "TEXT", optional: true },
      ],
    },
  ],
};
const versions = [
  { version: "2.0.0", active: false },
  { version: "1.4.0", active: true, deployedOn: "2025-11-01T00:00:00Z" },
];

/** A platform with one workflow; `runs` is false for one that has only the API description. */
function load({
  manualTriggerId = "t1" as string | null,
  own = versions as readonly object[],
  hasForm = true,
  runs = true,
}) {
  const refreshed: string[][] = [];
  const revealed: string[][] = [];
  const platform = fakePlatform(
    ({ path, method }) => {
      if (method === "POST") {
        return runs ? json(200, { id: "e1", status: "IN_PROGRESS" }) : json(404, { message: "No static resource" });
      }
      return path.endsWith("/form") || path.includes("/form?")
        ? hasForm
          ? json(200, form)
          : json(404, {})
        : path.includes("/versions/")
          ? json(200, { version: "1.4.0", manualTriggerId })
          : json(200, { id: "m1", name: "Nightly load", versions: own });
    },
    runs ? dialects.domo : dialects.documented,
  );
  const tenant = { id: "acme", label: "Acme", baseUrl: "https://acme.example" } as Tenant;
  const tree = {
    refreshLists: async (...keys: string[]) => void refreshed.push(keys),
    reveal: async (...keys: string[]) => void revealed.push(keys),
  };
  const parts = {
    registry: Object.create(TenantRegistry.prototype) as TenantRegistry,
    connections: { tenant: () => tenant, platform: async () => platform.platform },
    trees: { workflows: tree as never },
  };
  const sent = () =>
    platform.requests
      .filter(({ method }) => method === "POST")
      .map(({ path, body }) => ({ path, body: body === undefined ? undefined : JSON.parse(String(body)) }));
  return { parts, sent, refreshed, revealed };
}

async function enter(...values: readonly string[]): Promise<void> {
  for (const value of values) {
    (await nextInput()).submit(value);
  }
}

describe("running a workflow", () => {
  beforeEach(() => {
    editor.openedOutside.length = 0;
    editor.executed.length = 0;
  });

  it("asks for the values of the start form, confirms with them, and shows the execution", async () => {
    const { parts, sent, refreshed, revealed } = load({});
    const entered = enter("12.5", "");
    const asked = nextMessage();
    const done = runChosenWorkflow(parts, run, below);
    await entered;
    const question = await asked;
    assert.deepEqual([question.text, question.items], ["Run Nightly load v1.4.0?", ["Run"]]);
    assert.match(question.detail ?? "", /^amount: 12\.5\n\nIts steps can change data/);
    assert.deepEqual(sent(), []);
    const shown = nextMessage();
    question.choose("Run");
    await done;
    assert.deepEqual(sent(), [{ path: "/api/workflow/v2/triggers/t1/activate", body: { amount: 12.5 } }]);
    assert.deepEqual(refreshed, [["acme", "workflow/m1/executions"]]);
    assert.equal(revealed[0]?.at(-1), "workflow/m1/execution/e1");
    const { text, items } = await shown;
    assert.deepEqual([text, items], ["Started Nightly load v1.4.0.", ["Show Execution"]]);
  });

  it("uses the start message of a version without a manual trigger, with the values as JSON if there is no form", async () => {
    const { parts, sent } = load({ manualTriggerId: null, hasForm: false });
    const entered = enter('{"amount": 3}');
    const asked = nextMessage();
    const done = runChosenWorkflow(parts, run, below);
    await entered;
    (await asked).choose("Run");
    await done;
    assert.deepEqual(sent(), [
      {
        path: "/api/workflow/v1/instances/message",
        body: { messageName: "Start Nightly load", modelId: "m1", version: "1.4.0", data: { amount: 3 } },
      },
    ]);
  });

  it("sends nothing if it is not confirmed", async () => {
    const { parts, sent } = load({});
    const entered = enter("1", "ok");
    const asked = nextMessage();
    const done = runChosenWorkflow(parts, run, below);
    await entered;
    (await asked).choose();
    await assert.rejects(done, CancellationError);
    assert.deepEqual(sent(), []);
  });

  it("offers the web page of the version on a platform that can't run workflows", async () => {
    const { parts } = load({ runs: false });
    const entered = enter("1", "");
    const asked = nextMessage();
    const done = runChosenWorkflow(parts, run, below);
    await entered;
    const question = await asked;
    const shown = nextMessage();
    question.choose("Run");
    const { text, choose } = await shown;
    assert.equal(text, "The API of Acme has no such action for Nightly load v1.4.0, or it no longer exists.");
    choose("Open in Browser");
    await done;
    assert.deepEqual(editor.openedOutside, ["https://acme.example/workflows/models/m1/1.4.0"]);
  });

  it("says what is missing if no version is released", async () => {
    await assert.rejects(
      runChosenWorkflow(load({ own: [{ version: "1.0.0" }] }).parts, run, below),
      /Can't run Nightly load: none of its versions is released\. Release a version first\./,
    );
    await assert.rejects(
      runChosenWorkflow(load({ own: [] }).parts, run, below),
      /Can't run Nightly load: it has no versions yet\. Create a version first\./,
    );
  });

  it("reads each value by the type of its field", () => {
    const read = (type: string, typed: string, isList = false) => readValue({ type, isList, isOptional: false }, typed);
    assert.deepEqual(read("NUMBER", "7"), { valid: true, value: 7 });
    assert.deepEqual(read("decimal", "x"), { valid: false, reason: "Enter a number." });
    assert.deepEqual(read("boolean", "true"), { valid: true, value: true });
    assert.deepEqual(read("boolean", "yes"), { valid: false, reason: "Enter true or false." });
    assert.deepEqual(read("object", '{"a":1}'), { valid: true, value: { a: 1 } });
    assert.equal(read("object", "[1]").valid, false);
    assert.deepEqual(read("text", "[1]", true), { valid: true, value: [1] });
    assert.equal(read("text", "1", true).valid, false);
    assert.deepEqual(read("text", "1"), { valid: true, value: "1" });
    assert.deepEqual(read("text", ""), { valid: false, reason: "A value is required." });
  });
});

describe("canceling an execution", () => {
  it("names the execution, then cancels it and reads the list again", async () => {
    const { parts, sent, refreshed } = load({});
    const resource = { type: "execution", tenantId: "acme", id: "e7", parentId: "m1", name: "Nightly load, 9:00 AM" };
    const asked = nextMessage();
    const done = cancelChosenExecution(parts, run, { ...below, resource });
    const { text, choose } = await asked;
    assert.equal(text, "Cancel the execution Nightly load, 9:00 AM?");
    assert.deepEqual(sent(), []);
    choose("Cancel Execution");
    await done;
    assert.deepEqual(sent(), [{ path: "/api/workflow/v1/instances/e7/cancel", body: undefined }]);
    assert.deepEqual(refreshed, [["acme", "workflow/m1/executions"]]);
  });
});

describe("editing a trigger", () => {
  it("explains that triggers are replaced, and offers both steps", async () => {
    const { parts } = load({});
    const resource = { type: "trigger", tenantId: "acme", id: "t1", parentId: "m1", name: "Every morning" };
    for (const [button, expected] of [
      [
        "Create Trigger",
        ["platformWorkbench.createTrigger", { type: "workflow", tenantId: "acme", id: "m1", name: "Nightly load" }],
      ],
      ["Delete Trigger", ["platformWorkbench.deleteTrigger", { ...below, resource }]],
    ] as const) {
      editor.executed.length = 0;
      const shown = nextMessage();
      const done = editTrigger(parts, run, { ...below, resource });
      const { text, items, choose } = await shown;
      assert.equal(
        text,
        "Platform Workbench replaces triggers instead of changing them. Create a new one, then delete Every morning.",
      );
      assert.deepEqual(items, ["Create Trigger", "Delete Trigger"]);
      choose(button);
      await done;
      assert.deepEqual(editor.executed, [expected]);
    }
  });
});
