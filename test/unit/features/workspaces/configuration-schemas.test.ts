import assert from "node:assert/strict";
import { ConfigurationSchemas } from "../../../../src/features/workspaces/configuration-schemas.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

const workspace = { id: "sales", cpu: 4, memory: 30, notebookKernel: "PYTHON_3_9" };

describe("the schema of configurations", () => {
  const load = (settings: object | undefined) => {
    const reloaded: string[] = [];
    const { platform, requests } = fakePlatform(() =>
      json(current === undefined ? 404 : 200, current ?? { message: "No" }),
    );
    let current = settings;
    const response = (later: object): void => {
      current = later;
    };
    const schemas = new ConfigurationSchemas({
      connections: { platform: async () => platform },
      documents: { reload: (uri) => reloaded.push(uri.toString(true)) },
      log: { debug: () => undefined },
    });
    return { schemas, reloaded, requests, response };
  };

  it("accepts what the tenant offers to the user and what the workspace has, only for this workspace", async () => {
    const { schemas, reloaded, requests } = load({
      currentUserInstanceTypes: [
        { cpu: 1, memory: 8 },
        { cpu: 1, memory: 4 },
      ],
      notebookKernels: ["PYTHON_3_12"],
    });
    schemas.opened("acme", workspace);
    schemas.opened("acme", workspace);
    const schema = JSON.parse(await schemas.text());
    assert.equal(requests.length, 1);
    assert.deepEqual(
      new Set(reloaded),
      new Set(["platform-documents://.schemas/configuration-schema/configuration.schema.json"]),
    );
    const [{ if: condition, then }] = schema.allOf;
    assert.equal(schema.allOf.length, 1);
    assert.equal(condition.properties.id.const, "sales");
    const [cpu, ...memories] = then.allOf;
    assert.deepEqual(cpu.properties.cpu.enum, [1, 4]);
    assert.deepEqual(
      memories.map((one: typeof cpu) => [one.if.properties.cpu.const, one.then.properties.memory.enum]),
      [
        [1, [4, 8]],
        [4, [30]],
      ],
    );
    assert.equal(memories[0].then.properties.memory.errorMessage, "The platform offers 4 or 8 GB with 1 CPU.");
    assert.equal(memories[1].then.properties.memory.errorMessage, "The platform doesn't offer 4 CPU.");
    assert.deepEqual(then.properties.notebookKernel.enum, ["PYTHON_3_12", "PYTHON_3_9"]);
  });

  it("requests unreadable settings again the next time, but not after they were read", async () => {
    const { schemas, requests, response } = load(undefined);
    schemas.opened("acme", workspace);
    assert.deepEqual(JSON.parse(await schemas.text()).allOf, []);
    response({ notebookKernels: ["PYTHON_3_12"] });
    schemas.opened("acme", workspace);
    const [{ then }] = JSON.parse(await schemas.text()).allOf;
    assert.deepEqual(then.properties.notebookKernel.enum, ["PYTHON_3_12", "PYTHON_3_9"]);
    const before = requests.length;
    schemas.opened("acme", workspace);
    await schemas.text();
    assert.equal(requests.length, before);
  });

  it("restricts nothing if the settings can't be read or are empty", async () => {
    const refused = load(undefined);
    refused.schemas.opened("acme", workspace);
    assert.deepEqual(JSON.parse(await refused.schemas.text()).allOf, []);
    const empty = load({});
    empty.schemas.opened("acme", workspace);
    const [{ then }] = JSON.parse(await empty.schemas.text()).allOf;
    assert.deepEqual(then, { allOf: [], properties: {} });
  });
});
