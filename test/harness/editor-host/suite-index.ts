// Entry point in the extension host: runs mocha over the bundled tests and writes the totals to a file.
import { writeFileSync } from "node:fs";
import { totalsOf } from "../totals.ts";
import { extensionLogSince } from "./extension-log.ts";

interface TestCollection {
  /** Loads each test file whose path (from the repository's root) is selected. */
  loadTests(wanted: (file: string) => boolean): void;
}

process.setSourceMapsEnabled(true);

export async function run(): Promise<void> {
  const totalsFile = process.env.PLATFORM_WORKBENCH_TOTALS;
  if (totalsFile === undefined) throw new Error("PLATFORM_WORKBENCH_TOTALS names no file for the totals");
  const { default: Mocha } = await import("mocha");
  const mocha = new Mocha({ ui: "bdd", timeout: 600_000, color: process.env.FORCE_COLOR === "1" });
  mocha.reporter("spec");
  mocha.suite.emit("pre-require", globalThis, "editor", mocha);

  const selection: unknown = JSON.parse(process.env.PLATFORM_WORKBENCH_TEST_FILES ?? "[]");
  const wanted = new Set(Array.isArray(selection) ? selection.map(String) : []);
  const collection: TestCollection = await import("editor-tests");
  collection.loadTests((file) => wanted.has(file));

  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    let began = new Date();
    runner.on("test", () => {
      began = new Date();
    });
    runner.on("fail", ({ title }) => {
      const profile = process.env.PLATFORM_WORKBENCH_PROFILE;
      if (profile !== undefined) console.log(`Log of "${title}":\n${extensionLogSince(began, profile)}`);
    });
    runner.once("end", () => writeFileSync(totalsFile, JSON.stringify(totalsOf(runner), undefined, 2)));
  });
  if (failures > 0) throw new Error(`${failures} failed`);
}
