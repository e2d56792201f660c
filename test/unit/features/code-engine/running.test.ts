import assert from "node:assert/strict";
import type { Uri } from "vscode";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { codeEngineCommands } from "../../../../src/features/code-engine/handlers.ts";
import { readResult } from "../../../../src/features/code-engine/results.ts";
import { definitionLine } from "../../../../src/features/code-engine/source.ts";
import type { Connections } from "../../../../src/tenants/connections.ts";
import type { Tenant } from "../../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { documentAddressOf } from "../../../../src/ui/documents/document-address.ts";
import { CancellationError, editor, nextInput, nextMessage } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

const run = { setErrorContext: () => undefined };
const row = { tenantId: "acme", packageId: "p1", packageName: "Rates", version: "1.0.0", functionName: "convert" };
const version = {
  functions: [
    {
      name: "convert",
      inputs: [
        { name: "amount", displayName: "Amount", type: "NUMBER" },
        { name: "note", type: "text", nullable: true },
      ],
    },
    { name: "hidden", isPrivate: true, inputs: [] },
  ],
};

function load({ result = { status: "SUCCESS", result: 270 } as unknown, has = true } = {}) {
  const fake = fakePlatform(
    ({ method }) =>
      method === "POST" ? (has ? json(200, result) : json(404, { message: "No static resource" })) : json(200, version),
    has ? dialects.domo : dialects.documented,
  );
  const tenant = { id: "acme", label: "Acme", baseUrl: "https://acme.example" } as Tenant;
  const commands = codeEngineCommands({
    registry: Object.create(TenantRegistry.prototype) as TenantRegistry,
    connections: { tenant: () => tenant, platform: async () => fake.platform },
    trees: { functions: {} as never },
  });
  const sent = () =>
    fake.requests.filter(({ method }) => method === "POST").map(({ path, body }) => [path, JSON.parse(String(body))]);
  return {
    sent,
    start: async () => await commands["platformWorkbench.runFunction"](run, row, []),
    client: fake.platform,
  };
}

async function enter(...values: readonly string[]): Promise<void> {
  for (const value of values) {
    (await nextInput()).submit(value);
  }
}

describe("running a code engine function", () => {
  it("asks for its parameters by type, confirms with the values, and sends nothing before that", async () => {
    const { sent, start } = load();
    for (const choice of [undefined, "Run"]) {
      const entered = enter("250", "");
      const asked = nextMessage();
      const done = start();
      await entered;
      const { text, detail, choose } = await asked;
      assert.equal(text, "Run the function convert of Rates v1.0.0?");
      assert.match(detail ?? "", /^amount: 250\n\nA function can change data/);
      assert.deepEqual(sent(), []);
      choose(choice);
      await (choice === undefined ? assert.rejects(done, CancellationError) : done);
    }
    assert.deepEqual(sent(), [
      [
        "/api/codeengine/v2/packages/p1/versions/1.0.0/functions/convert",
        { inputVariables: { amount: 250 }, settings: { getLogs: true } },
      ],
    ]);
  });

  it("on a platform without the operation says so", async () => {
    const { start } = load({ has: false });
    const entered = enter("1", "");
    const asked = nextMessage();
    const done = start();
    await entered;
    const question = await asked;
    const said = nextMessage();
    question.choose("Run");
    const { text, choose } = await said;
    assert.match(text, /^The API of Acme has no such action for Rates/);
    choose(undefined);
    await done;
  });

  it("names a function that is no longer there", async () => {
    const { client } = load();
    const commands = codeEngineCommands({
      registry: Object.create(TenantRegistry.prototype) as TenantRegistry,
      connections: { tenant: () => ({}) as Tenant, platform: async () => client },
      trees: { functions: {} as never },
    });
    const start = async (): Promise<void> => {
      await commands["platformWorkbench.runFunction"](run, { ...row, functionName: "hidden" }, []);
    };
    await assert.rejects(start(), /^Error: Rates v1\.0\.0 no longer has a function hidden\.$/);
  });

  it("shows the result, which is gone when the account's state is", async () => {
    const { start, client } = load();
    editor.executed.length = 0;
    const entered = enter("250", "");
    const asked = nextMessage();
    const done = start();
    await entered;
    (await asked).choose("Run");
    await done;
    const [shown] = editor.executed;
    assert.equal(shown?.[0], "vscode.open");
    const address = documentAddressOf(shown?.[1] as Uri);
    assert.ok(address !== undefined);
    const connections = { account: () => client.account } as unknown as Connections;
    assert.deepEqual(JSON.parse(await readResult(connections, address)), { status: "SUCCESS", result: 270 });
    client.account.end();
    await assert.rejects(readResult(connections, address), /no longer kept/);
  });
});

describe("the source of a function", () => {
  it("is found by its definition in Python and JavaScript", () => {
    const python = "import os\n\ndef run_all(x):\n    pass\n\nasync def run(x):\n    return run_all(x)\n";
    assert.deepEqual([definitionLine(python, "run"), definitionLine(python, "run_all")], [5, 2]);
    const script = "const other = 1;\nexport function runs() {}\n  async function run(a) {}\nconst f = (a) => a;\n";
    assert.deepEqual([definitionLine(script, "run"), definitionLine(script, "f")], [2, 3]);
    assert.equal(definitionLine(script, "missing"), undefined);
  });
});
