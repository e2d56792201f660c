// npm run mutation [-- module…]: makes small changes (mutants) to the code that must never be wrong, one at a time, and
// runs its tests. A mutant that no test kills survives.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import "../mutation/mocha-files.ts";
import { Stryker } from "@stryker-mutator/core";
import { projectDirectory, resultsDirectory } from "../set-up/paths.ts";

interface Module {
  /** The mutated files. */
  readonly mutate: readonly string[];
  /** The tests that must kill the mutants, in the order in which they run. */
  readonly tests: readonly string[];
  /** Milliseconds and the multiple of a test's usual duration after which a mutant counts as an endless loop. */
  readonly limit?: { readonly ms: number; readonly factor: number };
}

const mergeTests = "test/unit/file-system/merge/!(*-as-git).test.ts";

const modules: Readonly<Record<string, Module>> = {
  versions: {
    mutate: ["src/file-system/versions/{content-version,editor-copy,editor-versions}.ts"],
    tests: ["test/unit/file-system/versions/*.test.ts"],
  },
  merging: {
    mutate: ["src/file-system/merge/merge-text.ts", "src/file-system/merge/merge-cells.ts"],
    // The test that runs Git is slow. In the last place, it runs only for mutants that no other test kills.
    tests: [mergeTests, "test/unit/file-system/merge/*-as-git.test.ts"],
  },
  "merge-parts": {
    // The layer faults tests conflicts.ts and merge-notebook.ts. The search for differences would take hours, because many of its
    // mutants never end.
    mutate: [
      "src/file-system/merge/*.ts",
      "!src/file-system/merge/{conflicts,merge-notebook,merge-text,merge-cells,sequence-diff,split-search}.ts",
    ],
    tests: [mergeTests],
    // Many others never end, either, and each takes that long.
    limit: { ms: 6_000, factor: 1.5 },
  },
  "chunked-saves": {
    mutate: ["src/api/content-server/chunked-upload.ts"],
    tests: ["test/unit/api/content-server/chunked-upload.test.ts"],
  },
  paths: {
    mutate: ["src/api/catalogue/content-path.ts"],
    tests: ["test/unit/api/catalogue/content-path.test.ts"],
  },
  "exact-json": {
    mutate: ["src/api/http/json.ts", "src/api/http/json-member.ts"],
    tests: ["test/unit/api/http/json.test.ts"],
  },
  credentials: {
    mutate: ["src/api/http/credentials.ts"],
    tests: ["test/unit/api/http/credentials.test.ts", "test/unit/api/client/*.test.ts"],
  },
  redaction: {
    mutate: ["src/api/http/redaction.ts", "src/api/http/named-values.ts", "src/api/http/confidential.ts"],
    tests: [
      "test/unit/api/http/redaction.test.ts",
      "test/unit/api/http/redaction-turns.test.ts",
      "test/unit/api/http/confidential.test.ts",
    ],
  },
  claims: {
    mutate: ["src/programs/front-door/token/claims.ts"],
    tests: ["test/unit/programs/front-door/token/*.test.ts"],
  },
  gate: {
    mutate: ["src/programs/front-door/gate.ts", "src/programs/front-door/token/verification.ts"],
    tests: ["test/unit/programs/front-door/token/*.test.ts", "test/unit/programs/front-door/gate.test.ts"],
  },
  envelopes: {
    mutate: [
      "src/programs/front-door/credential/decryption.ts",
      "src/programs/front-door/credential/envelope-format.ts",
    ],
    tests: ["test/unit/programs/front-door/credential/*.test.ts"],
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => modules[name] === undefined);
if (unknown.length > 0) {
  console.error(`Unknown module: ${unknown.join(", ")}. Modules: ${Object.keys(modules).join(", ")}.`);
  process.exit(2);
}

const directory = join(resultsDirectory, "mutation");
await mkdir(directory, { recursive: true });
process.chdir(projectDirectory);
const lines: string[] = [];
for (const [name, { mutate, tests, limit }] of Object.entries(modules)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const results = await new Stryker({
    testRunner: "mocha",
    plugins: ["@stryker-mutator/mocha-runner"],
    mochaOptions: {
      spec: [...tests],
      "no-config": true,
      require: ["./test/harness/editor-stand-in/register.ts"],
    },
    mutate: [...mutate],
    coverageAnalysis: "perTest",
    // Code that runs once when a module loads can't be mutated for a single test.
    ignoreStatic: true,
    concurrency: 2,
    testRunnerNodeArgs: ["--import", import.meta.resolve("../mutation/mocha-files.ts")],
    timeoutMS: limit?.ms ?? 20_000,
    timeoutFactor: limit?.factor ?? 4,
    ignorePatterns: ["dist", "test-results", ".vscode-test", ".git", "media"],
    tempDirName: join("test-results", "mutation", "sandbox"),
    reporters: ["clear-text", "html", "json"],
    clearTextReporter: { allowColor: process.stdout.isTTY, logTests: false, reportTests: false },
    htmlReporter: { fileName: join("test-results", "mutation", `${name}.html`) },
    jsonReporter: { fileName: join("test-results", "mutation", `${name}.json`) },
    allowEmpty: false,
  }).runMutationTest();
  const count = (status: string): number => results.filter((result) => result.status === status).length;
  const [killed, survived] = [count("Killed") + count("Timeout"), count("Survived") + count("NoCoverage")];
  const share = ((100 * killed) / Math.max(1, killed + survived)).toFixed(1);
  lines.push(`${name.padEnd(16)} ${killed} killed, ${survived} survived (${share} %)`);
}
console.log(`\n${lines.join("\n")}`);
