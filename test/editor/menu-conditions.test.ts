import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { normalCondition } from "../harness/conditions.ts";

/*
 * VS Code's server changes the manifests of the extensions that run on it (1.139.1: `_massageWhenConditions` in
 * `RemoteExtensionsScannerService`), so that `resourceScheme == file` means the files of the remote machine. In the
 * `when` conditions of menus, keybindings, and views, it replaces the text `file` with `vscode-remote` everywhere in the
 * value or regular expression that `resourceScheme` is compared with (`==`, `!=`, `=~`): `probe-files` becomes
 * `probe-vscode-remotes`, which no document has. It does not change other keys (`resource`, `virtualWorkspace`), `in`,
 * the welcome content of views, or the enablement of commands. A desktop editor without a remote machine changes nothing.
 */

const manifestShape = z.looseObject({ contributes: z.record(z.string(), z.unknown()) });

/** Every condition in a part of a manifest, by its position, such as `menus/editor/title/0/when`. */
function conditionsIn(part: unknown, place = ""): readonly (readonly [string, string])[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    const below = place === "" ? key : `${place}/${key}`;
    const isCondition = typeof value === "string" && (key === "when" || key === "enablement");
    return isCondition ? [[below, value] as const] : conditionsIn(value, below);
  });
}

/** The conditions of an extension's package.json, and those that the running editor uses in their place. */
async function conditionsOf(name: string): Promise<{
  readonly written: readonly (readonly [string, string])[];
  readonly inUse: ReadonlyMap<string, string>;
}> {
  const extension = vscode.extensions.all.find(({ id }) => id.endsWith(`.${name}`));
  assert.ok(extension !== undefined, name);
  const file: unknown = JSON.parse(await readFile(join(extension.extensionPath, "package.json"), "utf8"));
  return {
    written: conditionsIn(z.parse(manifestShape, file).contributes),
    inUse: new Map(conditionsIn(z.parse(manifestShape, extension.packageJSON).contributes)),
  };
}

/** The conditions that have another meaning in the running editor than in package.json. */
async function rewrittenConditions(name: string): Promise<readonly string[]> {
  const { written, inUse } = await conditionsOf(name);
  return written.flatMap(([place, condition]) => {
    const used = inUse.get(place);
    if (used === condition || (used !== undefined && normalCondition(used) === normalCondition(condition))) return [];
    return [`${place}: ${condition} became ${used}`];
  });
}

describe("the conditions of menus, keys and views in the running editor", () => {
  it("are those of package.json", async () => {
    const { written, inUse } = await conditionsOf("platform-workbench");
    assert.ok(written.length > 250, String(written.length));
    assert.equal(inUse.size, written.length);
    assert.deepEqual(await rewrittenConditions("platform-workbench"), []);
  });

  it("would differ for a scheme that contains `file`, as the probe extension shows", async () => {
    const isOnServer = vscode.env.remoteName !== undefined;
    const rewritten = [
      "views/probe/0/when: resourceScheme == probe-files became resourceScheme == 'probe-vscode-remotes'",
      "menus/editor/title/0/when: resourceScheme == probe-files became resourceScheme == 'probe-vscode-remotes'",
      "menus/editor/title/1/when: resourceScheme =~ /^probe-files$/ became resourceScheme =~ /^probe-vscode-remotes$/",
      "menus/commandPalette/0/when: resourceScheme != probe-files && never became never && resourceScheme != 'probe-vscode-remotes'",
      "keybindings/0/when: resourceScheme == probe-files became resourceScheme == 'probe-vscode-remotes'",
    ];
    assert.deepEqual((await rewrittenConditions("probe")).toSorted(), isOnServer ? rewritten.toSorted() : []);
  });
});
