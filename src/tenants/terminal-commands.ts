import type { CompanionPlace } from "./companions.ts";

/** A command to run in a terminal of a workspace. */
export interface TerminalCommand extends CompanionPlace {
  /** The folder to start in, as a path in the workspace; empty for its root. */
  readonly folder: string;
  /** For a POSIX shell, without a line break. */
  readonly line: string;
}

/** Runs a command in a new terminal. Resolves with false if the server has no terminals. */
export type RunInTerminal = (command: TerminalCommand) => Promise<boolean>;

/** Runs commands in terminals, which the user sees. What owns the terminals provides it. */
export class TerminalCommands {
  run: RunInTerminal = async () => false;
}
