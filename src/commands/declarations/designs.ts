import { type CommandDeclarations, treeDeclarations } from "./declaration.ts";

export const designsDeclarations = {
  ...treeDeclarations("Designs", { many: "App Designs", one: "App Design" }),
} as const satisfies CommandDeclarations;
