// Imported first: later imports of the editor's API get the stand-in.
import { registerHooks } from "node:module";

const standIn = new URL("./vscode.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode" ? { url: standIn, shortCircuit: true } : next(specifier, context),
});
