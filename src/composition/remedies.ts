import type { RemedyCommands } from "../ui/commands/failure.ts";
import type { CommandId } from "./features.ts";

/** The commands that lead out of a failure. */
export const remedies: RemedyCommands = {
  addTenant: "platformWorkbench.addTenant",
  signIn: "platformWorkbench.signIn",
  enterToken: "platformWorkbench.setNotebookToken",
  start: "platformWorkbench.startWorkspace",
} satisfies Readonly<Record<string, CommandId>>;
