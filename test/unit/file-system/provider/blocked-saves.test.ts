import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";
import type { Tenant } from "../../../../src/tenants/tenant.ts";
import { editor, StandInDocument } from "../../../harness/editor-stand-in/vscode.ts";

const remedies = { start: "test.start", enterToken: "test.token", signIn: "test.signIn" };
const connections = {
  nameOf: () => "Sales forecasting",
  tenant: () => ({ id: "acme", label: "Acme (EU)" }) as Tenant,
};

describe("blocked saves", () => {
  // The editor's API is a stand-in here, which only what is imported afterwards gets.
  const load = async () => {
    const [{ Uri }, { operationError }, { AccessError }, { PlatformError }] = await Promise.all([
      import("vscode"),
      import("../../../../src/file-system/provider/operation-errors.ts"),
      import("../../../../src/tenants/access-error.ts"),
      import("../../../../src/api/http/errors.ts"),
    ]);
    const uri = Uri.from({ scheme: "platform-contents", authority: "sales.acme", path: "/data/kept.py" });
    const refused = (cause: "tokenRefused" | 401): Error =>
      new PlatformError({
        kind: "crud",
        operationId: "contents.update",
        entity: "data/kept.py",
        failure: "Cannot save data/kept.py",
        reason: "[here](https://evil.example)",
        cause: cause === 401 ? { type: "status", status: 401 } : { type: "tokenRefused", status: 403 },
      });
    const access = (type: "noToken" | "signedOut" | "notRunning"): Error =>
      new AccessError({ type, tenantId: "acme", workspaceId: "sales", origin: "" }, "Something is missing.");
    const document = new StandInDocument(uri, Buffer.from("kept = True"), false);
    return { uri, operationError, refused, access, document };
  };

  it("say in the editor's own message what is missing, with a link that provides it", async () => {
    const { uri, operationError, refused, access, document } = await load();
    editor.open(document);
    editor.setDirty(document, true);
    const workspace = { tenantId: "acme", workspaceId: "sales" };
    const cases = [
      [access("notRunning"), "Unavailable", /Sales forecasting is stopped/, "test.start", workspace],
      [access("noToken"), "NoPermissions", /there is no notebook token for Sales/, "test.token", workspace],
      [refused("tokenRefused"), "NoPermissions", /Sales forecasting is no longer valid/, "test.token", workspace],
      [access("signedOut"), "NoPermissions", /not signed in to Acme \(EU\)/, "test.signIn", { tenantId: "acme" }],
      [refused(401), "NoPermissions", /Acme \(EU\) no longer accepts/, "test.signIn", { tenantId: "acme" }],
    ] as const;
    for (const action of ["save", "look"] as const) {
      for (const [error, code, words, command, argument] of cases) {
        const told = operationError({ uri, action, error }, connections, remedies);
        assert.equal(told.code, code);
        assert.match(told.message, /^Can't save kept\.py: .* and the file saves itself\.$/);
        assert.match(told.message, words);
        assert.doesNotMatch(told.message, /evil/);
        const [, linked, parameters = ""] = /\]\(command:([^?]+)\?([^)]+)\)/.exec(told.message) ?? [];
        assert.equal(linked, command);
        assert.deepEqual(JSON.parse(decodeURIComponent(parameters)), [argument]);
      }
    }
    editor.setDirty(document, false);
    editor.close(document);
  });

  it("make no link of a name", async () => {
    const { uri, operationError, access } = await load();
    const evil = uri.with({ path: "/[Click me](command:workbench.action.quit).py" });
    const document = new StandInDocument(evil, Buffer.from(""), false);
    editor.open(document);
    editor.setDirty(document, true);
    const named = { ...connections, nameOf: () => "[Sales](command:workbench.action.quit)" };
    const { message } = operationError({ uri: evil, action: "save", error: access("notRunning") }, named, remedies);
    assert.deepEqual(message.match(/\]\([^?]*/g), ["](command:test.start"]);
    editor.setDirty(document, false);
    editor.close(document);
  });

  it("are only those of editors: what else fails keeps its own words", async () => {
    const { uri, operationError, access } = await load();
    const told = operationError({ uri, action: "save", error: access("noToken") }, connections, remedies);
    assert.equal(told.message, "Something is missing.");
  });
});
