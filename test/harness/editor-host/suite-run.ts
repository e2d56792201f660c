import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { resultsDirectory } from "../../../scripts/set-up/paths.ts";
import { WindowBrowser } from "./browser.ts";
import { type EditorServer, type EditorServerOptions, startEditorServer } from "./server.ts";
import { openWindow, painted, saveScreenshot, type WindowOptions } from "./window.ts";

export interface Suite {
  readonly window: WindowOptions & { readonly extensionTestsPath: string };
  /** Milliseconds for the whole run. */
  readonly timeLimitMs: number;
  /** Also prints the window's console, not only the extension host's. */
  readonly verbose?: boolean;
}

type SuiteEnd = { readonly kind: "exit"; readonly code: number } | { readonly kind: "fatal"; readonly reason: string };

/** Runs a suite in a new editor, which ends with it. Returns the suite's exit code, like `runSuite`. */
export async function runSuiteInEditor(options: EditorServerOptions, suite: Suite): Promise<number> {
  const server = await startEditorServer(options);
  try {
    const browser = await WindowBrowser.start(server);
    try {
      return await runSuite(server, browser, suite);
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

/**
 * Runs a suite inside the extension host of a real editor: opens a window, calls the suite's `run()`, and closes the
 * window. Returns the suite's exit code. A crash or a timeout returns 1, prints one line, and saves a screenshot and a log
 * in `test-results/`.
 */
export async function runSuite(server: EditorServer, browser: WindowBrowser, suite: Suite): Promise<number> {
  const window = await openWindow(browser, server, {
    ...suite.window,
    onExtensionHostLine: (line) => console.log(line),
    ...(suite.verbose === true ? { onWindowLine: (line: string) => console.log(`[window] ${line}`) } : {}),
  });
  try {
    const limit = new AbortController();
    const end = await Promise.race<SuiteEnd>([
      window.exitCode.then((code) => ({ kind: "exit", code })),
      window.lost.then((reason) => ({ kind: "fatal", reason })),
      delay(suite.timeLimitMs, undefined, { signal: limit.signal }).then(
        () => ({ kind: "fatal", reason: `the suite did not end within ${suite.timeLimitMs / 1000} s` }),
        () => new Promise<SuiteEnd>(() => {}),
      ),
    ]);
    limit.abort();
    await mkdir(resultsDirectory, { recursive: true });
    const name = `editor-${server.version}`;
    await writeFile(join(resultsDirectory, `${name}-window.log`), window.log());
    await writeFile(join(resultsDirectory, `${name}-server.log`), server.output());
    if (end.kind === "exit") return end.code;
    const picture = await saveScreenshot(window.page, `${name}-suite-failed`, painted).catch(() => "no screenshot");
    console.error(`Editor: ${end.reason}. See ${picture} and test-results/${name}-window.log.`);
    return 1;
  } finally {
    await window.close();
  }
}
