import { setTimeout as delay } from "node:timers/promises";
import type { Locator } from "playwright-core";

/**
 * Seconds that a page object waits for what should show, at the least. It only ends what hangs: on a machine with much else to
 * do, a window may take ten times as long as on one with nothing.
 */
let patience = 150;

/** Milliseconds after which what was done to a window is taken for lost. */
export const effectTakes = 4000;

/** Does something with another patience, for a test of what comes when it ends. */
export async function withPatience<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  const before = patience;
  patience = seconds;
  try {
    return await work();
  } finally {
    patience = before;
  }
}

/**
 * Repeats a look at the window until it gives something (not `undefined`, not `false`), and gives that. The error names what
 * was waited for and, from `describe`, what was there instead.
 */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  options: { readonly seconds?: number; readonly describe?: () => Promise<string> } = {},
): Promise<T> {
  const seconds = Math.max(options.seconds ?? 0, patience);
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

/**
 * Does something until it has had its effect. A busy workbench can lose a click or a key: the row was drawn anew under it, or
 * the focus went elsewhere. So it is done again, but only while the effect is missing and after the window had its time for it.
 */
export async function repeatUntil(
  what: string,
  act: () => Promise<void>,
  hasEffect: () => Promise<boolean>,
  options: { readonly seconds?: number; readonly describe?: () => Promise<string> } = {},
): Promise<void> {
  let actAgainAt = 0;
  await waitFor(
    what,
    async () => {
      if (await hasEffect()) return true;
      if (Date.now() < actAgainAt) return false;
      await act();
      actAgainAt = Date.now() + effectTakes;
      return hasEffect();
    },
    options,
  );
}

/**
 * Clicks what can be clicked now. Throws when it was not clicked, as when the list is drawn anew under the mouse: that may be
 * repeated. A window that is busy with what the click led to has been clicked.
 */
export async function clickNow(target: Locator): Promise<void> {
  await target.click({ trial: true, timeout: 2000 });
  try {
    await target.click({ timeout: 20_000 });
  } catch (error) {
    if (!wasPerformed(error)) throw error;
  }
}

/** Whether a click that took too long was sent to the window: the browser's driver tells what it did last. */
function wasPerformed(error: unknown): boolean {
  const told = error instanceof Error ? error.message : "";
  return told.lastIndexOf("performing click action") > told.lastIndexOf("retrying click action");
}

/** Clicks what shows only while the mouse is over an area; both again as long as the click did not land. */
export async function clickUnderHover(
  what: string,
  area: Locator,
  target: Locator,
  describe?: () => Promise<string>,
): Promise<void> {
  await waitFor(
    what,
    async () => {
      await area.hover({ timeout: 2000 });
      await clickNow(target);
      return true;
    },
    describe === undefined ? {} : { describe },
  );
}

/** A text as a pattern for the whole of a name; a pattern as it is. */
export function exactly(text: string | RegExp): RegExp {
  return typeof text === "string" ? new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`) : text;
}
