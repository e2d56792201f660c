// Runs the front door as a separate program.
import { configurationFrom } from "./config/configuration-reading.ts";
import { usageText } from "./config/setting-definitions.ts";
import { createLog, errorForLog } from "./observability/log.ts";
import { tracesFrom } from "./observability/traces-from-environment.ts";
import { startFrontDoor } from "./server.ts";
import { version } from "./version.ts";

const flags = process.argv.slice(2);
const leftOverMilliseconds = 1000;

async function run(): Promise<number> {
  if (flags.includes("--help") || flags.includes("--version")) {
    process.stdout.write(flags.includes("--help") ? usageText() : `${version}\n`);
    return 0;
  }
  const read = configurationFrom({ flags, environment: process.env });
  if (read.outcome === "invalid") {
    process.stderr.write(`The configuration is invalid:\n${read.errors.map((one) => `  ${one}\n`).join("")}`);
    process.stderr.write("To see all settings, use --help.\n");
    return 2;
  }
  const log = createLog(read.configuration.logLevel);
  const died = (error: unknown): void => {
    log.fatal({ err: errorForLog(error) }, "the front door is exiting because of an internal error");
    process.exit(1);
  };
  process.on("uncaughtException", died).on("unhandledRejection", died);
  for (const remark of read.remarks) {
    log.warn(remark);
  }
  const ended = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
  const createTraces = (parts: Parameters<typeof tracesFrom>[1]) => tracesFrom(process.env, parts);
  const frontDoor = await startFrontDoor(read.configuration, { log, createTraces });
  await ended;
  await frontDoor.close();
  return 0;
}

run().then(
  (code) => {
    process.exitCode = code;
    // Open connections, for example to a trace endpoint that does not respond, must not delay the exit.
    setTimeout(() => process.exit(code), leftOverMilliseconds).unref();
  },
  (error: unknown) => {
    const { code = "" } = error instanceof Error && "code" in error ? { code: String(error.code) } : {};
    process.stderr.write(`The front door can't start: ${code === "" ? errorForLog(error).type : code}.\n`);
    process.exitCode = 1;
  },
);
