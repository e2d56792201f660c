import assert from "node:assert/strict";
import { deleteChosenWorkflow } from "../../../../src/features/workflows/deletion.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { CancellationError, window } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

interface Platform {
  readonly versions: number;
  readonly hasActive?: boolean;
  /** Part of the path of a list of triggers that can't be read. */
  readonly refused?: string;
  readonly knowsUser?: boolean;
}

/** The confirmation before a workflow is deleted, which the user cancels. */
async function detailOf({ versions, hasActive, refused = "none", knowsUser = true }: Platform): Promise<string> {
  const { platform, requests } = fakePlatform(({ path }) => {
    if (path.includes("/users/me")) {
      return knowsUser ? json(200, { id: 1 }) : json(404, {});
    }
    if (path.includes("/triggers/entity/")) {
      const timers = [
        { id: "t8", name: "Of a colleague", modelId: "m" },
        { id: "gone", name: "Gone", modelId: "m", deletedAt: "2025-11-01T00:00:00Z" },
      ];
      return path.includes(refused) ? json(500, { message: "no" }) : json(200, path.includes("USER/8") ? timers : []);
    }
    const all = Array.from({ length: versions }, (_, index) => ({
      version: `1.${index}.0`,
      active: hasActive === true && index === 0,
      deployedOn: "2025-11-01T00:00:00Z",
      createdBy: index === 0 ? 8 : 7,
    }));
    return json(200, { id: "m", name: "Nightly load", owner: 7, versions: all });
  });
  let detail = "";
  const { showWarningMessage } = window;
  Object.assign(window, {
    showWarningMessage: async (_: string, options: { readonly detail: string }) => {
      detail = options.detail;
      return undefined;
    },
  });
  try {
    const parts = {
      registry: Object.create(TenantRegistry.prototype) as TenantRegistry,
      connections: { tenant: () => assert.fail("no tenant is asked for"), platform: async () => platform },
      trees: { workflows: Object.create(null) as never },
    };
    const row = { tenantId: "acme", modelId: "m", modelName: "Nightly load" };
    await assert.rejects(deleteChosenWorkflow(parts, { setErrorContext: () => undefined }, row), CancellationError);
  } finally {
    Object.assign(window, { showWarningMessage });
  }
  assert.ok(requests.length > 0 && requests.every(({ method }) => method === "GET"));
  return detail;
}

describe("the confirmation before a workflow is deleted", () => {
  it("names the timers of the creators of its versions", async () => {
    const detail = await detailOf({ versions: 2, hasActive: true });
    assert.match(
      detail,
      /^Version 1\.1\.0\nVersion 1\.0\.0 \(active\)\nTrigger Of a colleague\n\nThis can't be undone/,
    );
  });

  it("lists triggers even below many versions", async () => {
    const detail = await detailOf({ versions: 12, hasActive: true });
    assert.match(
      detail,
      /^Version 1\.0\.0 \(active\)\nVersions that aren't active: 11\nTrigger Of a colleague\n\nThis/,
    );
    const inactive = await detailOf({ versions: 12 });
    assert.match(inactive, /^Versions that aren't active: 12\nTrigger Of a colleague\n\nThis/);
    const ten = await detailOf({ versions: 9 });
    assert.match(ten, /^Version 1\.8\.0\n(?:Version .*\n){8}Trigger Of a colleague\n\nThis/);
  });

  // Proves 4.6: Triggers are listed even if no operation returns the signed-in user
  it("reports which triggers it may not list", async () => {
    const refused = await detailOf({ versions: 1, refused: "USER/7" });
    assert.match(
      refused,
      /^Version 1\.0\.0\nTrigger Of a colleague\n\nSome triggers may be missing\. Can't list .*\n\nThis/,
    );
    const unknown = await detailOf({ versions: 1, knowsUser: false });
    assert.match(
      unknown,
      /\n\nThis platform doesn't say who is signed in\. Your own timers may be missing\.\n\nThis can't/,
    );
  });
});
