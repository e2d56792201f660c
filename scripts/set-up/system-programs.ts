import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Part } from "./part.ts";
import { lastLines, runProgram } from "./run-program.ts";

/** A program on this machine, found or installed with the system's package manager. */
export interface SystemProgram {
  readonly executable: string;
}

/**
 * A Chromium of this system that Playwright can drive. The headless build is preferred, because it takes about 10% less
 * CPU time per editor window.
 */
export const systemBrowser: Part<SystemProgram> = systemProgram({
  id: "browser",
  name: "a browser (Chromium)",
  duration: "about 40 s, once",
  remedy:
    "Install Chromium or Chrome (Debian: apt-get install chromium-headless-shell), or name one in the variable PLATFORM_WORKBENCH_BROWSER.",
  variable: "PLATFORM_WORKBENCH_BROWSER",
  fixedPlaces: [
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  ],
  programNames: [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
  ],
  debianPackage: "chromium-headless-shell",
});

/** An nginx that tests start with their own port and configuration. */
export const nginx: Part<SystemProgram> = systemProgram({
  id: "nginx",
  name: "a load balancer (nginx)",
  duration: "about 10 s, once",
  remedy: "Install nginx (Debian: apt-get install nginx), or name one in the variable PLATFORM_WORKBENCH_NGINX.",
  variable: "PLATFORM_WORKBENCH_NGINX",
  fixedPlaces: ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"],
  programNames: ["nginx"],
  debianPackage: "nginx",
});

/** A Valkey or Redis server, which tests start on their own port. Valkey is preferred. */
export const stateServer: Part<SystemProgram> = systemProgram({
  id: "state-server",
  name: "a Valkey or Redis server",
  duration: "about 10 s, once",
  remedy:
    "Install Valkey or Redis (Debian: apt-get install redis-server), or name one in the variable PLATFORM_WORKBENCH_STATE_SERVER.",
  variable: "PLATFORM_WORKBENCH_STATE_SERVER",
  fixedPlaces: ["/usr/bin/valkey-server", "/usr/local/bin/valkey-server", "/opt/homebrew/bin/valkey-server"],
  programNames: ["valkey-server", "redis-server"],
  debianPackage: "redis-server",
});

interface SystemProgramOptions extends Pick<Part<SystemProgram>, "id" | "name" | "duration" | "remedy"> {
  /** The environment variable that can name the program. */
  readonly variable: string;
  /** Absolute paths that are tried before PATH. */
  readonly fixedPlaces: readonly string[];
  /** Names on PATH, in order of preference. */
  readonly programNames: readonly string[];
  readonly debianPackage: string;
}

function systemProgram(options: SystemProgramOptions): Part<SystemProgram> {
  const { id, name, duration, remedy, variable, fixedPlaces, programNames, debianPackage } = options;
  return {
    id,
    name,
    duration,
    remedy,

    async find() {
      const named = process.env[variable];
      if (named !== undefined && named !== "") {
        if (await isExecutable(named)) return { executable: named };
        throw new Error(`${variable} names ${named}, which is not a program. Correct or unset it.`);
      }
      const directories = (process.env.PATH ?? "").split(delimiter);
      const onPath = programNames.flatMap((programName) =>
        directories.map((directory) => join(directory, programName)),
      );
      for (const executable of [...fixedPlaces, ...onPath]) {
        if (await isExecutable(executable)) return { executable };
      }
      return undefined;
    },

    install: (say) => aptInstall([debianPackage], say),
  };
}

/** The current installation, because the package manager runs only one at a time. */
let last: Promise<void> = Promise.resolve();

/** Installs Debian packages after other installations have ended. Throws if they can't be installed. */
export function aptInstall(packages: readonly string[], say: (line: string) => void): Promise<void> {
  const install = last.then(() => installPackages(packages, say));
  last = install.catch(() => undefined);
  return install;
}

async function installPackages(packages: readonly string[], say: (line: string) => void): Promise<void> {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !(await isExecutable("/usr/bin/apt-get"))) {
    throw new Error("it isn't installed on this machine, and apt-get isn't available as root.");
  }
  const environment = { DEBIAN_FRONTEND: "noninteractive" };
  say("apt-get update…");
  const update = await runProgram("/usr/bin/apt-get", ["update", "-q"], { environment });
  say(`apt-get install ${packages.join(" ")}…`);
  const install = await runProgram(
    "/usr/bin/apt-get",
    ["install", "-y", "-q", "--no-install-recommends", ...packages],
    { environment },
  );
  if (install.code !== 0) {
    throw new Error(
      `apt-get install ${packages.join(" ")} failed.\n${lastLines(update.output, 5)}\n${lastLines(install.output)}`,
    );
  }
}

export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
