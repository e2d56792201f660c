import { join } from "node:path";
import { build } from "esbuild";
import type { FaultyPlace } from "./place.ts";

/** The file of the program that is killed, next to the content of this place. */
export function killedProgram(place: FaultyPlace): string {
  return join(place.root, "..", "killed-child.mjs");
}

/**
 * Writes that program. As one file it starts in half of the time that its modules take, and dozens of processes run it.
 */
export async function writeKilledProgram(place: FaultyPlace): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, "killed-child.ts")],
    outfile: killedProgram(place),
    bundle: true,
    platform: "node",
    format: "esm",
    alias: { vscode: join(import.meta.dirname, "..", "harness", "editor-stand-in", "vscode.ts") },
    // For libraries that are CommonJS modules.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
}
