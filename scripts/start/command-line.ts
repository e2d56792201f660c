import { type ParseArgsConfig, parseArgs } from "node:util";

/** Invalid command-line arguments: one sentence. */
export class CommandLineError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CommandLineError";
  }
}

/** Parses a command's options. For an unknown option, throws an error that lists the known ones. */
export function readOptions<T extends NonNullable<ParseArgsConfig["options"]>>(options: T) {
  try {
    return parseArgs({ args: withDescribed(process.argv.slice(2)), options, strict: true, allowPositionals: false })
      .values;
  } catch (error) {
    const known = Object.entries(options)
      .map(([name, { type }]) => `--${name}${type === "string" ? " VALUE" : ""}`)
      .join(", ");
    throw new CommandLineError(`${error instanceof Error ? error.message : String(error)} Options: ${known}.`);
  }
}

export function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new CommandLineError(`--port ${text} isn't a valid port. Enter a number from 1 to 65535.`);
  }
  return port;
}

/** The content servers that a command's options name: those of the sample tenant, or those of a described platform. */
export function contentServersOf(options: {
  readonly "content-server"?: string | undefined;
  readonly described?: string | undefined;
}): {
  readonly contentServer: "embedded" | "jupyter" | undefined;
  readonly described: "lenient" | "strict" | undefined;
} {
  const contentServer = contentServerOf(options["content-server"]);
  const described = describedOf(options.described);
  if (described !== undefined && contentServer === "jupyter") {
    throw new CommandLineError(
      "--content-server can't be combined with --described, which has its own content servers.",
    );
  }
  return { contentServer, described };
}

function contentServerOf(text: string | undefined): "embedded" | "jupyter" | undefined {
  if (text === undefined || text === "embedded" || text === "jupyter") return text;
  throw new CommandLineError(`--content-server ${text} isn't valid. Use embedded or jupyter.`);
}

/**
 * The options of a command, with `--described` as `--described=lenient`, because the parser does not support optional
 * values.
 */
function withDescribed(options: readonly string[]): string[] {
  return options.map((option) => (option === "--described" ? "--described=lenient" : option));
}

function describedOf(text: string | undefined): "lenient" | "strict" | undefined {
  if (text === undefined || text === "lenient" || text === "strict") return text;
  throw new CommandLineError(`--described=${text} isn't valid. Use --described or --described=strict.`);
}

/** Waits for Ctrl+C or for `ended`, and returns the reason of the latter. */
export function untilInterrupted(ended?: Promise<string>): Promise<string | undefined> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve(undefined));
    void ended?.then(resolve);
  });
}

/** Runs a command. Reports an error on a single line. */
export async function runCommand(command: () => Promise<void>): Promise<never> {
  try {
    await command();
    process.exit(0);
  } catch (error) {
    const portTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE" && "port" in error;
    if (portTaken) console.error(`Port ${error.port} is already in use. Choose another port with --port N.`);
    else console.error(error instanceof Error ? error.message : String(error));
    if (error instanceof Error && "details" in error && error.details !== "") console.error(error.details);
    process.exit(error instanceof CommandLineError ? 2 : 1);
  }
}
