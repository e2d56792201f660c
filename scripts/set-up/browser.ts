import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import type { Part } from "./part.ts";
import { partsDirectory } from "./paths.ts";
import { npmInstall, runProgram } from "./run-program.ts";
import { isExecutable, type SystemProgram, systemBrowser } from "./system-programs.ts";

/** A headless Chromium from the npm registry. A window takes a tenth less processor time in it than in Debian's. */
const packageName = "@sparticuz/chromium";
const packageVersion = "153.0.0";
/** Of the compressed program. It is native code from a package index, so only this exact file is accepted. */
const sha256 = "38e1e1649db20fa4ea644bf5987688ce81a4c9eb10e7eae8380b74fc0d699fea";
const directory = join(partsDirectory, "browser");
const executable = join(directory, "chromium");
/** What was installed: `works`, or `fails` if this system lacks its libraries. */
const stampFile = join(directory, `installed-${packageVersion}`);
/** The package has no other builds. */
const hasPackage = process.platform === "linux" && process.arch === "x64";

/** A Chromium that Playwright can drive: the package's if it works on this system, or else the system's. */
export const browser: Part<SystemProgram> = {
  ...systemBrowser,
  ...(hasPackage
    ? {
        duration: "about 10 s, once",
        remedy:
          "Check the connection to the npm registry and try again, or name a Chromium in the variable PLATFORM_WORKBENCH_BROWSER.",
      }
    : {}),

  async find() {
    const isNamed = (process.env.PLATFORM_WORKBENCH_BROWSER ?? "") !== "";
    if (isNamed || !hasPackage) return systemBrowser.find();
    const stamp = await readFile(stampFile, "utf8").catch(() => "");
    if (stamp === "works" && (await isExecutable(executable))) return { executable };
    return stamp === "fails" ? systemBrowser.find() : undefined;
  },

  async install(say) {
    if (hasPackage && (await readFile(stampFile, "utf8").catch(() => "")) === "") {
      await installPackage(say);
      if ((await browser.find()) !== undefined) return;
    }
    await systemBrowser.install(say);
  },
};

async function installPackage(say: (line: string) => void): Promise<void> {
  const fresh = `${directory}.installing`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  await writeFile(join(fresh, "package.json"), JSON.stringify({ private: true }));
  say(`${packageName} ${packageVersion}…`);
  await npmInstall(fresh, ["--ignore-scripts", "--save-exact", `${packageName}@${packageVersion}`]);
  const packed = join(fresh, "node_modules", packageName, "bin", "chromium.br");
  const found = createHash("sha256");
  await pipeline(createReadStream(packed), found);
  if (found.digest("hex") !== sha256)
    throw new Error(`${packageName} ${packageVersion} has another program than expected.`);
  const unpacked = join(fresh, "chromium");
  await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(unpacked, { mode: 0o755 }));
  await rm(join(fresh, "node_modules"), { recursive: true });
  const { code } = await runProgram(unpacked, ["--version"]);
  await rm(directory, { recursive: true, force: true });
  await rename(fresh, directory);
  await writeFile(stampFile, code === 0 ? "works" : "fails");
}
