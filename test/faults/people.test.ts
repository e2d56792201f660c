import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { type SampleTenant, startSampleTenant } from "../../src/programs/sample-tenant/server.ts";
import { editor } from "../harness/editor-stand-in/vscode.ts";
import { randomSeed } from "../harness/random-seed.ts";
import { type Sequence, sequence } from "./people/steps.ts";
import { saveWithConflicts, World } from "./people/world.ts";
import { type PatientTransport, patientTransport } from "./transport.ts";

/** For a long search: PLATFORM_WORKBENCH_SEQUENCES=5000. */
const sequences = Number(process.env.PLATFORM_WORKBENCH_SEQUENCES ?? 200);
const stepsPerSequence = 30;
/**
 * Each run tries the same sequences, unless PLATFORM_WORKBENCH_SEED is set, so that only a change makes it fail. A long search
 * tries new ones.
 */
const usualSeed = 1;
const seed = process.env.PLATFORM_WORKBENCH_SEED === undefined ? usualSeed : randomSeed;
/** Parallel sequences, which mostly wait. */
const laneCount = 12;

describe("random steps of two windows with one storage and of colleagues, on a server that can fail", () => {
  let directory: string;
  let tenant: SampleTenant;
  let transport: PatientTransport;
  let questions: { dispose(): unknown };

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-people-"));
    tenant = await startSampleTenant({ dataDirectory: join(directory, "tenant"), deleteNonEmptyDirectories: false });
    transport = patientTransport();
    questions = editor.onMessage(({ items, choose }) =>
      choose(items.includes(saveWithConflicts) ? saveWithConflicts : undefined),
    );
  });
  after(async () => {
    questions.dispose();
    await transport.close();
    await tenant.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  async function run({ rewriting, steps }: Sequence, lane: string): Promise<void> {
    const workspace = tenant.workspaces.find(({ status }) => status === "running") ?? assert.fail("nothing runs");
    const { origin, pathname: prefix } = new URL(workspace.contentUrl);
    const folder = `${lane}/${randomUUID()}`;
    const disk = join(tenant.contentRoot(workspace.id), folder);
    mkdirSync(disk, { recursive: true });
    const platform = { url: tenant.url, token: tenant.platformToken, workspaceId: workspace.id };
    const place = { origin, prefix, token: tenant.notebookToken(workspace.id), platform };
    const storage = join(directory, randomUUID());
    const world = await World.begin({ place, transport, folder, disk, storage }, rewriting);
    try {
      for (const [index, step] of steps.entries()) {
        await explained(world.run(step), `step ${index}, ${JSON.stringify(step)}`);
      }
      await explained(world.end(), "at the end");
    } finally {
      world.close();
      await rm(disk, { recursive: true, force: true });
    }
  }

  it(`${sequences} sequences of ${stepsPerSequence} steps: nothing that a person wrote is lost without a question`, async () => {
    console.log(`      seed ${seed}`);
    const ends = await Promise.allSettled(
      Array.from({ length: laneCount }, (_, index) =>
        fc.assert(
          fc.asyncProperty(sequence(stepsPerSequence), (one) => run(one, `lane-${index}`)),
          { seed: seed + index, numRuns: Math.ceil((sequences - index) / laneCount) },
        ),
      ),
    );
    const failures = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    // A run ends with all that it has found, each of which took minutes.
    for (const failure of failures.slice(1)) console.error(failure);
    if (failures.length > 0) throw failures[0];
  });
});

async function explained(work: Promise<void>, what: string): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
