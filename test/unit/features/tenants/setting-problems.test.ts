import assert from "node:assert/strict";
import { warnAboutTenantSetting } from "../../../../src/features/tenants/setting-problems.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { StandInMemento } from "../../../harness/editor-stand-in/memory.ts";
import { editor } from "../../../harness/editor-stand-in/vscode.ts";

describe("problems of the tenants setting", () => {
  it("are shown once, again when they change, and link to the setting", async () => {
    const registry = new TenantRegistry(new StandInMemento());
    const shownBefore = editor.messages.length;
    const shown = (): readonly string[] => editor.messages.slice(shownBefore).map(({ text }) => text);
    const acme = { id: "acme", baseUrl: "https://acme.example.com" };
    const configure = (value: unknown): void => editor.configure("platformWorkbench.tenants", value);
    const warnings = warnAboutTenantSetting(registry);
    configure([acme]);
    assert.deepEqual(shown(), []);

    const unencrypted = { id: "beta", baseUrl: "http://beta.example.com" };
    configure([acme, unencrypted]);
    const [warning] = editor.messages.slice(shownBefore);
    assert.deepEqual(shown(), [
      'The tenant "beta": The credential would be sent to beta.example.com unencrypted. Use https:// (http:// is only for this computer).',
    ]);
    await registry.setCurrent("acme");
    assert.equal(shown().length, 1);

    configure([acme, acme, { id: "Gamma", baseUrl: "https://gamma.example.com" }, { id: "delta" }, "epsilon"]);
    assert.equal(
      shown()[1],
      [
        'Two tenants have the ID "acme". The first one is used.',
        'The tenant ID "Gamma" may contain only lowercase letters, digits, and hyphens.',
        "An entry of the setting platformWorkbench.tenants has a wrong or missing baseUrl.",
        "An entry of the setting platformWorkbench.tenants isn't an object.",
      ].join(" "),
    );
    configure({ acme });
    assert.equal(shown()[2], "The setting platformWorkbench.tenants isn't an array.");
    configure([acme]);
    configure([acme, unencrypted]);
    assert.equal(shown().length, 4);

    assert.deepEqual(warning?.items, ["Open Settings"]);
    warning.choose("Open Settings");
    await new Promise(setImmediate);
    assert.deepEqual(editor.executed.at(-1), [
      "workbench.action.openSettingsJson",
      { revealSetting: { key: "platformWorkbench.tenants" } },
    ]);
    configure([]);
    warnings.dispose();
    registry.dispose();
  });
});
