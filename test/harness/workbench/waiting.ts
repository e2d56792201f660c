import { setTimeout as delay } from "node:timers/promises";
import type { Locator } from "playwright-core";

/**
 * Minimum seconds that a page object waits. It only ends what hangs: on a busy machine, a window may take ten times as
 * long as on an idle one.
 */
let patience = 150;

/** Milliseconds after which an action on a window is considered lost. */
export const effectTakes = 4000;

/**
 * Milliseconds to read something from an element that is there. A look that lasts longer failed: the window may have
 * loaded another page since the element was seen. If the look waited for the element, one look would use up the wait.
 */
export const readingTakes = 5000;

/** Runs work with another patience, to test what happens when it ends. */
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
 * Repeats a check of the window until it returns a value (not `undefined`, not `false`), and returns that. The error
 * names what was waited for and, from `describe`, what was there instead.
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
      // The workbench redraws while we check: an element that was removed is looked up again.
      problem = error;
    }
  }
  const seen = await options.describe?.().catch((error: unknown) => `(can't tell: ${String(error)})`);
  const reason = problem instanceof Error ? ` Last problem: ${problem.message.split("\n")[0]}` : "";
  throw new Error(`waited ${seconds} s for ${what}.${seen === undefined ? "" : ` There is: ${seen}`}${reason}`);
}

/** Repeats a look until two in a row find the same text, because rows may still be added or moved, and returns it. */
export function waitForSame(
  what: string,
  look: () => Promise<string | undefined>,
  options: Parameters<typeof waitFor>[2] = {},
): Promise<string> {
  let before: string | undefined;
  return waitFor(
    what,
    async () => {
      const [earlier, found] = [before, await look()];
      before = found;
      return found === earlier ? found : undefined;
    },
    options,
  );
}

/**
 * Repeats an action until it has its effect. A busy workbench can lose a click or a key, because the row was rendered
 * again or the focus moved. The action is repeated only while the effect is missing and after the window had time for
 * it.
 */
export async function repeatUntil(
  what: string,
  act: () => Promise<void>,
  hasEffect: () => Promise<boolean>,
  options: {
    readonly seconds?: number;
    /** Milliseconds until the action is repeated, for an action that can safely be performed twice. */
    readonly repeatAfter?: number;
    readonly describe?: () => Promise<string>;
  } = {},
): Promise<void> {
  const { repeatAfter = effectTakes } = options;
  let actAgainAt = 0;
  await waitFor(
    what,
    async () => {
      if (await hasEffect()) return true;
      if (Date.now() < actAgainAt) return false;
      await act();
      actAgainAt = Date.now() + repeatAfter;
      return hasEffect();
    },
    options,
  );
}

/** The text of the first of these elements as shown; empty if it isn't visible. Doesn't wait for it. */
export async function shownText(locator: Locator): Promise<string> {
  // One evaluation, so that the element can't disappear between two looks.
  return locator.evaluateAll((elements) => {
    const [first] = elements;
    return first !== undefined && "innerText" in first && first.checkVisibility({ visibilityProperty: true })
      ? first.innerText.trim()
      : "";
  });
}

/** True if a click that timed out was sent to the window, judged by the last action of the browser's driver. */
function wasPerformed(error: unknown): boolean {
  const told = error instanceof Error ? error.message : "";
  return told.lastIndexOf("performing click action") > told.lastIndexOf("retrying click action");
}

/**
 * Clicks an element if that is possible now. Throws if it is hidden or covered, or if it received no click because
 * it moved or was rendered again between press and release, as a notification does while the list of notifications is
 * opening. If the window is busy after the click, the element counts as clicked.
 */
export async function clickWhereItStays(target: Locator): Promise<void> {
  const element = await target.elementHandle({ timeout: 2000 });
  if (element === null) throw new Error("there is nothing to click");
  // Looks first, because a click waits until nothing covers the element, and a tooltip that follows the mouse stays until
  // the mouse moves away.
  const seen = await element.evaluateHandle((clicked) => {
    clicked.scrollIntoView({ block: "nearest", inline: "nearest" });
    // The middle of the first rectangle is what the driver clicks: a link may have two lines.
    const [rectangle] = clicked.getClientRects();
    const button = clicked.closest("button, a") ?? clicked;
    const events = { click: false, covered: true };
    if (rectangle !== undefined) {
      const { left, top, width, height } = rectangle;
      events.covered = !button.contains(clicked.ownerDocument.elementFromPoint(left + width / 2, top + height / 2));
    }
    const receive = (): void => {
      events.click = true;
    };
    button.addEventListener("click", receive, { capture: true, once: true });
    return events;
  });
  const moveAway = async (): Promise<void> => {
    const frame = await element.ownerFrame().catch(() => null);
    await frame?.page().mouse.move(0, 0);
  };
  if (await seen.evaluate(({ covered }) => covered)) {
    await moveAway();
    throw new Error("it is hidden or covered");
  }
  try {
    await element.click({ timeout: 20_000 });
  } catch (error) {
    if (!wasPerformed(error)) {
      await moveAway();
      throw error;
    }
  }
  // After a click that leads to another page, nothing can be asked any more.
  if (!(await seen.evaluate(({ click }) => click).catch(() => true))) throw new Error("the click did not arrive");
}

/**
 * Clicks an element as soon as nothing covers it. Repeats that only if the click did not arrive, because the editor
 * rendered the element again.
 */
export async function clickOnce(what: string, target: Locator): Promise<void> {
  await waitFor(`the click on ${what}`, async () => {
    await clickWhereItStays(target);
    return true;
  });
}

/** Milliseconds that an element may take to be clicked or hovered over, for an action that is repeated if it fails. */
const actionTakes = 2000;

/**
 * Acts on an element. If that fails, moves the mouse away before it throws: the tooltip of an element next to it may
 * cover it, and would stay.
 */
async function orMoveAway(target: Locator, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    await target.page().mouse.move(0, 0);
    throw error;
  }
}

/** Clicks an element if that is possible now. Otherwise throws, and a repeated click finds it uncovered. */
export async function clickNow(target: Locator, options: Parameters<Locator["click"]>[0] = {}): Promise<void> {
  await orMoveAway(target, () => target.click({ timeout: actionTakes, ...options }));
}

/** Moves the mouse over an element if that is possible now. Throws if something covers it. */
export async function hoverNow(target: Locator): Promise<void> {
  await orMoveAway(target, () => target.hover({ timeout: actionTakes }));
}

/** Moves the mouse over an element, as soon as nothing covers it. */
export async function hoverOver(what: string, target: Locator): Promise<void> {
  await waitFor(`the mouse over ${what}`, async () => {
    await hoverNow(target);
    return true;
  });
}

/** Clicks an element that is visible only while the mouse is over an area. Repeats both until the click succeeds. */
export async function clickUnderHover(
  what: string,
  area: Locator,
  target: Locator,
  describe?: () => Promise<string>,
): Promise<void> {
  await waitFor(
    what,
    async () => {
      await hoverNow(area);
      await clickWhereItStays(target);
      return true;
    },
    describe === undefined ? {} : { describe },
  );
}

/** A text as a pattern for a whole name; a pattern unchanged. */
export function exactly(text: string | RegExp): RegExp {
  return typeof text === "string" ? new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`) : text;
}
