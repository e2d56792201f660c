import assert from "node:assert/strict";
import { Uri } from "vscode";
import { addressOf } from "../../../src/tenants/workspace-uri.ts";
import { editor } from "../../harness/editor-stand-in/vscode.ts";

describe("addresses of workspace files", () => {
  afterEach(() => editor.translations.clear());

  it("are rejected in the editor's language if they leave the workspace or contain none", () => {
    editor.translations.set(
      'the path "{0}" contains "{1}"; enter the path from the workspace root',
      "der Pfad „{0}“ enthält „{1}“",
    );
    editor.translations.set("{0} isn't a workspace address.", "{0} ist keine Adresse eines Arbeitsbereichs.");
    const outside = Uri.from({ scheme: "platform-contents", authority: "sales.acme", path: "/data/../../secret" });
    assert.throws(() => addressOf(outside), { code: "NoPermissions", message: /^der Pfad „.*“ enthält „\.\.“$/ });
    const nowhere = Uri.from({ scheme: "platform-contents", authority: "sales", path: "/data" });
    assert.throws(() => addressOf(nowhere), { code: "Unavailable", message: /ist keine Adresse/ });
    for (const authority of [
      "a/../../b.acme",
      "sales.x/../..",
      "sales\\x.acme",
      "a:b.acme",
      "sales.acme.x",
      "sales..",
      "sales\u202e.acme",
      "sales\u200b.acme",
      "sales board.acme",
    ]) {
      const address = Uri.from({ scheme: "platform-contents", authority, path: "/data" });
      assert.throws(() => addressOf(address), { code: "Unavailable" }, authority);
    }
  });
});
