import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { resultsDirectory } from "../../../scripts/set-up/paths.ts";
import { type EditorServerOptions, startEditorServer } from "./server.ts";
import { openWindow, saveScreenshot, startBrowser, type WindowOptions } from "./window.ts";

export interface SuiteRun {
  readonly server: EditorServerOptions;
  readonly window: WindowOptions & { readonly extensionTestsPath: string };
  /** Milliseconds for the whole run. */
  readonly timeLimit: number;
  /** The window's own console too, not the extension host's alone. */
  readonly verbose?: boolean;
}

type SuiteEnd = { readonly kind: "exit"; readonly code: number } | { readonly kind: "fatal"; readonly reason: string };

/**
 * Runs a suite inside the extension host of a real editor: server, window, the suite's `run()`, and everything ended again.
 * Gives the suite's exit code; a crash or a time-out gives 1, one clear line, and a screenshot and log in `test-results/`.
 */
export async function runSuiteInEditor(run: SuiteRun): Promise<number> {
  const server = await startEditorServer(run.server);
  try {
    const browser = await startBrowser();
    try {
      const window = await openWindow(browser, server, {
        ...run.window,
        onExtensionHostLine: (line) => console.log(line),
        ...(run.verbose === true ? { onWindowLine: (line: string) => console.log(`[window] ${line}`) } : {}),
      });
      const limit = new AbortController();
      const end = await Promise.race<SuiteEnd>([
        window.exitCode.then((code) => ({ kind: "exit", code })),
        window.lost.then((reason) => ({ kind: "fatal", reason })),
        delay(run.timeLimit, undefined, { signal: limit.signal }).then(
          () => ({ kind: "fatal", reason: `the suite did not end within ${run.timeLimit / 1000} s` }),
          () => new Promise<SuiteEnd>(() => {}),
        ),
      ]);
      limit.abort();
      await mkdir(resultsDirectory, { recursive: true });
      const name = `editor-${server.version}`;
      await writeFile(join(resultsDirectory, `${name}-window.log`), window.log());
      await writeFile(join(resultsDirectory, `${name}-server.log`), server.output());
      if (end.kind === "exit") return end.code;
      const picture = await saveScreenshot(window.page, `${name}-suite-failed`).catch(() => "no screenshot");
      console.error(`Editor: ${end.reason}. See ${picture} and test-results/${name}-window.log.`);
      return 1;
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}
