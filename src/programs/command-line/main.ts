// The program behind `npx platform-workbench`.
import { runProgram } from "./program.ts";

declare const PLATFORM_WORKBENCH_VERSION: string | undefined;

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());
// The reader may close the output early, as `head` does.
process.stdout.on("error", () => process.exit(0));

void runProgram(process.argv.slice(2), {
  environment: process.env,
  input: process.stdin,
  output: process.stdout,
  messages: process.stderr,
  version: typeof PLATFORM_WORKBENCH_VERSION === "string" ? PLATFORM_WORKBENCH_VERSION : "from source",
  signal: stop.signal,
}).then((code) => {
  process.exitCode = code;
});
