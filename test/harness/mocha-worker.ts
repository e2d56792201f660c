// Runs the test files that its parent sends, one after the other. The arguments are the time limit of a test in
// milliseconds, and modules to load first. The root hooks of these modules run before the first file and after the last
// one.
import { pathToFileURL } from "node:url";
import Mocha from "mocha";
import { type Totals, totalsOf } from "./totals.ts";

/** `run`: a file, by its absolute path. `end`: there are no further files. */
export type WorkerRequest = { readonly kind: "run"; readonly file: string } | { readonly kind: "end" };

/** `totals`: of a file. `ended`: the root hooks have run, and the process ends if nothing is left open. */
export type WorkerResponse = { readonly kind: "totals"; readonly totals: Totals } | { readonly kind: "ended" };

/** A module with mocha's root hooks. Hooks around each test aren't supported. */
interface HookModule {
  readonly mochaHooks?: { beforeAll?(): Promise<void> | void; afterAll?(): Promise<void> | void };
}

const [timeout, ...paths] = process.argv.slice(2);
const modules: HookModule[] = [];
let runner: Mocha.Runner | undefined;
let isEnding = false;

async function loadModules(): Promise<void> {
  for (const path of paths) {
    const module: HookModule = await import(pathToFileURL(path).href);
    modules.push(module);
    await module.mochaHooks?.beforeAll?.();
  }
}

async function run(file: string): Promise<Totals> {
  const mocha = new Mocha({ timeout: Number(timeout), reporter: "spec", forbidOnly: true, forbidPending: true });
  mocha.addFile(file);
  try {
    await mocha.loadFilesAsync();
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1, failures: [{ title: file, message: `it can't be loaded: ${String(error)}` }] };
  }
  return new Promise((resolve) => {
    const current = mocha.run(() => {
      resolve(totalsOf(current));
      mocha.dispose();
    });
    runner = current;
  });
}

async function runLastHooks(): Promise<void> {
  isEnding = true;
  try {
    for (const { mochaHooks } of modules.toReversed()) await mochaHooks?.afterAll?.();
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
}

function response(message: WorkerResponse): void {
  if (process.connected) process.send?.(message);
}

let working = loadModules();
process.on("message", (request: WorkerRequest) => {
  working = working.then(async () => {
    if (request.kind === "run") {
      response({ kind: "totals", totals: await run(request.file) });
      return;
    }
    await runLastHooks();
    response({ kind: "ended" });
    process.disconnect?.();
  });
});
// If the parent ends first, nothing that the modules started may stay behind.
process.on("disconnect", async () => {
  if (isEnding) return;
  runner?.abort();
  await working;
  await runLastHooks();
  process.exit(1);
});
