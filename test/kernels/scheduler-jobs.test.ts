import assert from "node:assert/strict";
import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { hasStatus } from "../../src/api/http/errors.ts";
import { deleteJob, fileOfJob, listJobs, stopJob } from "../../src/api/runs/jupyter-scheduler.ts";
import type { SchedulerJob } from "../../src/api/runs/scheduler-jobs.ts";
import { WordedError } from "../../src/api/worded-error.ts";
import { runCommands } from "../../src/features/runs/handlers.ts";
import { JobRow } from "../../src/features/runs/job-rows.ts";
import type { RunServices } from "../../src/features/runs/run-services.ts";
import { RunWindow } from "../../src/features/runs/run-window.ts";
import { ServerJobs } from "../../src/features/runs/server-jobs.ts";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { countedTransport } from "../harness/counted-transport.ts";
import { StandInMemento } from "../harness/editor-stand-in/memory.ts";
import { editor } from "../harness/editor-stand-in/vscode.ts";
import { until } from "../harness/until.ts";
import { type KernelRig, startRig } from "./rig.ts";

const notebook = JSON.stringify({
  cells: [
    { cell_type: "code", metadata: { tags: ["parameters"] }, source: "months = 3", execution_count: null, outputs: [] },
    {
      cell_type: "code",
      metadata: {},
      source: [
        "import pathlib, time\n",
        "if months == 99: pathlib.Path(mark).touch(); time.sleep(3000)\n",
        "print(months, 'months')\n",
        "1 / months",
      ],
      execution_count: null,
      outputs: [],
    },
  ],
  metadata: { kernelspec: { name: "python3", display_name: "Python 3", language: "python" } },
  nbformat: 4,
  nbformat_minor: 4,
});

describe("jobs of Jupyter Scheduler", () => {
  let rig: KernelRig;
  const { signal } = new AbortController();

  before(async () => {
    rig = await startRig([], { scheduler: true });
    await writeFile(join(rig.root, "report.ipynb"), notebook);
    await writeFile(join(rig.root, "other.ipynb"), notebook);
  });
  after(() => rig?.stop());

  const make = async (parameters: Readonly<Record<string, string>>, path = "report.ipynb"): Promise<string> => {
    const response = await fetch(`${rig.url}/scheduler/jobs`, {
      method: "POST",
      headers: { Authorization: `token ${rig.token}` },
      body: JSON.stringify({
        name: `Report with ${parameters.months}`,
        input_uri: path,
        runtime_environment_name: "python",
        runtime_environment_parameters: {},
        output_formats: ["ipynb", "html"],
        parameters,
      }),
    });
    assert.equal(response.status, 200);
    return z.parse(z.looseObject({ job_id: z.string() }), await response.json()).job_id;
  };
  const list = async (): Promise<readonly SchedulerJob[]> => {
    const found = await listJobs(rig.direct, "report.ipynb");
    assert.ok(found.type === "jobs");
    return found.jobs;
  };
  const inState = (id: string, state: SchedulerJob["state"]): Promise<SchedulerJob> =>
    until(`the job to be ${state}`, async () => (await list()).find((job) => job.id === id && job.state === state), {
      seconds: 180,
      interval: 200,
      seen: () => id,
    });

  it("are listed with their states, copied, stopped, and deleted", async () => {
    assert.deepEqual(await list(), []);
    const mark = join(rig.root, "sleeps");
    const good = await make({ months: "12" });
    const bad = await make({ months: "0" });
    const long = await make({ months: "99", mark: JSON.stringify(mark) });
    await make({ months: "1" }, "other.ipynb");

    const done = await inState(good, "succeeded");
    assert.deepEqual(
      [done.name, done.notebook, done.parameters, done.status, done.error, done.isScheduled],
      ["Report with 12", "report.ipynb", { months: "12" }, "COMPLETED", undefined, false],
    );
    assert.ok((done.seconds ?? 0) > 0);
    assert.match(done.time ?? "", /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(
      done.files.map(({ title, format, path }) => [title, format, path]),
      [
        ["Notebook", "ipynb", undefined],
        ["HTML", "html", undefined],
        ["Input", "input", undefined],
      ],
    );
    const path = await fileOfJob(rig.direct, done, { format: "ipynb", signal });
    assert.match(path, /^jobs\/report-[\w-]+\/report-[\w-]+\.ipynb$/);
    assert.match(await readFile(join(rig.root, path), "utf8"), /12 months/);
    const copied = await inState(good, "succeeded");
    assert.equal(copied.files.find(({ format }) => format === "ipynb")?.path, path);
    assert.equal(await fileOfJob(rig.direct, copied, { format: "ipynb", signal }), path);

    const failed = await inState(bad, "failed");
    assert.match(failed.error ?? "", /ZeroDivisionError/);
    assert.match(
      await readFile(join(rig.root, await fileOfJob(rig.direct, failed, { format: "ipynb", signal })), "utf8"),
      /division by zero/,
    );

    await until(
      "the cell to sleep",
      () =>
        access(mark).then(
          () => true,
          () => undefined,
        ),
      {
        seconds: 180,
        interval: 200,
        seen: () => "",
      },
    );
    await stopJob(rig.direct, await inState(long, "running"));
    const stopped = await inState(long, "canceled");
    await assert.rejects(
      fileOfJob(rig.direct, stopped, { format: "ipynb", signal, timeoutMs: 1 }),
      (error: unknown) => error instanceof WordedError && /didn't copy its files/.test(error.message),
    );
    await deleteJob(rig.direct, stopped);
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      [bad, good],
    );
    await access(join(rig.root, path));
  });

  it("are opened, compared, and deleted by commands of their rows", async () => {
    const id = await make({ months: "7" });
    await inState(id, "succeeded");
    const uri = uriOf("acme", "4f7c21aa", "report.ipynb");
    const services = {
      connections: { content: async () => rig.direct },
      secrets: { onDidSignOut: () => ({ dispose: () => {} }) },
      log: { warn: (text: string) => assert.fail(text) },
      files: { refresh: () => {} },
      windowState: new StandInMemento(),
    } as unknown as RunServices;
    const window = new RunWindow(services, { isVisible: () => false, redraw: () => {} });
    const commands = runCommands(window, services);
    const run = { setErrorContext: () => {} };
    const row = (await window.rowsOf(uri)).find((one) => one instanceof JobRow && one.job.id === id);
    assert.ok(row instanceof JobRow);
    assert.match(String(row.description), /^succeeded · .+ · job · months = 7$/);
    assert.equal(row.contextValue, "run.ended.job");

    editor.choices.push("HTML");
    await commands["platformWorkbench.openJobFile"](run, row, []);
    const [command, opened] = editor.executed.at(-1) ?? [];
    assert.equal(command, "vscode.open");
    assert.match(String(opened), /\/jobs\/report-[\w-]+\/report-[\w-]+\.html$/);

    editor.choices.push("report.ipynb");
    await commands["platformWorkbench.compareRun"](run, row, []);
    const [diff, before, after] = editor.executed.at(-1) ?? [];
    assert.equal(diff, "vscode.diff");
    assert.equal(String(before), uri.toString());
    assert.match(String(after), /\/jobs\/report-[\w-]+\/report-[\w-]+\.ipynb$/);

    const deleting = Promise.resolve(commands["platformWorkbench.deleteRun"](run, row, []));
    const question = editor.messages.at(-1);
    assert.equal(question?.text, "Delete the job Report with 7?");
    question?.choose("Delete");
    await deleting;
    assert.ok(!(await list()).some((job) => job.id === id));
    window.dispose();
  });

  it("that no longer exist are failures with the server's words", async () => {
    const gone = {
      id: "00000000-aaaa-bbbb-cccc-000000000000",
      notebook: "report.ipynb",
      files: [],
    } as unknown as SchedulerJob;
    await assert.rejects(deleteJob(rig.direct, gone), (error: unknown) => hasStatus(error, 500));
  });
});

describe("a server without Jupyter Scheduler", () => {
  let rig: KernelRig;
  const uri = uriOf("acme", "4f7c21aa", "report.ipynb");

  before(async () => {
    rig = await startRig();
    await writeFile(join(rig.root, "report.ipynb"), notebook);
  });
  after(() => rig?.stop());

  it("has no jobs, and is asked once", async () => {
    assert.deepEqual(await listJobs(rig.direct, "report.ipynb"), { type: "none" });
    const { transport, take } = countedTransport();
    const client = rig.client(rig.token, transport);
    const jobs = new ServerJobs({ content: async () => client });
    assert.deepEqual([await jobs.rowsOf(uri), await jobs.rowsOf(uri)], [[], []]);
    assert.deepEqual(take().requests, ["GET /scheduler/jobs"]);
    jobs.askAgain("other");
    await jobs.rowsOf(uri);
    assert.deepEqual(take().requests, []);
    jobs.askAgain("acme");
    await jobs.rowsOf(uri);
    assert.deepEqual(take().requests, ["GET /scheduler/jobs"]);
  });
});
