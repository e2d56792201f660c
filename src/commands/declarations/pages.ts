import { type CommandDeclarations, treeDeclarations } from "./declaration.ts";

export const pagesDeclarations = {
  ...treeDeclarations("Pages", { many: "Pages", one: "Page" }),
} as const satisfies CommandDeclarations;
