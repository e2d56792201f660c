import { type CommandDeclarations, treeDeclarations } from "./declaration.ts";

export const sandboxDeclarations = {
  ...treeDeclarations("Sandbox", { many: "Repositories", one: "Repository" }),
} as const satisfies CommandDeclarations;
