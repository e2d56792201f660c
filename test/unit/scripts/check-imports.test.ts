import assert from "node:assert/strict";
import { importsOf, importViolations } from "../../../scripts/check-imports.ts";

function violationsOf(path: string, specifier: string, type = ""): string[] {
  return importViolations([{ path, text: `import ${type} { thing } from "${specifier}";\n` }]);
}

describe("import rules", () => {
  const allowed: readonly (readonly [string, string])[] = [
    ["src/extension.ts", "./composition/embedded-sample.ts"],
    ["src/composition/embedded-sample.ts", "../programs/sample-tenant/server.ts"],
    ["src/features/workspaces/handlers.ts", "../../file-system/provider/provider.ts"],
    ["src/file-system/provider/provider.ts", "../../tenants/tenant.ts"],
    ["src/tenants/tenant.ts", "../api/client/client.ts"],
    ["src/programs/sample-tenant/server.ts", "../../api/catalogue/operation.ts"],
    ["src/file-system/provider/provider.ts", "vscode"],
    ["src/api/http/transport.ts", "undici"],
  ];
  for (const [path, specifier] of allowed) {
    it(`lets ${path} import ${specifier}`, () => assert.deepEqual(violationsOf(path, specifier), []));
  }

  const refused: readonly (readonly [string, string])[] = [
    ["src/api/client/client.ts", "vscode"],
    ["src/api/client/client.ts", "../../file-system/provider/provider.ts"],
    ["src/tenants/tenant.ts", "../file-system/provider/provider.ts"],
    ["src/file-system/provider/provider.ts", "../../ui/tree/platform-tree.ts"],
    ["src/features/sandbox/tree.ts", "../../programs/sample-tenant/server.ts"],
    ["src/programs/sample-tenant/server.ts", "../../tenants/tenant.ts"],
    ["src/programs/sample-tenant/server.ts", "vscode"],
    ["src/features/workspaces/handlers.ts", "../../extension.ts"],
    ["src/features/workspaces/tree.ts", "../../../test/harness/proxy.ts"],
    ["src/surprise/thing.ts", "../api/client/client.ts"],
  ];
  for (const [path, specifier] of refused) {
    it(`refuses ${path} importing ${specifier}, as a value and as a type`, () => {
      assert.equal(violationsOf(path, specifier).length, 1);
      assert.equal(violationsOf(path, specifier, "type").length, 1);
    });
  }

  it("reads every form of import, and none of comments", () => {
    const text = [
      '// import { a } from "./comment.ts";',
      '/* import { b } from "./block.ts"; */',
      'import { c } from "./named.ts";',
      'import "./effect.ts";',
      'export * from "./again.ts";',
      'const later = await import("./dynamic.ts");',
    ].join("\n");
    assert.deepEqual(importsOf(text).toSorted(), ["./again.ts", "./dynamic.ts", "./effect.ts", "./named.ts"]);
  });
});
