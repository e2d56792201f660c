import { setTimeout as delay } from "node:timers/promises";

/** Seconds that a page object waits for what should show, unless told otherwise. */
export const patience = 30;

/**
 * Repeats a look at the window until it gives something (not `undefined`, not `false`), and gives that. The error names what
 * was waited for and, from `describe`, what was there instead.
 */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  options: { readonly seconds?: number; readonly describe?: () => Promise<string> } = {},
): Promise<T> {
  const seconds = options.seconds ?? patience;
  let problem: unknown;
  for (const limit = Date.now() + seconds * 1000; Date.now() < limit; await delay(100)) {
    try {
      const found = await look();
      if (found !== undefined && found !== false) return found;
      problem = undefined;
    } catch (error) {
      // The workbench redraws while we look: an element that went away is looked for again.
      problem = error;
    }
  }
  const seen = await options.describe?.().catch((error: unknown) => `(cannot tell: ${String(error)})`);
  const reason = problem instanceof Error ? ` Last problem: ${problem.message.split("\n")[0]}` : "";
  throw new Error(`waited ${seconds} s for ${what}.${seen === undefined ? "" : ` There is: ${seen}`}${reason}`);
}

/** A text as a pattern for the whole of a name; a pattern as it is. */
export function exactly(text: string | RegExp): RegExp {
  return typeof text === "string" ? new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`) : text;
}
