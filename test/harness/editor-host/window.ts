import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { format } from "node:util";
import type { Page } from "playwright-core";
import { resultsDirectory, screenshotsVariable } from "../../../scripts/set-up/paths.ts";
import { styleScript, type WindowBrowser } from "./browser.ts";
import { extensionLogSince } from "./extension-log.ts";
import type { EditorServer } from "./server.ts";

export interface WindowOptions {
  /** An absolute path of this machine, or any URI such as `platform-contents://…`. */
  readonly folder?: string;
  /** A `.code-workspace` file: an absolute path or a URI. */
  readonly workspace?: string;
  /** A file to open at the start: an absolute path or a URI. */
  readonly openFile?: string;
  /** The extension under development: the directory of its package.json. */
  readonly extensionDevelopmentPath?: string;
  /** What the address needs where the server expects it (`?tkn=`). */
  readonly connectionToken?: string;
  /**
   * A suite's index: the extension host loads it and calls its `run()`. Nobody looks at such a window, so its content is
   * not painted, except for screenshots.
   */
  readonly extensionTestsPath?: string;
  /** Pixels; 1280 by 800 by default. */
  readonly size?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  /** The language of the window's texts; English by default. The editor itself also has `pseudo`. */
  readonly displayLanguage?: string;
  /** A line that the extension host printed with `console`. */
  readonly onExtensionHostLine?: (line: string) => void;
  /** A line of the window's own console. */
  readonly onWindowLine?: (line: string) => void;
}

export interface EditorWindow {
  readonly page: Page;
  /** The suite's exit code (0: all passed); never resolves without `extensionTestsPath`. */
  readonly exitCode: Promise<number>;
  /** Resolves with the reason when the window or its extension host is lost. */
  readonly lost: Promise<string>;
  /** Everything that the window and its extension host printed so far. */
  log(): string;
  /** What the extension has logged since then. */
  extensionLogSince(since: Date): string;
  close(): Promise<void>;
}

/** Maximum milliseconds for an action of a window. */
const longest = 150_000;

/**
 * Messages of the workbench about itself on the same channel, for example about native modules that the editor host
 * doesn't have.
 */
const workbenchChatter =
  /^(\[(text file model|stored file working copy)\]|No search provider registered|Ignoring the error while validating workspace folder|Ignoring fetching additional|\[remote-connection\]|Resolv(ing|ed) connection token|Creating a socket|Updating additional builtin|\[reconnection-grace-time\]|\[AgentHost|\[AccountPolicyGate\]|\[Service Worker\]|Error: Could not locate the bindings file|(Error: )?Cannot find module '\.\/build\/Release\/watchdog')/;

/** Unlike hidden elements, transparent ones can have the focus. */
const unpainted = styleScript("body { opacity: 0 !important }");
/** Styles of a screenshot of a window with a suite, whose content is otherwise not painted. */
export const painted = "html body { opacity: 1 !important }";

/** The address of a window, as a user would enter it in a browser. */
function windowUrl(server: EditorServer, options: WindowOptions = {}): string {
  const authority = `127.0.0.1:${server.port}`;
  const remote = (place: string): string =>
    /^[a-z][a-z0-9+.-]+:\/\//i.test(place) ? place : `vscode-remote://${authority}${encodeURI(place)}`;
  const payload: [string, string][] = [];
  const { connectionToken, extensionDevelopmentPath, extensionTestsPath, openFile } = options;
  if (extensionDevelopmentPath !== undefined) {
    payload.push(["extensionDevelopmentPath", remote(extensionDevelopmentPath)], ["skipWelcome", "true"]);
  }
  if (extensionTestsPath !== undefined) payload.push(["extensionTestsPath", remote(extensionTestsPath)]);
  if (openFile !== undefined) payload.push(["openFile", remote(openFile)]);

  const url = new URL(`${server.url}/`);
  if (connectionToken !== undefined) url.searchParams.set("tkn", connectionToken);
  if (options.folder !== undefined) url.searchParams.set("folder", remote(options.folder));
  else if (options.workspace !== undefined) url.searchParams.set("workspace", remote(options.workspace));
  else if (payload.length > 0) url.searchParams.set("ew", "true");
  if (payload.length > 0) url.searchParams.set("payload", JSON.stringify(payload));
  return url.href;
}

/**
 * Opens a window of the editor in its own browser profile, and waits (150 s at most) until the workbench is visible.
 */
export async function openWindow(
  browser: WindowBrowser,
  server: EditorServer,
  options: WindowOptions = {},
): Promise<EditorWindow> {
  const profile = await browser.takeProfile(server.url);
  const page = await profile.context.newPage();
  await page.setViewportSize(options.size ?? { width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: options.colorScheme ?? "dark" });
  if (options.displayLanguage !== undefined) {
    await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(options.displayLanguage)}`);
  }
  const suiteStyle = options.extensionTestsPath === undefined ? undefined : painted;
  if (suiteStyle !== undefined) await page.addInitScript(unpainted);
  // Ends actions that hang. How long a window takes depends on the load of the machine.
  page.setDefaultTimeout(longest);
  const lines: string[] = [];
  const exit = Promise.withResolvers<number>();
  const loss = Promise.withResolvers<string>();

  await page.exposeFunction("codeAutomationLog", (type: string, args: unknown[]) => {
    const line = format(...args);
    lines.push(`[${type}] ${line}`);
    // The workbench also reports the exit code 0 after a crash. A crash is recognized by the connection that broke
    // before.
    if (/^\[remote-connection\]\[ExtensionHost\].*(socket close event|permanent error)/.test(line)) {
      loss.resolve("the extension host ended in the middle (crashed, or process.exit was called in it)");
    }
    if (!workbenchChatter.test(line) && !line.includes("/static/out/vs/code/browser/"))
      options.onExtensionHostLine?.(line);
  });
  await page.exposeFunction("codeAutomationExit", (code: number) => exit.resolve(code));
  page.on("console", (message) => {
    const line = message.text();
    lines.push(`[window] ${message.type()}: ${line}`);
    if (/extension host.*terminated unexpectedly/i.test(line)) loss.resolve(`the extension host crashed: ${line}`);
    options.onWindowLine?.(line);
  });
  page.on("crash", () => loss.resolve("the window crashed"));
  // An editor with unsaved changes asks before the window closes; nobody is here to answer.
  page.on("dialog", (dialog) => {
    const response = dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss();
    response.catch(() => {});
  });
  void server.ended.then((reason) => loss.resolve(reason));

  try {
    await page.goto(windowUrl(server, options), { waitUntil: "domcontentloaded", timeout: longest });
    await page.locator(".monaco-workbench").waitFor({ state: "visible", timeout: longest });
  } catch (error) {
    const picture = await saveScreenshot(page, "window-does-not-open", suiteStyle).catch(() => "no screenshot");
    await profile.release();
    throw new Error(
      `the editor's window did not open within ${longest / 1000} s (${picture}): ${error instanceof Error ? error.message : error}\n${lines.slice(-20).join("\n")}`,
    );
  }
  return {
    page,
    exitCode: exit.promise,
    lost: loss.promise,
    close: () => profile.release(),
    log: () => lines.join("\n"),
    extensionLogSince: (since) => extensionLogSince(since, server.dataDirectory),
  };
}

/**
 * False in a run of everything: nobody looks at its screenshots, and each in three themes costs more than a second.
 * Windows in which a test failed are always saved.
 */
export const takesScreenshots: boolean = process.env[screenshotsVariable] !== "off";

/** Writes `test-results/screenshots/NAME.png` and returns its path. `style` is added to the page and its frames meanwhile. */
export async function saveScreenshot(page: Page, name: string, style?: string): Promise<string> {
  const path = join(resultsDirectory, "screenshots", `${name.replace(/[^\w.-]+/g, "-")}.png`);
  await mkdir(dirname(path), { recursive: true });
  // Animations are disabled, so that a menu that fades in is fully visible.
  await page.screenshot({ path, timeout: 60_000, animations: "disabled", ...(style === undefined ? {} : { style }) });
  return path;
}
