import { pythonPackage } from "./python-package.ts";

/**
 * Jupyter Scheduler, which runs notebooks at times, with what the environment of the tests lacks for it: 8 MB. Only the
 * servers of the tests of its jobs have it, because a server takes longer to start with it.
 */
export const jupyterScheduler = pythonPackage({
  id: "scheduler",
  title: "the scheduler of notebooks",
  name: "jupyter-scheduler",
  version: "2.12.1",
  others: ["croniter==1.4.1", "fsspec==2026.9.0", "pytz==2024.2"],
  duration: "about 5 s, once",
});
