import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Transport } from "../../src/api/http/transport.ts";
import { type SampleTenant, startSampleTenant } from "../../src/programs/sample-tenant/server.ts";
import { type JupyterServer, startJupyterServer } from "../harness/jupyter-server.ts";
import { randomSeed } from "../harness/random-seed.ts";
import { type ContentPlace, FilesClient } from "./client.ts";
import { describedContents } from "./model/contents.ts";
import { Machine, type ServerKind } from "./model/machine.ts";
import { beginning, type Step, step } from "./model/steps.ts";
import { signaturesInMemory } from "./place.ts";
import { patientTransport } from "./transport.ts";

/** Each commit tries other steps than the one before. More for a long search: PLATFORM_WORKBENCH_RUNS=… */
const runs = Number(process.env.PLATFORM_WORKBENCH_RUNS ?? 200);
const stepsPerRun = 40;
/**
 * A few parallel runs keep two cores busy. Each has its own server, because a listing can miss items of a folder in
 * which others create and remove items.
 */
const laneCount = 3;

/** Fewer runs for a server with only the API description, because little differs there. */
const describedRuns = Math.ceil(runs / 5);

interface Lane {
  readonly place: ContentPlace;
  readonly root: string;
  readonly transport: Transport;
  readonly kind?: ServerKind;
}

describe("random steps of two clients on a real Jupyter Server, against a model", () => {
  let directory: string;
  let servers: readonly JupyterServer[];
  let lanes: readonly Lane[];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-model-"));
    servers = await Promise.all(
      Array.from({ length: laneCount }, async (_, index) => {
        const root = join(directory, String(index));
        await mkdir(root);
        const token = randomUUID();
        return startJupyterServer({
          root,
          token,
          deleteToTrash: false,
          extraArguments: ["--log-level=CRITICAL", signaturesInMemory],
        });
      }),
    );
    lanes = servers.map(({ url, token, root }) => ({
      place: { origin: new URL(url).origin, prefix: "/", token },
      root,
      transport: patientTransport(),
    }));
  });
  after(async () => {
    await Promise.all(lanes.map(({ transport }) => transport.close()));
    await Promise.all(servers.map((server) => server.kill()));
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  it(`${runs} runs of ${stepsPerRun} steps: no lost byte, no phantom, no wrong error kind, exact events`, async () => {
    await runIn(lanes, runs);
  });
});

describe("random steps of two clients on a server with only the API description, against a model", () => {
  let directory: string;
  let tenant: SampleTenant;
  let transport: Transport;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-model-"));
    tenant = await startSampleTenant({
      dataDirectory: directory,
      described: "lenient",
      deleteNonEmptyDirectories: false,
    });
    transport = patientTransport();
  });
  after(async () => {
    await transport.close();
    await tenant.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  it(`${describedRuns} runs of ${stepsPerRun} steps: no lost byte, no phantom, no wrong error kind, exact events`, async () => {
    const workspace = tenant.workspaces.find(({ status }) => status === "running") ?? assert.fail("nothing runs");
    const { origin, pathname: prefix } = new URL(workspace.contentUrl);
    const place = { origin, prefix, token: tenant.notebookToken(workspace.id) };
    const root = tenant.contentRoot(workspace.id);
    await runIn([{ place, root, transport, kind: { contents: describedContents, tick: 1_000 } }], describedRuns);
  });
});

async function runIn(lanes: readonly Lane[], count: number): Promise<void> {
  console.log(`      seed ${randomSeed}`);
  const ends = await Promise.allSettled(
    lanes.map((lane, index) => {
      const numRuns = Math.ceil((count - index) / lanes.length);
      const steps = fc.array(step, { minLength: stepsPerRun, maxLength: stepsPerRun, size: "max" });
      return fc.assert(
        fc.asyncProperty(steps, (all) => runSteps(lane, all)),
        { seed: randomSeed + index, numRuns },
      );
    }),
  );
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

async function runSteps({ place, root, transport, kind }: Lane, steps: readonly Step[]): Promise<void> {
  const folder = `run-${randomUUID()}`;
  const disk = join(root, folder);
  await mkdir(disk);
  const clients = [
    await FilesClient.connect(place, { transport }),
    await FilesClient.connect(place, { transport }),
  ] as const;
  const machine = new Machine(clients, folder, disk, kind);
  try {
    for (const [index, one] of [...beginning, ...steps].entries()) {
      try {
        await machine.run(one);
        if (index % 8 === 7 || index === beginning.length + steps.length - 1) machine.compare();
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        throw new Error(`step ${index}, ${JSON.stringify(one)}: ${message}`, { cause: error });
      }
    }
  } finally {
    machine.closeAll();
    for (const client of clients) client.dispose();
    await rm(disk, { recursive: true, force: true });
  }
}
