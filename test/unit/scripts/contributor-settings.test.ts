import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";

/** JSON with comments, as the editor reads it. Each comment has its own lines here. */
async function readWithComments(name: string): Promise<unknown> {
  const text = await readFile(join(projectDirectory, ".vscode", name), "utf8");
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, ""));
}

const launchFile = z.object({
  configurations: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      preLaunchTask: z.string().optional(),
      runtimeExecutable: z.string().optional(),
      program: z.string().optional(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

const tasksFile = z.object({
  tasks: z.array(
    z.object({ label: z.string(), command: z.string().optional(), dependsOn: z.array(z.string()).default([]) }),
  ),
});

const settingsFile = z.record(z.string(), z.unknown());

const manifestFile = z.object({ scripts: z.record(z.string(), z.string()) });

describe("the editor's settings for contributors", () => {
  it("are JSON with comments", async () => {
    const names = await readdir(join(projectDirectory, ".vscode"));
    assert.deepEqual(names.sort(), ["extensions.json", "launch.json", "settings.json", "tasks.json"]);
    for (const name of names) await readWithComments(name);
  });

  it("launch with tasks that exist", async () => {
    const { configurations } = launchFile.parse(await readWithComments("launch.json"));
    const { tasks } = tasksFile.parse(await readWithComments("tasks.json"));
    const named = [
      ...configurations.flatMap(({ preLaunchTask = [] }) => preLaunchTask),
      ...tasks.flatMap((task) => task.dependsOn),
    ];
    assert.notEqual(named.length, 0);
    const labels = tasks.map(({ label }) => label);
    assert.deepEqual(
      named.filter((label) => !labels.includes(label)),
      [],
    );
  });

  it("launch files that exist", async () => {
    const { configurations } = launchFile.parse(await readWithComments("launch.json"));
    const settings = settingsFile.parse(await readWithComments("settings.json"));
    const compiler = z.string().parse(settings["js/ts.tsdk.path"]);
    const required = configurations.flatMap(({ program = [], runtimeExecutable = [], args }) => [
      program,
      process.platform === "win32" ? [] : runtimeExecutable,
      args.filter((argument) => argument.startsWith("./")),
    ]);
    for (const path of [...required.flat(2), join(compiler, "tsserver.js")]) {
      assert.ok(
        existsSync(join(projectDirectory, path.replace(/^\$\{workspaceFolder\}/, ""))),
        `${path} does not exist`,
      );
    }
  });

  it("run npm scripts that exist", async () => {
    const { tasks } = tasksFile.parse(await readWithComments("tasks.json"));
    const manifest = manifestFile.parse(JSON.parse(await readFile(join(projectDirectory, "package.json"), "utf8")));
    for (const { label, command } of tasks) {
      if (command === undefined) continue;
      const script = /^npm (?:run )?([\w:-]+)/.exec(command)?.[1] ?? "";
      assert.ok(manifest.scripts[script] !== undefined, `${label} runs ${command}`);
    }
  });

  it("sign in to the sample tenant that the task starts", async () => {
    const { configurations } = launchFile.parse(await readWithComments("launch.json"));
    const { tasks } = tasksFile.parse(await readWithComments("tasks.json"));
    const command = tasks.find(({ label }) => label === "Sample tenant")?.command ?? "";
    const directory = /--data (\S+)/.exec(command)?.[1];
    const extension = configurations.find(({ type }) => type === "extensionHost");
    assert.equal(extension?.env?.PLATFORM_WORKBENCH_TENANT_FILE, `\${workspaceFolder}/${directory}/tenant.json`);
  });

  it("are not in the package", async () => {
    const lines = (await readFile(join(projectDirectory, ".vscodeignore"), "utf8")).split("\n");
    assert.ok(lines.includes("**"));
    assert.deepEqual(
      lines.filter((line) => line.startsWith("!.")),
      [],
    );
  });
});
