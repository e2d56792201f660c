// The packages of a kernel's environment, and the commands that change it, in a real terminal with a real pip.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attachProgram } from "../../../src/api/companion/attach.ts";
import type { Companion } from "../../../src/api/companion/companion.ts";
import {
  compareRequirements,
  describePackage,
  type InstalledPackage,
  listLoadedPackages,
  listPackages,
  listPackageUpdates,
  type PackageEnvironment,
  searchPackages,
  watchPackages,
} from "../../../src/api/companion/operations/packages.ts";
import type { KernelConnection } from "../../../src/api/kernels/connection/connection.ts";
import { shellCommand } from "../../../src/api/shell-words.ts";
import { TerminalServer } from "../../../src/api/terminals/terminal-server.ts";
import {
  installFileWords,
  installWords,
  toolFor,
  uninstallWords,
} from "../../../src/features/packages/package-commands.ts";
import { plainShell } from "../../harness/jupyter-environment.ts";
import { until } from "../../harness/until.ts";
import { type KernelRig, run, startRig } from "../rig.ts";
import { type ShownTerminal, showTerminal } from "../shown-terminal.ts";
import { makePackageEnvironment, type PackageTestEnvironment } from "./package-environment.ts";

describe("packages of a kernel's environment", function () {
  this.timeout(180_000);
  let environment: PackageTestEnvironment;
  let rig: KernelRig;
  let connection: KernelConnection;
  let program: Companion;
  let described: PackageEnvironment;
  let screen: ShownTerminal;
  let reports = 0;

  before(async () => {
    environment = await makePackageEnvironment();
    await environment.publish("1.0");
    rig = await startRig([plainShell], { terminals: true, environment: environment.variables });
    connection = await rig.connect(await rig.startKernel());
    program = await attachProgram(connection);
    described = (await program.request(listPackages, {})).environment;
    const onFailure = (error: Error): void => assert.fail(error);
    await program.subscribe(watchPackages, {}, { onPush: () => (reports += 1), onFailure });
    const terminal = await new TerminalServer(async () => rig.client()).start("");
    assert.ok(terminal !== undefined);
    screen = showTerminal(rig.client(), terminal.name, { isNew: true });
    await screen.prompts();
  });
  after(async () => {
    screen.connection.dispose();
    await rig.stop();
    await environment.stop();
  });

  const demo = async (): Promise<InstalledPackage | undefined> =>
    (await program.request(listPackages, {})).packages.find(({ name }) => name === "aa-demo");

  /** Runs a command in the terminal, and waits until the service has reported what it changed. */
  async function change(words: readonly string[], version: string | undefined): Promise<void> {
    const before = reports;
    screen.connection.type(`${shellCommand(words)}\r`);
    await until(`version ${version}`, async () => (await demo())?.version === version, { seen: () => screen.text });
    await until("a report", () => reports > before);
  }

  it("are those of the kernel, not of the server", async () => {
    assert.equal(described.prefix, environment.prefix);
    assert.deepEqual([toolFor(described), described.isManaged, described.conda], ["pip", false, null]);
    const { packages } = await program.request(listPackages, {});
    assert.ok(packages.some(({ name }) => name === "ipykernel"));
    assert.equal(await demo(), undefined);
  });

  it("are found in the index that pip is configured for, with their versions", async () => {
    const { names, total, indexes } = await program.request(searchPackages, { text: "Demo" });
    assert.deepEqual({ names, total }, { names: ["aa-demo"], total: 1 });
    assert.deepEqual(indexes, [`${environment.variables.PIP_INDEX_URL}/`]);
    const { versions, newest } = await program.request(describePackage, { name: "aa-demo" });
    assert.deepEqual({ versions, newest }, { versions: ["1.0"], newest: "1.0" });
    await assert.rejects(
      program.request(describePackage, { name: "bb-demo" }),
      /The package index has no package bb-demo/,
    );
  });

  it("are installed, upgraded, and uninstalled in a terminal", async () => {
    await change(installWords(described, "pip", ["aa-demo>=1"]), "1.0");
    assert.deepEqual(await demo(), {
      name: "aa-demo",
      version: "1.0",
      summary: "Shows packages",
      installer: "pip",
      isDirect: false,
    });
    const names = { names: ["aa-demo", "ipykernel", "not-installed"] };
    assert.deepEqual((await program.request(listLoadedPackages, names)).names, ["ipykernel"]);
    await run(connection, "import aa_demo");
    assert.deepEqual((await program.request(listLoadedPackages, names)).names, ["aa-demo", "ipykernel"]);
    await environment.publish("1.1");
    const { updates } = await program.request(listPackageUpdates, {});
    assert.deepEqual(updates, [{ name: "aa-demo", latest: "1.1" }]);
    await change(installWords(described, "pip", ["aa-demo"], true), "1.1");
    await change(uninstallWords(described, "pip", "aa-demo"), undefined);
  });

  it("are installed from a file", async () => {
    await writeFile(join(rig.root, "-demo requirements.txt"), "aa-demo==1.0\n");
    await change(installFileWords(described, "pip", "-demo requirements.txt"), "1.0");
    await change(uninstallWords(described, "pip", "aa-demo"), undefined);
  });

  it("are compared with requirements", async () => {
    const text = "ipykernel>=1\naa-demo\nipykernel<2\n-r other.txt\n";
    const compared = await program.request(compareRequirements, { text, kind: "requirements" });
    assert.deepEqual(
      compared.requirements.map(({ text: required, state }) => [required, state]),
      [
        ["ipykernel>=1", "installed"],
        ["aa-demo", "missing"],
        ["ipykernel<2", "other"],
      ],
    );
    assert.deepEqual(compared.skipped, ["-r other.txt"]);
  });

  it("are no longer compared with the index once that is canceled", async () => {
    const abort = new AbortController();
    const asked = program.request(listPackageUpdates, {}, { signal: abort.signal });
    abort.abort(new Error("canceled"));
    await assert.rejects(asked, /canceled/);
  });
});
