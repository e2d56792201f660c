import { takesScreenshots } from "../harness/editor-host/window.ts";
import { waitFor } from "../harness/workbench/waiting.ts";
import type { TenantWindow } from "./tenant-window.ts";

/** What a window needs to follow the themes of this file. Without it, it shows only its own theme. */
export const themeSettings = { "window.autoDetectColorScheme": true } as const;

const themes = [
  { name: "light", media: { colorScheme: "light", forcedColors: "none" }, className: "vs" },
  { name: "contrast", media: { colorScheme: "dark", forcedColors: "active" }, className: "hc-black" },
  { name: "dark", media: { colorScheme: "dark", forcedColors: "none" }, className: "vs-dark" },
] as const;

/**
 * Takes screenshots of the current content in light, high contrast, and dark: `NAME-light.png` and so on. The dark
 * theme stays active. A run without screenshots doesn't change the theme.
 */
export async function screenshotInThemes(window: Pick<TenantWindow, "workbench">, name: string): Promise<void> {
  if (!takesScreenshots) return;
  await inThemes(window, async (theme) => {
    await window.workbench.screenshot(`${name}-${theme}`);
  });
}

/** Checks the current content in light, high contrast, and dark. The dark theme stays active. */
export async function inThemes(
  { workbench }: Pick<TenantWindow, "workbench">,
  look: (theme: string) => Promise<void>,
): Promise<void> {
  for (const theme of themes) {
    await workbench.page.emulateMedia(theme.media);
    await waitFor(
      `the theme of ${theme.name}`,
      async () => (await workbench.page.locator(`.monaco-workbench.${theme.className}`).count()) > 0,
      { describe: async () => (await workbench.page.locator(".monaco-workbench").getAttribute("class")) ?? "" },
    );
    await look(theme.name);
  }
}
