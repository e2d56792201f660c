import { type CommandDeclarations, treeDeclarations } from "./declaration.ts";

export const workflowsDeclarations = {
  ...treeDeclarations("Workflows", { many: "Workflows", one: "Workflow" }),
} as const satisfies CommandDeclarations;
