// Runs the test files that its parent sends, one after the other, and answers each with its totals. The arguments are
// the time limit of a test in milliseconds, and modules to load first. The root hooks of these modules run before the
// first file and after the last one.
import { pathToFileURL } from "node:url";
import Mocha from "mocha";
import { type Totals, totalsOf } from "./totals.ts";

export interface FileRequest {
  /** An absolute path. */
  readonly file: string;
}

/** A module with mocha's root hooks. */
interface HookModule {
  readonly mochaHooks?: { beforeAll?(): Promise<void> | void; afterAll?(): Promise<void> | void };
}

const [timeout, ...paths] = process.argv.slice(2);

async function run({ file }: FileRequest): Promise<Totals> {
  const mocha = new Mocha({ timeout: Number(timeout), reporter: "spec", forbidOnly: true, forbidPending: true });
  mocha.addFile(file);
  try {
    await mocha.loadFilesAsync();
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1, failures: [{ title: file, message: `it can't be loaded: ${String(error)}` }] };
  }
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      resolve(totalsOf(runner));
      mocha.dispose();
    });
  });
}

async function loadModules(): Promise<readonly HookModule[]> {
  const modules: HookModule[] = [];
  for (const path of paths) {
    const module: HookModule = await import(pathToFileURL(path).href);
    await module.mochaHooks?.beforeAll?.();
    modules.push(module);
  }
  return modules;
}

const loading = loadModules();
let working: Promise<unknown> = loading;
process.on("message", (request: FileRequest) => {
  working = working.then(async () => process.send?.(await run(request)));
});
// There are no further files. The process ends if nothing is left open.
process.on("disconnect", async () => {
  try {
    await working;
    for (const { mochaHooks } of (await loading).toReversed()) await mochaHooks?.afterAll?.();
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
});
