import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Part } from "./part.ts";
import { lastLines, runProgram } from "./run-program.ts";

/** A Chromium that Playwright can drive. */
export interface Browser {
  readonly executable: string;
}

const programNames = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const fixedPlaces = [
  "/usr/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

export const browser: Part<Browser> = {
  id: "browser",
  name: "a browser (Chromium)",
  duration: "about 40 s, once",
  remedy:
    "Install Chromium or Chrome (Debian: apt-get install chromium), or name one in the variable PLATFORM_WORKBENCH_BROWSER.",

  async find() {
    const named = process.env.PLATFORM_WORKBENCH_BROWSER;
    if (named !== undefined && named !== "") {
      if (await isExecutable(named)) return { executable: named };
      throw new Error(`PLATFORM_WORKBENCH_BROWSER names ${named}, which is no program. Correct or unset it.`);
    }
    const onPath = (process.env.PATH ?? "")
      .split(delimiter)
      .flatMap((directory) => programNames.map((name) => join(directory, name)));
    for (const executable of [...fixedPlaces, ...onPath]) {
      if (await isExecutable(executable)) return { executable };
    }
    return undefined;
  },

  async install(say) {
    await aptInstall(["chromium"], say);
  },
};

/** Installs Debian packages; throws where that is not possible. */
export async function aptInstall(packages: readonly string[], say: (line: string) => void): Promise<void> {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !(await isExecutable("/usr/bin/apt-get"))) {
    throw new Error("there is none on this machine, and apt-get as root is not available here.");
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
