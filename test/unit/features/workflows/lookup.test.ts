import assert from "node:assert/strict";
import { readTriggersOfVersions } from "../../../../src/api/families/workflow-facts.ts";
import { formId, formInput, formOfId, versionsId, versionsOfId } from "../../../../src/features/workflows/lookup.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

const chosen = { version: "1.2.0", trigger: { id: "t-1", name: "By hand & more" }, deploymentId: "d-1" };

describe("the subject of a lookup document for workflows", () => {
  it("is a start form, with the chosen trigger and deployment", () => {
    assert.deepEqual(formInput("m-1", { version: "1.2.0" }), { modelId: "m-1", version: "1.2.0" });
    assert.deepEqual(formInput("m-1", chosen), {
      modelId: "m-1",
      version: "1.2.0",
      triggerId: "t-1",
      deploymentId: "d-1",
    });
  });

  it("is stored in the document's address", () => {
    assert.deepEqual(formOfId(formId(chosen)), chosen);
    assert.deepEqual(formOfId(formId({ version: "1.2.0" })), { version: "1.2.0" });
    assert.deepEqual(versionsOfId(versionsId(["1.0.0", "1.2.0"])), ["1.0.0", "1.2.0"]);
    assert.deepEqual(versionsOfId(versionsId([])), []);
  });

  it("is the triggers of some versions of a workflow, deleted ones last", async () => {
    const fake = fakePlatform(() =>
      json(200, [
        { id: "gone", modelId: "m-1", deletedAt: "2026-01-01T00:00:00Z", createdAt: "2026-01-01T00:00:00Z" },
        { id: "old", modelId: "m-1", createdAt: "2025-01-01T00:00:00Z" },
        { id: "new", modelId: "m-1", createdAt: "2025-02-01T00:00:00Z" },
      ]),
    );
    const found = await readTriggersOfVersions(fake.platform, "m-1", ["1.0.0", "1.2.0"]);
    assert.deepEqual(
      found.map(({ id }) => id),
      ["new", "old", "gone"],
    );
    await readTriggersOfVersions(fake.platform, "m-1", []);
    const [some, all] = fake.requests.map(({ path }) => new URL(path, "https://acme.example.com"));
    assert.equal(some?.pathname.endsWith("/m-1"), true);
    assert.equal(some?.searchParams.get("entityVersions"), "1.0.0,1.2.0");
    assert.equal(all?.search, "");
  });
});
