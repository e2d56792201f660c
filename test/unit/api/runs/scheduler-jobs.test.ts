import assert from "node:assert/strict";
import { schedulerJob } from "../../../../src/api/runs/scheduler-jobs.ts";

/** As Jupyter Scheduler 1.0 lists a job. */
const job = {
  input_filename: "report.ipynb",
  runtime_environment_name: "python",
  parameters: { months: "12" },
  name: "Monthly",
  job_id: "39b3fbcd-a60d-4fa6-a6b6-607b040090fc",
  job_files: [{ display_name: "Notebook", file_format: "ipynb", file_path: "jobs/report-1/report.ipynb" }],
  url: "/jobs/39b3fbcd",
  create_time: 1_795_947_561_899,
  update_time: 1_795_947_576_107,
  start_time: 1_795_947_571_000,
  end_time: 1_795_947_576_500,
  status: "COMPLETED",
};

describe("a job of Jupyter Scheduler", () => {
  it("has its state, its time, and its files", () => {
    assert.deepEqual(schedulerJob(job), {
      id: job.job_id,
      name: "Monthly",
      notebook: "report.ipynb",
      status: "COMPLETED",
      state: "succeeded",
      parameters: { months: "12" },
      time: "2026-11-29T10:19:31.000Z",
      seconds: 5.5,
      error: undefined,
      isScheduled: false,
      files: [{ title: "Notebook", format: "ipynb", path: "jobs/report-1/report.ipynb" }],
    });
    const failed = schedulerJob({ ...job, status: "FAILED", end_time: null, status_message: "x".repeat(5_000) });
    assert.equal(failed?.seconds, 5.107);
    assert.equal(failed?.error?.length, 2_000);
  });

  it("of another release has what is known of it", () => {
    const { job_files: _, parameters: __, start_time: ___, name: ____, ...less } = job;
    const read = schedulerJob({ ...less, status: "PAUSED", job_definition_id: "a-b" });
    assert.deepEqual(
      [read?.state, read?.status, read?.parameters, read?.files, read?.seconds, read?.isScheduled],
      [undefined, "PAUSED", {}, [], undefined, true],
    );
    assert.equal(schedulerJob({ ...job, status: "constructor" })?.state, undefined);
  });

  it("is queued before it begins, although the server calls it stopped", () => {
    const { start_time: _, end_time: __, ...waiting } = { ...job, status: "STOPPED" };
    assert.deepEqual([schedulerJob(waiting)?.state, schedulerJob(waiting)?.status], ["running", "QUEUED"]);
    assert.equal(schedulerJob({ ...job, status: "STOPPED", end_time: null })?.state, "canceled");
  });

  it("with invalid fields isn't one", () => {
    for (const wrong of [
      null,
      [],
      { ...job, job_id: "../../api/contents" },
      { ...job, job_id: "" },
      { ...job, input_filename: 1 },
      { ...job, status: "x".repeat(101) },
      { ...job, create_time: 1e300 },
      { ...job, start_time: -1 },
      { ...job, job_files: "all" },
    ]) {
      assert.equal(schedulerJob(wrong), undefined, JSON.stringify(wrong));
    }
  });

  it("is bounded, and has no paths out of the workspace", () => {
    const hostile = schedulerJob({
      ...job,
      name: "n".repeat(100_000),
      parameters: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, "v".repeat(5_000)])),
      job_files: Array.from({ length: 5_000 }, () => ({
        display_name: "Notebook",
        file_format: "ipynb",
        file_path: "../x",
      })),
    });
    assert.equal(hostile?.name.length, 2_000);
    assert.equal(Object.keys(hostile?.parameters ?? {}).length, 200);
    assert.equal(hostile?.parameters.p0?.length, 2_000);
    assert.equal(hostile?.files.length, 50);
    assert.equal(hostile?.files[0]?.path, undefined);
  });
});
