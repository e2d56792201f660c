import { spawn } from "node:child_process";

export interface ProgramOutcome {
  /** Exit code; -1 if the program could not be started or was ended by a signal. */
  readonly code: number;
  /** Standard output and standard error, in order of arrival. */
  readonly output: string;
}

export interface ProgramOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds after which the program is killed. */
  readonly timeLimitMs?: number;
}

/** Runs a program and returns its exit code and output. Never throws. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramOutcome> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.environment },
      stdio: ["ignore", "pipe", "pipe"],
      // `timeout` would keep this process running for as long if the program doesn't exist.
      signal: AbortSignal.timeout(options.timeLimitMs ?? 600_000),
      shell: process.platform === "win32" && !program.endsWith(".exe"),
    });
    let output = "";
    const take = (chunk: Buffer): void => {
      output += chunk.toString("utf8");
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", (error) => resolve({ code: -1, output: `${output}${error.message}` }));
    child.on("close", (code) => resolve({ code: code ?? -1, output }));
  });
}

/** The end of a program's output, for an error message. */
export function lastLines(output: string, count = 15): string {
  return output
    .trim()
    .split("\n")
    .slice(-count)
    .map((line) => line.slice(0, 400))
    .join("\n");
}

/** Runs the npm that is running this script (with its Node), or else the one on PATH. */
export function runNpm(args: readonly string[], cwd: string): Promise<ProgramOutcome> {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  const quiet = ["--no-audit", "--no-fund", "--no-progress"];
  return script !== undefined && node !== undefined
    ? runProgram(node, [script, ...args, ...quiet], { cwd })
    : runProgram("npm", [...args, ...quiet], { cwd });
}

/** Runs npm in a folder. Throws an error with the end of its output if it fails. */
export async function npm(cwd: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runNpm(args, cwd);
  if (code !== 0) throw new Error(`npm ${args.join(" ")} failed.\n${lastLines(output)}`);
}

/** Installs npm packages in a folder. Throws an error with the end of npm's output if that fails. */
export function npmInstall(cwd: string, args: readonly string[]): Promise<void> {
  return npm(cwd, ["install", ...args]);
}

/** True if a process with this id exists. */
export function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}
