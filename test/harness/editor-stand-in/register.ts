// Makes imports of the editor's API resolve to the stand-in. Loaded before all tests of a layer, so that they import
// modules of the extension like any other. What runs without the editor doesn't get the stand-in, either.
import { registerHooks } from "node:module";

const standIn = new URL("./vscode.ts", import.meta.url).href;
const source = new URL("../../../src/", import.meta.url).href;
const withoutEditor = ["api/", "programs/"].map((folder) => new URL(folder, source).href);

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode" && !withoutEditor.some((folder) => context.parentURL?.startsWith(folder))
      ? { url: standIn, shortCircuit: true }
      : next(specifier, context),
});
