// Must be imported first, so that later imports of the editor's API resolve to the stand-in.
import { registerHooks } from "node:module";

const standIn = new URL("./vscode.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode" ? { url: standIn, shortCircuit: true } : next(specifier, context),
});
