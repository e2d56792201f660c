import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { runTests } from "@vscode/test-electron";
import { buildEditorSuite } from "../../scripts/build/bundle.ts";
import { browser } from "../../scripts/set-up/browser.ts";
import { editorHost } from "../../scripts/set-up/editor-host.ts";
import { ready } from "../../scripts/set-up/part.ts";
import { projectDirectory } from "../../scripts/set-up/paths.ts";
import { startSampleTenant } from "../../src/programs/sample-tenant/server.ts";
import { startControl } from "../editor/control.ts";
import { startTenant } from "../editor/environment.ts";
import type { OutsideServers } from "../editor/outside.ts";
import { startJupyterServer } from "../harness/jupyter-server.ts";

/** The cost of one action: the requests that reached the server, as `GET /path`, and the seconds until it was done. */
export interface ActionCosts {
  readonly requests: number;
  readonly seconds: number;
  readonly sent: readonly string[];
}

/** The actions, in the order of the report. */
export const actions = [
  "openWindow",
  "openFile",
  "save",
  "openNotebook",
  "saveNotebook",
  "createFile",
  "createFolder",
  "rename",
  "copyFile",
  "deleteTree",
  "expandFolder",
] as const;
export type Action = (typeof actions)[number];
export type ActionRun = Readonly<Record<Action, ActionCosts>>;

/** Round trips between editor and server, in milliseconds. */
const roundTrips = [0, 50, 200] as const;

/** Runs each action in a real editor, on a real Jupyter Server, at each round trip, in a new window each time. */
export async function measureActions(say: (line: string) => void): Promise<ReadonlyMap<number, ActionRun>> {
  await ready(editorHost);
  await ready(browser);
  const suite = await buildEditorSuite(["test/bench/in-editor/actions.test.ts"], "bench");
  const runs = new Map<number, ActionRun>();
  for (const roundTrip of roundTrips) {
    say(`actions in the real editor at ${roundTrip} ms round trip`);
    runs.set(roundTrip, await oneWindow(suite, roundTrip));
  }
  return runs;
}

async function oneWindow(suite: string, roundTrip: number): Promise<ActionRun> {
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-bench-"));
  const stops: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true, maxRetries: 5 })];
  let output = "";
  const take = new Writable({
    write(chunk: Buffer, _encoding, done) {
      output += chunk.toString("utf8");
      done();
    },
  });
  try {
    const root = join(directory, "jupyter");
    await mkdir(root);
    const jupyter = await startJupyterServer({ root, token: "token-of-the-jupyter-server", basePath: "/" });
    stops.push(() => jupyter.stop());
    const address = { url: `${jupyter.url}/`, token: jupyter.token };
    const started = await startTenant(
      "jupyter",
      await startSampleTenant({
        dataDirectory: join(directory, "tenant"),
        contentServer: { kind: "proxied", addressOf: async () => address },
      }),
      root,
    );
    stops.push(() => started.proxy.stop().then(() => started.tenant.stop()));
    if (roundTrip > 0) {
      started.proxy.addFault({ match: {}, action: { kind: "latency", milliseconds: roundTrip } });
    }
    const control = await startControl(new Map([[started.outside.tenantId, started]]));
    stops.push(() => control.stop());
    const tenantFile = join(directory, "tenants.json");
    await writeFile(tenantFile, JSON.stringify([started.file]), { mode: 0o600 });
    const servers: OutsideServers = { control: control.url, python: "", tenants: [started.outside] };
    const costsFile = join(directory, "costs.json");
    await runTests({
      vscodeExecutablePath: join(projectDirectory, "scripts", "editor-launcher"),
      reuseMachineInstall: true,
      extensionDevelopmentPath: projectDirectory,
      extensionTestsPath: suite,
      launchArgs: [
        `--folder-uri=platform-contents://${started.outside.workspaceId}.${started.outside.tenantId}/`,
        `--user-data-dir=${join(directory, "data")}`,
        `--extensions-dir=${join(directory, "extensions")}`,
      ],
      extensionTestsEnv: {
        PLATFORM_WORKBENCH_TENANT_FILE: tenantFile,
        PLATFORM_WORKBENCH_OUTSIDE: JSON.stringify(servers),
        PLATFORM_WORKBENCH_TOTALS: join(directory, "totals.json"),
        PLATFORM_WORKBENCH_TEST_FILES: JSON.stringify(["test/bench/in-editor/actions.test.ts"]),
        PLATFORM_WORKBENCH_BENCH_FILE: costsFile,
        PLATFORM_WORKBENCH_BENCH_ROUND_TRIP: String(roundTrip),
      },
      stdout: take,
      stderr: take,
    });
    const costs: ActionRun = JSON.parse(await readFile(costsFile, "utf8"));
    return costs;
  } catch (error) {
    throw new Error(`the actions could not be measured at ${roundTrip} ms:\n${output.slice(-3000)}`, { cause: error });
  } finally {
    for (const stop of stops.reverse()) {
      await stop();
    }
  }
}
