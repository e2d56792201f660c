import assert from "node:assert/strict";
import { importsOf, importViolations } from "../../../scripts/check-imports.ts";

function violationsOf(path: string, specifier: string, type = ""): string[] {
  return importViolations([{ path, text: `import ${type} { thing } from "${specifier}";\n` }]);
}

describe("import rules", () => {
  const allowed: readonly (readonly [string, string])[] = [
    ["src/extension.ts", "./sample-tenant/server.ts"],
    ["src/extension.ts", "./composition.ts"],
    ["src/composition.ts", "./sample-tenant/server.ts"],
    ["src/commands/workspaces.ts", "../files/provider.ts"],
    ["src/views/workspaces.ts", "../tenants/tenant.ts"],
    ["src/files/provider.ts", "../tenants/tenant.ts"],
    ["src/tenants/tenant.ts", "../api/client.ts"],
    ["src/sample-tenant/server.ts", "../api/operation.ts"],
    ["src/command-line/program.ts", "../api/client.ts"],
    ["src/files/provider.ts", "../log.ts"],
    ["src/files/provider.ts", "vscode"],
    ["src/api/transport.ts", "undici"],
  ];
  for (const [path, specifier] of allowed) {
    it(`lets ${path} import ${specifier}`, () => assert.deepEqual(violationsOf(path, specifier), []));
  }

  const refused: readonly (readonly [string, string])[] = [
    ["src/api/client.ts", "vscode"],
    ["src/api/client.ts", "../files/provider.ts"],
    ["src/api/client.ts", "../log.ts"],
    ["src/tenants/tenant.ts", "../files/provider.ts"],
    ["src/files/provider.ts", "../views/workspaces.ts"],
    ["src/files/provider.ts", "../sample-tenant/server.ts"],
    ["src/commands/sample.ts", "../sample-tenant/server.ts"],
    ["src/sample-tenant/server.ts", "../tenants/tenant.ts"],
    ["src/sample-tenant/server.ts", "vscode"],
    ["src/front-door/server.ts", "../files/provider.ts"],
    ["src/command-line/program.ts", "../tenants/tenant.ts"],
    ["src/command-line/program.ts", "../sample-tenant/server.ts"],
    ["src/commands/workspaces.ts", "../command-line/program.ts"],
    ["src/commands/workspaces.ts", "../extension.ts"],
    ["src/commands/workspaces.ts", "../composition.ts"],
    ["src/composition.ts", "./other.ts"],
    ["src/composition.ts", "./extension.ts"],
    ["src/log.ts", "./files/provider.ts"],
    ["src/views/tree.ts", "../../test/harness/proxy.ts"],
    ["src/surprise/thing.ts", "../api/client.ts"],
  ];
  for (const [path, specifier] of refused) {
    it(`refuses ${path} importing ${specifier}, as a value and as a type`, () => {
      assert.equal(violationsOf(path, specifier).length, 1);
      assert.equal(violationsOf(path, specifier, "type").length, 1);
    });
  }

  it("refuses two rooms of one floor that import each other", () => {
    const violations = importViolations([
      { path: "src/views/tree.ts", text: 'import { run } from "../commands/run.ts";' },
      { path: "src/commands/run.ts", text: 'import { tree } from "../views/tree.ts";' },
    ]);
    assert.deepEqual(violations, ["src/commands/ and src/views/ import each other: no circles"]);
  });

  it("sees every form of import and none in comments", () => {
    const text = [
      'import a, { b,\n  c } from "./one.ts";',
      'import "./two.ts";',
      'export * from "./three.ts";',
      'export type { D } from "./four.ts";',
      'const e = await import("./five.ts");',
      '// import f from "./six.ts";',
      '/* import g from "./seven.ts"; */',
    ].join("\n");
    assert.deepEqual(importsOf(text).sort(), ["./five.ts", "./four.ts", "./one.ts", "./three.ts", "./two.ts"]);
  });
});
