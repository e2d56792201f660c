import type { Frame, Page } from "playwright-core";
import { exactly, waitFor } from "./waiting.ts";

/** The frame of the webview whose page has this heading, once it is there. */
export async function webviewWith(page: Page, heading: string | RegExp, seconds?: number): Promise<Frame> {
  return waitFor(
    `a webview ${heading}`,
    async () => {
      for (const frame of page.frames()) {
        const title = frame.locator("h1").filter({ hasText: exactly(heading) });
        // A frame that is removed meanwhile has no text.
        if ((await title.count().catch(() => 0)) > 0 && (await title.first().isVisible())) return frame;
      }
      return undefined;
    },
    {
      ...(seconds === undefined ? {} : { seconds }),
      describe: async () =>
        page
          .frames()
          .map((frame) => frame.url().slice(0, 120))
          .join("\n"),
    },
  );
}

/**
 * The same for a page that an action opens. Waits for the focus that the page takes when it has loaded, which closes an
 * open quick input.
 */
export async function openedWebviewWith(page: Page, heading: string | RegExp): Promise<Frame> {
  const frame = await webviewWith(page, heading);
  await waitFor(`the focus in the webview ${heading}`, () => frame.evaluate<boolean>("document.hasFocus()"));
  return frame;
}

/** True if the focus is in a webview. `:focus` doesn't match a frame whose page has the focus. */
export function isInWebview(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.activeElement?.matches("iframe.webview") === true');
}
