// Imported first: whatever is imported after it gets the stand-in where it asks for the editor's API.
import { registerHooks } from "node:module";

const standIn = new URL("./vscode.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode" ? { url: standIn, shortCircuit: true } : next(specifier, context),
});
