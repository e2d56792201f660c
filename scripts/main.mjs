#!/usr/bin/env node
// The entry point of every npm command: node scripts/main.mjs SCRIPT [ARGUMENT]…. In a fresh clone, it runs with the
// Node on PATH (20 or newer) before any dependency exists, so it is plain JavaScript that needs only Node. It installs
// the dependencies, including Node 24, and runs the command's script with that Node.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const projectDirectory = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");
const modulesDirectory = join(projectDirectory, "node_modules");

function fail(message) {
  console.error(`Set-up: ${message}`);
  process.exit(1);
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * True if the packages that npm reports as installed match package-lock.json (packages for other systems may be
 * missing).
 */
function dependenciesAreCurrent() {
  const wanted = readJson(join(projectDirectory, "package-lock.json"))?.packages;
  const installed = readJson(join(modulesDirectory, ".package-lock.json"))?.packages;
  if (wanted === undefined) fail("package-lock.json cannot be read. Restore it with: git checkout package-lock.json");
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const present = installed[path];
    if (present === undefined) return entry.optional === true;
    return present.version === entry.version && present.integrity === entry.integrity;
  });
}

function nodeBinary() {
  const path = join(modulesDirectory, "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  return existsSync(path) ? path : undefined;
}

/** Runs the npm that runs this script, with its Node: the `node` on PATH may be the one that is being replaced. */
function npm(args) {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  const own = script !== undefined && node !== undefined && !node.startsWith(modulesDirectory);
  const outcome = own
    ? spawnSync(node, [script, ...args], { cwd: projectDirectory, encoding: "utf8" })
    : spawnSync("npm", args, { cwd: projectDirectory, encoding: "utf8", shell: process.platform === "win32" });
  return {
    failed: outcome.status !== 0,
    output: `${outcome.stdout ?? ""}${outcome.stderr ?? ""}${outcome.error ?? ""}`,
  };
}

function installDependencies() {
  console.error("Set-up: installing the dependencies of package-lock.json (npm ci), about 20 s…");
  const started = Date.now();
  const install = npm(["ci", "--no-audit", "--no-fund", "--no-progress"]);
  if (install.failed) {
    console.error(install.output.split("\n").slice(-40).join("\n"));
    fail(
      "the dependencies can't be installed. See npm's output above, check the connection to the npm registry, and try again.",
    );
  }
  console.error(`Set-up: dependencies installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

function usableNode() {
  const path = nodeBinary();
  if (path === undefined) return undefined;
  const answer = spawnSync(path, ["--version"], { encoding: "utf8" });
  return answer.status === 0 ? path : undefined;
}

/** Node 24 is in the npm package `node`, whose install script links the binary; npm may have skipped that script. */
function readyNode() {
  const present = usableNode();
  if (present !== undefined) return present;
  console.error("Set-up: linking Node 24…");
  const rebuild = npm(["rebuild", "node", "esbuild", "--ignore-scripts=false"]);
  const node = usableNode();
  if (node === undefined) {
    console.error(rebuild.output.split("\n").slice(-20).join("\n"));
    fail(
      "Node 24 (npm package `node`) can't be installed. Allow its install script: npm rebuild node --ignore-scripts=false",
    );
  }
  return node;
}

const [script, ...rest] = process.argv.slice(2);
if (script === undefined) fail("no script to run. The commands are the scripts of package.json: npm run lists them.");
if (Number(process.versions.node.split(".")[0]) < 20) {
  fail(`Node ${process.versions.node} is too old. Install Node 20 or newer from https://nodejs.org and try again.`);
}
if (!dependenciesAreCurrent()) installDependencies();

const node = readyNode();
// All Node processes below, editors included, share compiled code: each starts in about two thirds of the time.
const compileCache = process.env.NODE_COMPILE_CACHE ?? join(modulesDirectory, ".cache", "node-compile-cache");
const path = [join(modulesDirectory, ".bin"), process.env.PATH ?? ""].join(delimiter);
const child = spawn(node, [join(projectDirectory, script), ...rest], {
  cwd: projectDirectory,
  stdio: "inherit",
  env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: compileCache },
});
// Ctrl-C also reaches the child, which is in the same process group. It ends the processes that it started, and we end
// with it.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
process.on("SIGHUP", () => child.kill("SIGHUP"));
child.on("error", (error) => fail(`Node 24 could not start: ${error.message}`));
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
